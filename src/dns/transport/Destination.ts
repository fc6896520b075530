import { makePacer, type Pacer } from "./Pacer.ts"
import { type FairSemaphore, makeFairSemaphore } from "../../domain/FairSemaphore.ts"

/** How much one address found in DNS may be queried, whoever asks for it. */
export interface DestinationLimits {
  /** Queries in flight to an address that gave a useful answer in the last minute. */
  readonly maxInFlight: number
  /** Queries in flight to any other address. */
  readonly maxUnprovenInFlight: number
  /** Queries per second to an address that gave a useful answer in the last minute, after a burst of half as many. */
  readonly queriesPerSecond: number
  /**
   * Queries per second of one requester without a useful answer, to an address that gave somebody one in the last
   * minute, after a burst of `maxInFlight`.
   */
  readonly uselessPerSecond: number
  /**
   * Queries per second to any other address, after a burst of as many; half of it are the retransmissions to every
   * address.
   */
  readonly unprovenPerSecond: number
}

/** The limits unless `DnsClient.layer` sets others; `DNS_QUERIES_PER_SECOND` sets one of them. */
export const defaultLimits: DestinationLimits = {
  maxInFlight: 64,
  maxUnprovenInFlight: 4,
  queriesPerSecond: 500,
  uselessPerSecond: 40,
  unprovenPerSecond: 20
}

/** A server at an address, and its limits, which depend on whether it answers. */
export interface Destination {
  readonly queries: Lane
  /** For probes by requesters that it was silent for: they leave the places and turns of the other requesters alone. */
  readonly probes: Lane
  /**
   * Whether it gave somebody a useful answer in the last minute. Its silence is remembered by requester
   * (`FailureMemory`).
   */
  readonly isProven: () => boolean
  /** Whether it has sent any response since then. */
  readonly hasAnsweredSince: (millis: number) => boolean
  /** Notes a response that is no use to its requester. */
  readonly noteUselessAnswer: (nowMillis: number) => void
  /** Notes a response that has authority for the zone, or refers to a zone below. */
  readonly noteUsefulAnswer: (nowMillis: number, requester: string) => void
}

/** Places and turns for queries to one address. */
export interface Lane {
  /** Permits of the address, then of the process. */
  readonly semaphores: ReadonlyArray<FairSemaphore>
  /** Takes the next turn to send a query for the requester. */
  readonly takeTurn: (nowMillis: number, requester: string) => Turn
  readonly canResend: (nowMillis: number) => boolean
}

/** A time at which a query may be sent. */
export interface Turn {
  readonly delayMillis: number
  /** Gives the turn to others; if nobody did so, queries that are stopped again and again would delay all others. */
  readonly giveBack: () => void
}

/** Makes a function that finds the destination at an address. */
export const makeDestinations = (
  limits: DestinationLimits,
  processSemaphore: FairSemaphore
): ((address: string, nowMillis: number) => Destination) => {
  const find = keepRecent(maxDestinations, () => makeDestination(limits, processSemaphore))
  return (address, now) => {
    const destination = find(address)
    destination.expire(now)
    return destination
  }
}

/** Makes a function that finds or makes the value of a key, and keeps those that were used last. */
const keepRecent = <V>(capacity: number, make: () => V): ((key: string) => V) => {
  const known = new Map<string, V>()
  return (key) => {
    const value = known.get(key) ?? make()
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > capacity && oldest !== undefined) known.delete(oldest)
    return value
  }
}

interface KnownDestination extends Destination {
  /** Withdraws the limits of a server that answers, if the last useful answer was long ago. */
  readonly expire: (nowMillis: number) => void
}

const makeDestination = (limits: DestinationLimits, processSemaphore: FairSemaphore): KnownDestination => {
  const { maxInFlight, maxUnprovenInFlight, queriesPerSecond, unprovenPerSecond, uselessPerSecond } = limits
  const semaphore = makeFairSemaphore({ ...withReserve(maxUnprovenInFlight), maxQueued })
  const pacer = makePacer({ perSecond: queriesPerSecond, burst: Math.ceil(queriesPerSecond / 2) })
  const unprovenPacer = makePacer({ perSecond: unprovenPerSecond, burst: unprovenPerSecond })
  const probePacer = makePacer({ perSecond: unprovenPerSecond / 2, burst: unprovenPerSecond / 2 })
  const probeSemaphore = makeFairSemaphore({ permits: maxProbes, maxQueued })
  let isProven = false
  let answeredAt = -Infinity
  let usefulAt = -Infinity
  const setProven = (proven: boolean) => {
    if (isProven === proven) return
    isProven = proven
    semaphore.resize(withReserve(proven ? maxInFlight : maxUnprovenInFlight))
  }
  /**
   * A useful answer gives its turn back, so that only the other queries are spaced. The burst has a turn for each
   * query in flight: where all answers are useful, none has to wait.
   */
  const uselessPacerOf = keepRecent(maxRequesters, () => makePacer({ perSecond: uselessPerSecond, burst: maxInFlight }))
  const makeLane = (places: FairSemaphore, listPacers: (requester: string) => ReadonlyArray<Pacer>): Lane => ({
    semaphores: [places, processSemaphore],
    canResend: makePacer({ perSecond: unprovenPerSecond / 2, burst: Math.ceil(unprovenPerSecond / 2) }).tryTurn,
    takeTurn: (now, requester) => {
      const pacers = listPacers(requester)
      return {
        delayMillis: Math.max(...pacers.map(({ takeTurn }) => takeTurn(now))),
        giveBack: () => pacers.forEach(({ returnTurn }) => returnTurn())
      }
    }
  })
  return {
    queries: makeLane(semaphore, (requester) => (isProven ? [pacer, uselessPacerOf(requester)] : [unprovenPacer])),
    probes: makeLane(probeSemaphore, () => [probePacer]),
    isProven: () => isProven,
    hasAnsweredSince: (millis) => answeredAt >= millis,
    noteUselessAnswer: (now) => {
      answeredAt = now
    },
    noteUsefulAnswer: (now, requester) => {
      answeredAt = now
      usefulAt = now
      setProven(true)
      uselessPacerOf(requester).returnTurn()
    },
    expire: (now) => setProven(isProven && now - usefulAt < provenMillis)
  }
}

/** A quarter of the places is for requesters that have few. */
const withReserve = (permits: number) => ({ permits, reserved: Math.floor(permits / 4) })

/**
 * In flight to one address, one of each requester; with all their tries and timeouts that is some dozen packets a
 * second.
 */
const maxProbes = 8

const maxDestinations = 10_000
const maxRequesters = 1_000
const provenMillis = 60_000

/** Queries that wait for one address; at 500 a second they need as long as a query may wait. */
const maxQueued = 1_000
