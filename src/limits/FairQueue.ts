import { Deferred, Effect, FiberId } from "effect"
import { makeTurnBudget } from "./Budget.ts"

/** Gives permits to several keys (tenants, for example): the keys that wait take turns, and each has its own order. */
export interface FairQueue {
  /**
   * Calls `start` once there is a permit for the key, at once if one is free. Returns `undefined`, and never calls `start`,
   * if the queue is full. In a full queue of all keys, a key with fewer waiters displaces the oldest waiter of the longest
   * queue: its `onRemoved` is called in place of `start`, and must not use the queue before it returns.
   */
  readonly acquire: (key: string, start: () => void, onRemoved?: () => void) => Permit | undefined
  /** Takes a permit even if none is free. */
  readonly take: (key: string) => Permit
  readonly countOf: (key: string) => PermitCount
  readonly count: () => Pick<PermitCount, "held" | "suspended"> & { readonly free: number }
  /** Whether nobody waits, and whoever comes next gets a permit at once. */
  readonly isIdle: () => boolean
  /** Changes the number of permits. Permits in use stay in use, even if they are more than that. */
  readonly resize: (size: QueueSize) => void
}

/** A permit, or the place in the queue for one. */
export interface Permit {
  /** Gives the permit back, or leaves the queue. What waits to resume goes on without a permit. */
  readonly release: () => void
  /** Lends the permit to others while its holder waits; false, and it keeps the permit, if too many wait already. */
  readonly suspend: () => boolean
  /** Calls `onResumed` once a suspended permit is back, before those of the key that have had none; at once if it is held. */
  readonly resume: (onResumed: () => void) => void
}

interface PermitCount {
  readonly held: number
  /** How many are suspended, also those that wait to resume. */
  readonly suspended: number
  /** How many wait for a permit, also those that wait to resume. */
  readonly queued: number
}

interface QueueSize {
  readonly permits: number
  /** The permits for keys that have fewer than that, which therefore rarely wait; 0. */
  readonly reserved?: number
}

interface FairQueueOptions extends QueueSize {
  /** The key with the fewest permits is next, so that long holders do not slow others; without it, all take turns. */
  readonly isFewestFirst?: boolean
  /** A key gets no more permits than it leaves free: one key half, the next half of the rest, one for a later key. */
  readonly leavesHalfFree?: boolean
  /** A key with so many permits gets another one only while no key with fewer waits; without it, all keys are equal. */
  readonly maxPerKey?: number
  /** Whether a key waits at `maxPerKey` even if no other key does. */
  readonly isMaxPerKeyFirm?: boolean
  /** The length of the queue over all keys, which share it equally if it is full; unbounded. */
  readonly maxQueued?: number
  /** The length of the queue of each key; unbounded. */
  readonly maxQueuedPerKey?: number
  /** How many permits may be suspended; unbounded. */
  readonly maxSuspended?: number
  /** How many permits of a key may be suspended; it gets no more than all of these. Unbounded. */
  readonly maxSuspendedPerKey?: number
  /** Milliseconds in a turn of the event loop for work that permits start; others wait for later turns. Unlimited. */
  readonly maxMillisPerTurn?: number
}

