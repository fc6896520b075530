import { type FairSemaphore, makeFairSemaphore } from "../../runtime/FairSemaphore.ts"
import { LruMap } from "../../runtime/LruMap.ts"
import { makePacer, type Pacer } from "./Pacer.ts"

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
  /** Queries per second to any other address, after a burst of as many; half of it are the retransmissions to every address. */
  readonly unprovenPerSecond: number
}

/** The limits unless `DnsClient.layer` sets others; `DNS_QUERIES_PER_SECOND` sets one of them. */
export const defaultLimits: DestinationLimits = {
  maxInFlight: 64,
  maxUnprovenInFlight: 4,
  queriesPerSecond: 500,
  uselessPerSecond: 40,
  unprovenPerSecond: 12
}

/** A server at an address, and its limits, which depend on whether it answers. */
export interface Destination {
  readonly queries: QueryLimits
  /** For probes by requesters that it was silent for: they leave the permits and send times of the others alone. */
  readonly probes: QueryLimits
  /** Whether it gave somebody a useful answer in the last minute. `FailureMemory` remembers its silence by requester. */
  readonly isProven: () => boolean
  /** Whether it has sent any response since then. */
  readonly hasAnsweredSince: (millis: number) => boolean
  /** Notes a response that is no use to its requester. */
  readonly noteUselessAnswer: (nowMillis: number) => void
  /** Notes a response that has authority for the zone, or refers to a zone below. */
  readonly noteUsefulAnswer: (nowMillis: number, requester: string) => void
}

/** Permits and send times for queries to one address. */
export interface QueryLimits {
  /** Permits of the address, then of the process. */
  readonly semaphores: ReadonlyArray<FairSemaphore>
  /** Reserves the next time at which a query of the requester may be sent. */
  readonly reserveSendTime: (nowMillis: number, requester: string) => SendTime
  readonly canResend: (nowMillis: number) => boolean
}

/** A time at which a query may be sent. */
export interface SendTime {
  readonly delayMillis: number
  /** Leaves the time to others; if nobody did so, queries that are stopped again and again would delay all others. */
  readonly release: () => void
}

/** Makes a function that finds the destination at an address. */
export const makeDestinations = (
  limits: DestinationLimits,
  processSemaphore: FairSemaphore
): ((address: string, nowMillis: number) => Destination) => {
  const known = new LruMap<string, KnownDestination>(maxDestinations)
  return (address, now) => {
    const destination = known.get(address) ?? makeDestination(limits, processSemaphore)
    known.set(address, destination)
    destination.expire(now)
    return destination
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
  const uselessPacers = new LruMap<string, Pacer>(maxRequesters)
  /**
   * A useful answer releases the send time of its query, so that only the other queries are spaced. The burst has a send
   * time for each query in flight: where all answers are useful, none has to wait.
   */
  const findUselessPacer = (requester: string): Pacer => {
    const found = uselessPacers.get(requester) ?? makePacer({ perSecond: uselessPerSecond, burst: maxInFlight })
    uselessPacers.set(requester, found)
    return found
  }
  const makeQueryLimits = (
    addressSemaphore: FairSemaphore,
    listPacers: (requester: string) => ReadonlyArray<Pacer>
  ): QueryLimits => ({
    semaphores: [addressSemaphore, processSemaphore],
    canResend: makePacer({ perSecond: unprovenPerSecond / 2, burst: Math.ceil(unprovenPerSecond / 2) }).tryReserve,
    reserveSendTime: (now, requester) => {
      const pacers = listPacers(requester)
      return {
        delayMillis: Math.max(...pacers.map(({ reserve }) => reserve(now))),
        release: () => pacers.forEach(({ release }) => release())
      }
    }
  })
  return {
    queries: makeQueryLimits(semaphore, (requester) =>
      isProven ? [pacer, findUselessPacer(requester)] : [unprovenPacer]
    ),
    probes: makeQueryLimits(probeSemaphore, () => [probePacer]),
    isProven: () => isProven,
    hasAnsweredSince: (millis) => answeredAt >= millis,
    noteUselessAnswer: (now) => {
      answeredAt = now
    },
    noteUsefulAnswer: (now, requester) => {
      answeredAt = now
      usefulAt = now
      setProven(true)
      findUselessPacer(requester).release()
    },
    expire: (now) => setProven(isProven && now - usefulAt < provenMillis)
  }
}

/** A quarter of the permits is for requesters that have few. */
const withReserve = (permits: number) => ({ permits, reserved: Math.floor(permits / 4) })

/** In flight to one address, one of each requester; with all their tries and timeouts that is some dozen packets a second. */
const maxProbes = 8

const maxDestinations = 10_000
const maxRequesters = 1_000
const provenMillis = 60_000

/** Queries that wait for one address; at 500 a second they need as long as a query may wait. */
const maxQueued = 1_000
