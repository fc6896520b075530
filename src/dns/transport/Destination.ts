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
  /** Queries per second to any other address, after a burst of as many; half of it are the retransmissions to every address. */
  readonly unprovenPerSecond: number
}

/** The limits unless `DnsClient.layer` sets others; `DNS_QUERIES_PER_SECOND` sets one of them. */
export const defaultLimits: DestinationLimits = {
  maxInFlight: 64,
  maxUnprovenInFlight: 4,
  queriesPerSecond: 500,
  unprovenPerSecond: 20
}

/** A server at an address, and its limits, which depend on whether it answers. */
export interface Destination {
  readonly queries: Lane
  /** For probes by owners that it was silent for: they leave the places and turns of the other owners alone. */
  readonly probes: Lane
  /** Whether it gave somebody a useful answer in the last minute. Its silence is remembered by owner (`FailureMemory`). */
  readonly isProven: () => boolean
  /** Whether it has sent any response since then. */
  readonly hasAnsweredSince: (millis: number) => boolean
  /** Notes a response. It is useful if it has authority for the zone, or refers to a zone below. */
  readonly noteAnswer: (nowMillis: number, isUseful: boolean) => void
}

/** Places and turns for queries to one address. */
export interface Lane {
  /** Permits of the address, then of the process. */
  readonly semaphores: ReadonlyArray<FairSemaphore>
  /** Takes the next turn to send a query. */
  readonly takeTurn: (nowMillis: number) => Turn
  readonly canResend: (nowMillis: number) => boolean
}

/** A time at which a query may be sent. */
export interface Turn {
  readonly delayMillis: number
  /** Gives the turn to others; if nobody did so, queries that are stopped again and again would delay all others. */
  readonly giveBack: () => void
}

/** Makes a function that finds the destination at an address; it keeps the 10,000 that were used last. */
export const makeDestinations = (
  limits: DestinationLimits,
  processSemaphore: FairSemaphore
): ((address: string, nowMillis: number) => Destination) => {
  const known = new Map<string, KnownDestination>()
  return (address, now) => {
    const destination = known.get(address) ?? makeDestination(limits, processSemaphore)
    known.delete(address)
    known.set(address, destination)
    if (known.size > maxDestinations) {
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    }
    destination.expire(now)
    return destination
  }
}

interface KnownDestination extends Destination {
  /** Withdraws the limits of a server that answers, if the last useful answer was long ago. */
  readonly expire: (nowMillis: number) => void
}

const makeDestination = (limits: DestinationLimits, processSemaphore: FairSemaphore): KnownDestination => {
  const { maxInFlight, maxUnprovenInFlight, queriesPerSecond, unprovenPerSecond } = limits
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
  const makeLane = (places: FairSemaphore, choosePacer: () => Pacer): Lane => ({
    semaphores: [places, processSemaphore],
    canResend: makePacer({ perSecond: unprovenPerSecond / 2, burst: Math.ceil(unprovenPerSecond / 2) }).tryTurn,
    takeTurn: (now) => {
      const { returnTurn, takeTurn } = choosePacer()
      return { delayMillis: takeTurn(now), giveBack: returnTurn }
    }
  })
  return {
    queries: makeLane(semaphore, () => (isProven ? pacer : unprovenPacer)),
    probes: makeLane(probeSemaphore, () => probePacer),
    isProven: () => isProven,
    hasAnsweredSince: (millis) => answeredAt >= millis,
    noteAnswer: (now, isUseful) => {
      answeredAt = now
      if (!isUseful) return
      usefulAt = now
      setProven(true)
    },
    expire: (now) => setProven(isProven && now - usefulAt < provenMillis)
  }
}

/** A quarter of the places is for owners that have few. */
const withReserve = (permits: number) => ({ permits, reserved: Math.floor(permits / 4) })

/** In flight to one address, one of each owner; with all their tries and timeouts that is some dozen packets a second. */
const maxProbes = 8

const maxDestinations = 10_000
const provenMillis = 60_000

/** Queries that wait for one address; at 500 a second they need as long as a query may wait. */
const maxQueued = 1_000
