import { makeTurnBudget } from "./TurnBudget.ts"

/**
 * Hands out permits to callbacks of several keys (tenants, for example): round robin over the keys that wait, first come
 * first served within a key.
 */
export interface FairSemaphore {
  /**
   * Calls `start` once there is a permit for the key, at once if one is free. Call the function that it returns once: it
   * gives the permit back, or leaves the queue. Returns `undefined`, and never calls `start`, if the queue is full. In a
   * full queue of all keys, a key with fewer waiters displaces the oldest waiter of the longest queue: its `onRemoved` is
   * called in place of `start`, and must not use the semaphore before it returns.
   */
  readonly acquire: (key: string, start: () => void, onRemoved?: () => void) => (() => void) | undefined
  /** How many permits the key has. */
  readonly heldBy: (key: string) => number
  /** How many waiters the key has. */
  readonly queuedBy: (key: string) => number
  /** Changes the number of permits. Permits that are out stay out, even if they are more than that. */
  readonly resize: (size: SemaphoreSize) => void
}

interface SemaphoreSize {
  readonly permits: number
  /** The permits that go only to keys that have fewer than that, which therefore rarely wait; 0. */
  readonly reserved?: number
}

interface FairSemaphoreOptions extends SemaphoreSize {
  /**
   * The waiting key with the fewest permits gets the next one, so that keys which keep theirs for long do not slow those
   * which return theirs soon; without it, all keys take turns.
   */
  readonly isFewestFirst?: boolean
  /**
   * A key gets no permit while it has as many as are free. So one key has half of them at most, the next one half of the
   * rest, and one is left for a key that comes later.
   */
  readonly isGraduated?: boolean
  /** A key with so many permits gets another one only while no key with fewer waits; without it, all keys are equal. */
  readonly maxPerKey?: number
  /** The length of the queue, over all keys, shared equally by those that wait if it is full; unbounded. */
  readonly maxQueued?: number
  /** The length of the queue of each key; unbounded. */
  readonly maxQueuedPerKey?: number
  /** How long what the permits start may take in a turn of the event loop; unlimited. Other permits wait for later turns. */
  readonly maxMillisPerTurn?: number
}

/** Makes a semaphore without waiters. */
export const makeFairSemaphore = (options: FairSemaphoreOptions): FairSemaphore => {
  const {
    isFewestFirst = false,
    isGraduated = false,
    maxMillisPerTurn = Infinity,
    maxPerKey = Infinity,
    maxQueued = Infinity,
    maxQueuedPerKey = Infinity
  } = options
  let { permits, reserved = 0 } = options
  let free = permits
  let queued = 0
  const holders = new Map<string, Holder>()
  /** The waiting keys in the order of their next turns. */
  const waiting = new Set<Holder>()

  const budget = makeTurnBudget(maxMillisPerTurn, () => startWaiting())
  const isGrantable = ({ held }: Holder) =>
    budget.hasTime() && free > 0 && (free > reserved || held < reserved) && (!isGraduated || held < free)
  const hasPriority = ({ held }: Holder) => held < maxPerKey
  const findNext = (): Holder | undefined => {
    let others: Holder | undefined
    if (free > 0 && budget.hasTime())
      for (const holder of waiting) {
        if (!isGrantable(holder)) continue
        if (isFewestFirst) {
          if (others === undefined || holder.held < others.held) others = holder
        } else if (hasPriority(holder)) return holder
        else others ??= holder
      }
    return others
  }
  const grant = (holder: Holder, start: () => void) => {
    free -= 1
    holder.held += 1
    if (maxMillisPerTurn === Infinity) start()
    else budget.spend(start)
  }
  const leaveQueue = (holder: Holder, waiter: Waiter): boolean => {
    if (!holder.queue.delete(waiter)) return false
    queued -= 1
    if (holder.queue.size === 0) waiting.delete(holder)
    return true
  }
  /** Whether the key may wait: a full queue has room for it while it has less than an equal share. */
  const makeRoom = (holder: Holder): boolean => {
    if (queued < maxQueued) return true
    const keys = waiting.has(holder) ? waiting.size : waiting.size + 1
    if ((holder.queue.size + 1) * keys > maxQueued) return false
    let longest = holder
    for (const other of waiting) if (other.queue.size > longest.queue.size) longest = other
    const [oldest] = longest.queue
    if (oldest === undefined) return false
    leaveQueue(longest, oldest)
    forgetIdle(longest)
    oldest.isRemoved = true
    oldest.onRemoved?.()
    return true
  }
  const startWaiting = () => {
    for (let holder = findNext(); holder !== undefined; holder = findNext()) {
      const [waiter] = holder.queue
      if (waiter === undefined) return
      leaveQueue(holder, waiter)
      // The next turn of the key is after those of the others.
      if (waiting.delete(holder)) waiting.add(holder)
      grant(holder, waiter.start)
    }
  }
  const forgetIdle = (holder: Holder) => {
    if (holder.held === 0 && holder.queue.size === 0) holders.delete(holder.key)
  }
  const release = (holder: Holder) => {
    free += 1
    holder.held -= 1
    if (waiting.size > 0) startWaiting()
    forgetIdle(holder)
  }
  return {
    acquire: (key, start, onRemoved) => {
      const holder = holders.get(key) ?? { key, held: 0, queue: new Set<Waiter>() }
      if (holder.queue.size === 0 && isGrantable(holder)) {
        holders.set(key, holder)
        grant(holder, start)
        return () => release(holder)
      }
      if (holder.queue.size >= maxQueuedPerKey || !makeRoom(holder)) return undefined
      holders.set(key, holder)
      const waiter: Waiter = { start, onRemoved, isRemoved: false }
      holder.queue.add(waiter)
      waiting.add(holder)
      queued += 1
      return () => {
        if (leaveQueue(holder, waiter)) forgetIdle(holder)
        else if (!waiter.isRemoved) release(holder)
      }
    },
    heldBy: (key) => holders.get(key)?.held ?? 0,
    queuedBy: (key) => holders.get(key)?.queue.size ?? 0,
    resize: (size) => {
      free += size.permits - permits
      permits = size.permits
      reserved = size.reserved ?? 0
      startWaiting()
    }
  }
}

/** The permits and the queue of one key. */
interface Holder {
  readonly key: string
  held: number
  readonly queue: Set<Waiter>
}

interface Waiter {
  readonly start: () => void
  readonly onRemoved: (() => void) | undefined
  isRemoved: boolean
}
