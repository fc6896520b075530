import { type Fiber, Scheduler } from "effect"

/**
 * Runs the fibers of the process, for all rooms: those of a lower `currentSchedulingPriority` first, and within a
 * priority in the order in which they came. In one turn of the event loop they run for a few milliseconds, however many
 * are ready, and then it serves its sockets and timers; Effect's own scheduler runs all of them before. A turn is longer
 * while only requests are ready, since there are few of them at a time. Each turn begins with a step of the least urgent
 * fiber, so that it goes on while others never end.
 */
export class PriorityScheduler implements Scheduler.Scheduler {
  readonly #ready = new Scheduler.PriorityBuckets()
  #isScheduled = false
  /** When the first fiber ran in this turn of the event loop, once one has run. */
  #turnBeganAt: number | undefined

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return Scheduler.defaultScheduler.shouldYield(fiber)
  }

  scheduleTask(task: Scheduler.Task, priority: number): void {
    this.#ready.scheduleTask(task, priority)
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (this.#turnBeganAt === undefined || this.#hasTime(this.#turnBeganAt)) queueMicrotask(this.#run)
  }

  readonly #run = (): void => {
    if (this.#turnBeganAt === undefined) {
      this.#turnBeganAt = performance.now()
      setImmediate(this.#endTurn)
    }
    while (this.#hasTime(this.#turnBeganAt)) {
      if (!this.#runNext(0)) {
        this.#isScheduled = false
        return
      }
    }
  }

  /** Begins the next turn with what the time of this one was too short for. */
  readonly #endTurn = (): void => {
    this.#turnBeganAt = undefined
    if (!this.#isScheduled) return
    if (this.#ready.buckets.length > 1) this.#runNext(this.#ready.buckets.length - 1)
    this.#run()
  }

  /** Whether fibers may still run in a turn that began then. */
  #hasTime(turnBeganAt: number): boolean {
    const leastUrgent = this.#ready.buckets.at(-1)?.[0] ?? 0
    return performance.now() - turnBeganAt < (leastUrgent < streamPriority ? requestTurnMillis : turnMillis)
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

/** How long fibers run in a turn, while something less urgent than requests is ready. */
const turnMillis = 2

/** The same while only requests are ready: short beside the time that one takes, and longer than most turns of them. */
const requestTurnMillis = 10

/** The priority of event streams: behind requests, which have the number of their tenant's requests in work. */
export const streamPriority = 50

/** The priority of work that nobody waits for within milliseconds, such as phases. */
export const backgroundPriority = 100
