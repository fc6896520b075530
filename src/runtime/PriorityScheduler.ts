import { type Fiber, Scheduler } from "effect"

/**
 * Runs the fibers of the process, for all rooms: those of a lower `currentSchedulingPriority` first, and within a
 * priority in the order in which they came. Above `backgroundPriority` the priorities take turns, a step each: no tenant
 * keeps another one waiting, and none of its own phases. In one turn of the event loop fibers run for a few milliseconds,
 * however many are ready, and then it serves its sockets and timers; Effect's own scheduler runs all of them before. Each
 * turn begins with a step of the least urgent fibers, so that they go on while others never end.
 */
export class PriorityScheduler implements Scheduler.Scheduler {
  readonly #ready = new Scheduler.PriorityBuckets()
  #isScheduled = false
  /** The time until which fibers run in this turn of the event loop, once one has run. */
  #turnEndsAt: number | undefined
  /** The priority above `backgroundPriority` that had the last turn. */
  #lastTurn = backgroundPriority

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
      const [mostUrgent] = this.#ready.buckets
      if (mostUrgent === undefined) {
        this.#isScheduled = false
        return
      }
      this.#runNext(mostUrgent[0] > backgroundPriority ? this.#nextInTurn() : 0)
    }
  }

  /** Begins the next turn with the fibers that this one had no time for. */
  readonly #endTurn = (): void => {
    this.#turnEndsAt = undefined
    if (!this.#isScheduled) return
    if (this.#ready.buckets.length > 1) this.#runNext(this.#nextInTurn())
    this.#run()
  }

  /** The bucket above `backgroundPriority` that comes after the last one; the least urgent bucket if there is none. */
  #nextInTurn(): number {
    const { buckets } = this.#ready
    const next = buckets.findIndex(([priority]) => priority > this.#lastTurn)
    const index = next === -1 ? buckets.findIndex(([priority]) => priority > backgroundPriority) : next
    if (index === -1) return buckets.length - 1
    this.#lastTurn = buckets[index]?.[0] ?? backgroundPriority
    return index
  }

  /** Runs the first task of a bucket. */
  #runNext(index: number): void {
    const { buckets } = this.#ready
    const task = buckets[index]?.[1].shift()
    if (buckets[index]?.[1].length === 0) buckets.splice(index, 1)
    task?.()
  }
}

const turnMillis = 2

/** The priority of event streams: behind requests, which have the number of their tenant's requests in work. */
export const streamPriority = 50

/**
 * The priority of background work, whose results can wait for milliseconds. The phases of each tenant have one above
 * it.
 */
export const backgroundPriority = 100
