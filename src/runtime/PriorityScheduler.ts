import { type Fiber, Scheduler } from "effect"

/**
 * Runs the fibers of the process, for all rooms: those of a lower `currentSchedulingPriority` first, and within a
 * priority in the order in which they came. In one turn of the event loop they run for a few milliseconds, however many
 * are ready, and then it serves its sockets and timers; Effect's own scheduler runs all of them before. Each turn begins
 * with a step of the least urgent fiber, so that it goes on while others never end.
 */
export class PriorityScheduler implements Scheduler.Scheduler {
  readonly #ready = new Scheduler.PriorityBuckets()
  #isScheduled = false
  /** Until when fibers run in this turn of the event loop, once one has run. */
  #turnEndsAt: number | undefined

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return Scheduler.defaultScheduler.shouldYield(fiber)
  }

  scheduleTask(task: Scheduler.Task, priority: number): void {
    this.#ready.scheduleTask(task, priority)
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (this.#turnEndsAt === undefined || performance.now() < this.#turnEndsAt) queueMicrotask(this.#run)
  }

  readonly #run = (): void => {
    if (this.#turnEndsAt === undefined) {
      this.#turnEndsAt = performance.now() + turnMillis
      setImmediate(this.#endTurn)
    }
    while (performance.now() < this.#turnEndsAt) {
      if (!this.#runNext(0)) {
        this.#isScheduled = false
        return
      }
    }
  }

  /** Begins the next turn with what the time of this one was too short for. */
  readonly #endTurn = (): void => {
    this.#turnEndsAt = undefined
    if (!this.#isScheduled) return
    if (this.#ready.buckets.length > 1) this.#runNext(this.#ready.buckets.length - 1)
    this.#run()
  }

  /** Runs the first task of a bucket, and tells whether there is one. */
  #runNext(index: number): boolean {
    const { buckets } = this.#ready
    const task = buckets[index]?.[1].shift()
    if (task === undefined) return false
    if (buckets[index]?.[1].length === 0) buckets.splice(index, 1)
    task()
    return true
  }
}

const turnMillis = 2

/** The priority of event streams: behind requests, which have the number of their tenant's requests in work. */
export const streamPriority = 50

/** The priority of work that nobody waits for within milliseconds, such as phases. */
export const backgroundPriority = 100
