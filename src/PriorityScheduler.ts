import { Effect, type Fiber, Scheduler } from "effect"

/**
 * Runs the fibers of the process, for all rooms: those of a lower `currentSchedulingPriority` first, and within a
 * priority in the order in which they came. Every few milliseconds the event loop serves its sockets and timers, however
 * many fibers are ready; Effect's own scheduler runs all of them before. Between two of these slices the least urgent
 * fiber takes a step too, so that it goes on while others never end.
 */
export class PriorityScheduler implements Scheduler.Scheduler {
  readonly #ready = new Scheduler.PriorityBuckets()
  #isScheduled = false

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return Scheduler.defaultScheduler.shouldYield(fiber)
  }

  scheduleTask(task: Scheduler.Task, priority: number): void {
    this.#ready.scheduleTask(task, priority)
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(this.#runSlice)
  }

  readonly #runSlice = (): void => {
    const end = performance.now() + sliceMillis
    while (performance.now() < end) {
      if (!this.#runNext(0)) {
        this.#isScheduled = false
        return
      }
    }
    setImmediate(this.#continue)
  }

  readonly #continue = (): void => {
    if (this.#ready.buckets.length > 1) this.#runNext(this.#ready.buckets.length - 1)
    this.#runSlice()
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

const sliceMillis = 5

/** The priority of work that nobody waits for within milliseconds: phases, domain checks. Requests have lower ones. */
export const backgroundPriority = 100

/** Lets an effect, and the fibers that it starts, run when no request can. */
export const inBackground = Effect.withSchedulingPriority(backgroundPriority)