export const makeFairQueue = (options: FairQueueOptions): FairQueue => {
  const {
    isFewestFirst = false,
    isMaxPerKeyFirm = false,
    leavesHalfFree = false,
    maxMillisPerTurn = Infinity,
    maxPerKey = Infinity,
    maxQueued = Infinity,
    maxQueuedPerKey = Infinity,
    maxSuspended = Infinity,
    maxSuspendedPerKey = Infinity
  } = options
  let { permits, reserved = 0 } = options
  let free = permits
  let queued = 0
  let suspended = 0
  const holders = new Map<string, Holder>()
  /** The waiting keys in the order of their next turns. */
  const waiting = new Set<Holder>()

  const budget = makeTurnBudget(maxMillisPerTurn, () => startWaiting())
  const isGrantable = ({ held, resumed, suspended }: Holder) =>
    free > 0 &&
    budget.hasTime() &&
    (free > reserved || held < reserved) &&
    (!leavesHalfFree || held < free) &&
    (!isMaxPerKeyFirm || held < maxPerKey) &&
    (resumed.size > 0 || held + suspended < maxSuspendedPerKey)
  const findNext = (): Holder | undefined => {
    let others: Holder | undefined
    if (free > 0 && budget.hasTime())
      for (const holder of waiting) {
        if (!isGrantable(holder)) continue
        if (isFewestFirst) {
          if (others === undefined || holder.held < others.held) others = holder
        } else if (holder.held < maxPerKey) return holder
        else others ??= holder
      }
    return others
  }
  const findHolder = (key: string): Holder => {
    const known = holders.get(key)
    if (known !== undefined) return known
    const holder = { key, held: 0, suspended: 0, resumed: new Set<Waiter>(), queue: new Set<Waiter>() }
    holders.set(key, holder)
    return holder
  }
  const forgetIdle = ({ held, key, queue, resumed, suspended }: Holder) => {
    if (held + suspended + queue.size + resumed.size === 0) holders.delete(key)
  }
  const hold = (holder: Holder, change: 1 | -1) => {
    free -= change
    holder.held += change
  }
  const setSuspended = (holder: Holder, change: 1 | -1) => {
    suspended += change
    holder.suspended += change
  }
  const leaveQueue = (holder: Holder, waiter: Waiter) => {
    if (holder.queue.delete(waiter)) queued -= 1
    else holder.resumed.delete(waiter)
    if (holder.queue.size + holder.resumed.size === 0) waiting.delete(holder)
  }
  const grant = (holder: Holder, waiter: Waiter) => {
    if (waiter.state === "resuming") setSuspended(holder, -1)
    waiter.state = "held"
    hold(holder, 1)
    if (maxMillisPerTurn === Infinity) waiter.start()
    else budget.spend(waiter.start)
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
    oldest.state = "over"
    oldest.onRemoved?.()
    return true
  }
  const startWaiting = () => {
    for (let holder = findNext(); holder !== undefined; holder = findNext()) {
      const [waiter] = holder.resumed.size > 0 ? holder.resumed : holder.queue
      if (waiter === undefined) return
      leaveQueue(holder, waiter)
      // The next turn of the key is after those of the others.
      if (waiting.delete(holder)) waiting.add(holder)
      grant(holder, waiter)
    }
  }
  const makePermit = (holder: Holder, waiter: Waiter): Permit => ({
    release: () => {
      const { state } = waiter
      if (state === "over") return
      waiter.state = "over"
      if (state === "held") hold(holder, -1)
      else if (state !== "queued") setSuspended(holder, -1)
      leaveQueue(holder, waiter)
      if (state === "resuming") waiter.start()
      if (waiting.size > 0) startWaiting()
      forgetIdle(holder)
    },
    suspend: () => {
      if (waiter.state !== "held" || suspended >= maxSuspended || holder.suspended >= maxSuspendedPerKey) return false
      waiter.state = "suspended"
      hold(holder, -1)
      setSuspended(holder, 1)
      startWaiting()
      return true
    },
    resume: (onResumed) => {
      if (waiter.state !== "suspended") return onResumed()
      waiter.state = "resuming"
      waiter.start = onResumed
      holder.resumed.add(waiter)
      waiting.add(holder)
      startWaiting()
    }
  })
  return {
    acquire: (key, start, onRemoved) => {
      const holder = findHolder(key)
      const waiter: Waiter = { start, onRemoved, state: "queued" }
      if (holder.queue.size + holder.resumed.size === 0 && isGrantable(holder)) grant(holder, waiter)
      else if (holder.queue.size < maxQueuedPerKey && makeRoom(holder)) {
        holders.set(key, holder)
        holder.queue.add(waiter)
        waiting.add(holder)
        queued += 1
      } else {
        forgetIdle(holder)
        return undefined
      }
      return makePermit(holder, waiter)
    },
    take: (key) => {
      const holder = findHolder(key)
      hold(holder, 1)
      return makePermit(holder, { start: () => {}, onRemoved: undefined, state: "held" })
    },
    count: () => ({ free, held: permits - free, suspended }),
    countOf: (key) => {
      const holder = holders.get(key)
      return holder === undefined
        ? { held: 0, suspended: 0, queued: 0 }
        : { held: holder.held, suspended: holder.suspended, queued: holder.queue.size + holder.resumed.size }
    },
    isIdle: () => waiting.size === 0 && free > reserved && budget.hasTime(),
    resize: (size) => {
      free += size.permits - permits
      permits = size.permits
      reserved = size.reserved ?? 0
      startWaiting()
    }
  }
}

/** Runs an effect with a permit of the key, of a queue that is never full. `wait` says how it waits, unless one is free. */
export const withPermit = <A, E, R, E2 = never, R2 = never>(
  queue: FairQueue,
  key: string,
  effect: Effect.Effect<A, E, R>,
  wait: (granted: Effect.Effect<void>) => Effect.Effect<void, E2, R2> = (granted) => granted
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.suspend(() => {
    let isGranted = false
    const granted = Deferred.unsafeMake<void>(FiberId.none)
    const start = () => {
      isGranted = true
      Deferred.unsafeDone(granted, Effect.void)
    }
    return Effect.acquireUseRelease(
      Effect.sync(() => queue.acquire(key, start)),
      () => (isGranted ? effect : Effect.zipRight(wait(Deferred.await(granted)), effect)),
      (permit) => Effect.sync(() => permit?.release())
    )
  })

interface Holder {
  readonly key: string
  held: number
  suspended: number
  readonly resumed: Set<Waiter>
  readonly queue: Set<Waiter>
}

interface Waiter {
  start: () => void
  readonly onRemoved: (() => void) | undefined
  state: "queued" | "held" | "suspended" | "resuming" | "over"
}
