import { icannDomainOf } from "../domain/names/DomainName.ts"
import { LruMap } from "./BoundedMap.ts"
import { type FairQueue, makeFairQueue } from "./FairQueue.ts"
import { makePacer, type Pacer } from "./Pacer.ts"

/** The limits of the queries to one address found in DNS, over all requesters. */
export interface DestinationLimits {
  /** Queries in flight to an address useful in the last minute; one without a useful answer counts a second longer. */
  readonly maxInFlight: number
  /** Queries in flight to any other address. */
  readonly maxUnprovenInFlight: number
  /** Queries per second to an address that gave a useful answer in the last minute, after a burst of half as many. */
  readonly queriesPerSecond: number
  /** Queries per second to other addresses, burst as many; retransmissions to any address half, burst a quarter. */
  readonly unprovenPerSecond: number
}

/** The limits unless `DnsClient.layer` sets others; `DNS_QUERIES_PER_SECOND` sets one of them. */
export const defaultLimits: DestinationLimits = {
  maxInFlight: 36,
  maxUnprovenInFlight: 4,
  queriesPerSecond: 500,
  unprovenPerSecond: 12
}

/** A server at an address, and its limits, which depend on whether it answers. */
export interface Destination {
  readonly queries: QueryLimits
  /** The limits for trials after silence; separate, so that trials use up nobody else's permits and send times. */
  readonly trials: QueryLimits
  /** Whether any requester got a useful answer in the last minute; `FailureMemory` keeps silence by requester. */
  readonly isProven: () => boolean
  readonly hasAnsweredSince: (millis: number) => boolean
  /** Whether queries to it have EDNS: not while it seems to drop those. */
  readonly takesEdns: (nowMillis: number) => boolean
  /** Notes a response to a query that had EDNS in its first packet only. */
  readonly noteEdnsAnswer: (isToRepetition: boolean, nowMillis: number) => void
  /** Notes a response that is no use to its requester. */
  readonly noteUselessAnswer: (nowMillis: number) => void
  /** Notes a response that has authority for the zone, or refers to a zone below. */
  readonly noteUsefulAnswer: (nowMillis: number) => void
}

/** Permits and send times for queries to one address. */
export interface QueryLimits {
  /** Give a permit of the address, then one of the process. */
  readonly queues: ReadonlyArray<FairQueue>
  /** The time for which a query without a useful answer keeps its permit of the address after its end. */
  readonly uselessKeptMillis: () => number
  readonly reserveSendTime: (nowMillis: number) => SendTime
  readonly canResend: (nowMillis: number) => boolean
}

/** A time at which a query may be sent. */
export interface SendTime {
  readonly delayMillis: number
  /** Returns the unused send time; otherwise queries that are stopped repeatedly would delay all others. */
  readonly release: () => void
}

export const makeDestinations = (
  limits: DestinationLimits,
  processQueue: FairQueue
): ((address: string, nowMillis: number) => Destination) => {
  const known = new LruMap<string, KnownDestination>(maxDestinations)
  return (address, now) => {
    const destination = known.getOrMake(address, () => makeDestination(limits, processQueue))
    destination.expire(now)
    return destination
  }
}

/** The limits of the questions about names of one registered domain. */
interface DomainLimits {
  /** A question without records of its type keeps its permit for `uselessKeptMillis` after its end. */
  readonly queue: FairQueue
  readonly pacer: Pacer
}

/** Finds the limits for names that resolvers query: by registered domain, over all requesters and resolvers. */
export const makeDomainLimits = ({
  maxInFlight,
  queriesPerSecond
}: Pick<DestinationLimits, "maxInFlight" | "queriesPerSecond">): ((name: string) => DomainLimits) => {
  const known = new LruMap<string, DomainLimits>(maxDestinations)
  return (name) =>
    known.getOrMake(icannDomainOf(name), () => ({
      queue: makeFairQueue({ ...withReserve(maxInFlight), maxQueued, isFewestFirst: true }),
      pacer: makePacer({ perSecond: queriesPerSecond })
    }))
}

interface KnownDestination extends Destination {
  /** Withdraws the limits of a server that answers, if the last useful answer was long ago. */
  readonly expire: (nowMillis: number) => void
}

const makeDestination = (limits: DestinationLimits, processQueue: FairQueue): KnownDestination => {
  const { maxInFlight, maxUnprovenInFlight, queriesPerSecond, unprovenPerSecond } = limits
  const queue = makeFairQueue({ ...withReserve(maxUnprovenInFlight), maxQueued, isFewestFirst: true })
  const pacer = makePacer({ perSecond: queriesPerSecond })
  const unprovenPacer = makePacer({ perSecond: unprovenPerSecond, burst: unprovenPerSecond })
  const trialPacer = makePacer({ perSecond: unprovenPerSecond / 2, burst: unprovenPerSecond / 2 })
  const resendPacer = makePacer({ perSecond: unprovenPerSecond / 2, burst: Math.ceil(unprovenPerSecond / 4) })
  const trialQueue = makeFairQueue({ permits: maxTrials, maxQueued })
  let isProven = false
  let answeredAt = -Infinity
  let usefulAt = -Infinity
  let repetitionsAnswered = 0
  let plainUntil = -Infinity
  const setProven = (proven: boolean) => {
    if (isProven === proven) return
    isProven = proven
    queue.resize(withReserve(proven ? maxInFlight : maxUnprovenInFlight))
  }
  const makeQueryLimits = (addressQueue: FairQueue, findPacer: () => Pacer): QueryLimits => ({
    queues: [addressQueue, processQueue],
    uselessKeptMillis: () => (isProven ? uselessKeptMillis : 0),
    canResend: resendPacer.tryReserve,
    reserveSendTime: (now) => {
      const { release, reserve } = findPacer()
      return { delayMillis: reserve(now), release }
    }
  })
  return {
    queries: makeQueryLimits(queue, () => (isProven ? pacer : unprovenPacer)),
    trials: makeQueryLimits(trialQueue, () => trialPacer),
    isProven: () => isProven,
    hasAnsweredSince: (millis) => answeredAt >= millis,
    takesEdns: (now) => now >= plainUntil,
    noteEdnsAnswer: (isToRepetition, now) => {
      repetitionsAnswered = isToRepetition ? repetitionsAnswered + 1 : 0
      if (repetitionsAnswered >= minRepetitionsAnswered) plainUntil = now + plainMillis
    },
    noteUselessAnswer: (now) => {
      answeredAt = now
    },
    noteUsefulAnswer: (now) => {
      answeredAt = now
      usefulAt = now
      setProven(true)
    },
    expire: (now) => setProven(isProven && now - usefulAt < provenMillis)
  }
}

/** Some of the permits are only for requesters that have fewer, so that a new one rarely waits for others. */
const withReserve = (permits: number) => ({ permits, reserved: Math.ceil(permits / 9) })

/** How long a useless query keeps its permit: its packets over UDP and TCP then never fall into one second. */
export const uselessKeptMillis = 1_000

/** Trials in flight to one address, one for each requester: some dozen packets a second with all retries. */
const maxTrials = 8

/** Addresses, registered domains, or requesters of resolvers, whose limits are known. */
export const maxDestinations = 10_000
const provenMillis = 60_000

/** So many repetitions in a row are answered only by a server that drops EDNS, hardly by one that loses packets. */
const minRepetitionsAnswered = 3
/** How long such a server is asked without EDNS, before it gets another chance. */
const plainMillis = 60_000

/** Queries that wait for one address or registered domain; at 500 a second they need as long as a query may wait. */
const maxQueued = 1_000
