import { type Fiber, Scheduler } from "effect"

/**
 * Runs the fibers of the process: lower `currentSchedulingPriority` first, then in order. Above `backgroundPriority` the
 * priorities take turns, a step each, fewer for longer steps: no tenant keeps another waiting, nor its own phases. Fibers
 * run for a few milliseconds of a turn of the event loop, then sockets and timers; Effect's own scheduler runs all first.
 * Each turn begins with a step of the least urgent fibers, so that they go on while others never end.
 */
export class PriorityScheduler implements Scheduler.Scheduler {
  readonly #ready = new Scheduler.PriorityBuckets()
  /** Whether fibers are run, or will be when the present code has ended. */
  #isRunning = false
  /** When the first fiber ran in this turn of the event loop. */
  #turnBeganAt: number | undefined
  /** The priority above `backgroundPriority` that had the last turn. */
  #lastTurn = backgroundPriority
  /** How long the steps of each priority above `backgroundPriority` took. */
  readonly #spentMillis = new Map<number, number>()
  /** The time of the ready priority that had spent least: an idle priority has saved up no turns. */
  #leastSpentMillis = 0

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return Scheduler.defaultScheduler.shouldYield(fiber)
  }

  scheduleTask(task: Scheduler.Task, priority: number): void {
    if (priority > backgroundPriority) this.#addSpent(priority, 0)
    this.#ready.scheduleTask(task, priority)
    if (this.#isRunning || !this.#hasTimeFor(priority)) return
    this.#isRunning = true
    queueMicrotask(this.#run)
  }

  readonly #run = (): void => {
    if (this.#turnBeganAt === undefined) {
      this.#turnBeganAt = performance.now()
      setImmediate(this.#endTurn)
    }
    for (;;) {
      const [highestPriority] = this.#ready.buckets
      if (highestPriority === undefined || !this.#hasTimeFor(highestPriority[0])) break
      this.#runNext(highestPriority[0] > backgroundPriority ? this.#nextInTurn() : 0)
    }
    this.#isRunning = false
  }

  readonly #endTurn = (): void => {
    this.#turnBeganAt = undefined
    this.#isRunning = this.#ready.buckets.length > 0
    if (!this.#isRunning) return
    try {
      if (this.#ready.buckets.length > 1) this.#runNext(this.#nextInTurn())
    } finally {
      // The others run even if that one throws.
      this.#run()
    }
  }

  #hasTimeFor(priority: number): boolean {
    return this.#turnBeganAt === undefined || performance.now() - this.#turnBeganAt < turnMillisOf(priority)
  }

  /** The next bucket above `backgroundPriority` that has spent little more time than others, else the least urgent. */
  #nextInTurn(): number {
    const { buckets } = this.#ready
    const tenants = buckets.filter(([priority]) => priority > backgroundPriority)
    if (tenants.length === 0) return buckets.length - 1
    const spentBy = ([priority]: (typeof buckets)[number]) => this.#spentMillis.get(priority) ?? 0
    this.#leastSpentMillis = Math.min(...tenants.map(spentBy))
    const mayRun = tenants.filter((bucket) => spentBy(bucket) <= this.#leastSpentMillis + maxAheadMillis)
    const next = mayRun.find(([priority]) => priority > this.#lastTurn) ?? mayRun[0]
    if (next === undefined) return buckets.length - 1
    this.#lastTurn = next[0]
    return buckets.indexOf(next)
  }

  #runNext(index: number): void {
    const { buckets } = this.#ready
    const bucket = buckets[index]
    if (bucket === undefined) return
    const [priority, tasks] = bucket
    const task = tasks.shift()
    if (tasks.length === 0) buckets.splice(index, 1)
    if (priority <= backgroundPriority) return task?.()
    const begun = performance.now()
    task?.()
    this.#addSpent(priority, performance.now() - begun)
  }

  #addSpent(priority: number, millis: number): void {
    this.#spentMillis.set(priority, Math.max(this.#leastSpentMillis, this.#spentMillis.get(priority) ?? 0) + millis)
  }
}

/** How much longer the steps of a priority may have taken than those of another one that is ready. */
const maxAheadMillis = 1

/** How long after its first step a turn still runs fibers of a priority: requests do not wait for background work. */
const turnMillisOf = (priority: number): number => (priority < backgroundPriority ? 4 : 1)

/** The priority of event streams: behind requests, which have the number of their tenant's running requests. */
export const streamPriority = 50

/** For background work, which can wait for milliseconds. The phases of each tenant have a priority above it. */
export const backgroundPriority = 100
