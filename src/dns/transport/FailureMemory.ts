import type { NoAnswerReason } from "../../domain/RecordObservation.ts"
import { makeFairMap } from "./FairMap.ts"
import { countRefused } from "./countRefused.ts"
import { makeFailedQuery, type Query, type QueryOutcome } from "./Query.ts"

/**
 * Remembers for a short time which servers failed: an address that was silent, for the owner that it was silent for, and
 * an address that refused a zone, does not understand queries for it or is lame for it, for all owners. Many servers are
 * silent about zones that they do not serve, so somebody's silent domain says nothing about the domains of others.
 */
export interface FailureMemory {
  /**
   * Lets a query through to a server without a remembered failure. Of those to another one, one at a time is let through
   * as a probe of its owner; the owner's others wait for its outcome, and fail with the remembered reason if it fails too.
   */
  readonly guard: <A>(server: ServerOfZone, makeQuery: (isProbe: boolean) => Query<A>) => Query<A>
  /** Why the server failed, if it did shortly before. */
  readonly recall: (server: ServerOfZone) => NoAnswerReason | undefined
  /** That the address was silent, or had no place for the owner while it answered nobody. */
  readonly rememberSilence: (server: ServerOfZone, reason: NoAnswerReason) => void
  readonly rememberRefusal: (server: ServerOfZone, reason: NoAnswerReason) => void
  readonly forgetSilence: (server: ServerOfZone) => void
  readonly forgetRefusal: (server: ServerOfZone) => void
}

/** An address as the server of one zone, queried on behalf of an owner (see `QueryOwner`). */
export interface ServerOfZone {
  readonly address: string
  readonly zone: string
  readonly owner: string
}

export const makeFailureMemory = (): FailureMemory => {
  const silences = makeFairMap<RememberedFailure>(maxFailures)
  /** The oldest are forgotten first. */
  const refusals = new Map<string, RememberedFailure>()
  const isEmpty = () => refusals.size === 0 && silences.isEmpty()

  const isCurrent = (failure: RememberedFailure) => failure.expiresAt > now()
  const isExpired = (failure: RememberedFailure) => !isCurrent(failure) && failure.probes.size === 0
  const findSilence = ({ address, owner }: ServerOfZone): RememberedFailure | undefined => {
    const failure = silences.get(owner, address)
    if (failure !== undefined && isExpired(failure)) silences.delete(owner, address)
    return failure
  }
  const findRefusal = (server: ServerOfZone): RememberedFailure | undefined => {
    const failure = refusals.get(keyOf(server))
    if (failure !== undefined && isExpired(failure)) refusals.delete(keyOf(server))
    return failure
  }
  const find = (server: ServerOfZone): RememberedFailure | undefined => {
    if (isEmpty()) return undefined
    const silence = findSilence(server)
    if (silence !== undefined && isCurrent(silence)) return silence
    const refusal = findRefusal(server)
    return refusal !== undefined && isCurrent(refusal) ? refusal : undefined
  }

  const probe = <A>(
    { probes }: RememberedFailure,
    owner: string,
    query: Query<A>,
    onOutcome: (outcome: QueryOutcome<A>) => void
  ) => {
    const waiting = new Set<() => void>()
    probes.set(owner, waiting)
    const end = () => {
      probes.delete(owner)
      waiting.forEach((restart) => restart())
    }
    const stop = query((outcome) => {
      end()
      onOutcome(outcome)
    })
    return () => {
      stop()
      end()
    }
  }

  return {
    guard: (server, makeQuery) => (onOutcome) => {
      if (isEmpty()) return makeQuery(false)(onOutcome)
      let stop: (() => void) | undefined
      const start = (): (() => void) => {
        const failure = find(server)
        if (failure === undefined) return makeQuery(false)(onOutcome)
        const waiting = failure.probes.get(server.owner)
        if (waiting === undefined && now() >= failure.probeAt)
          return probe(failure, server.owner, makeQuery(true), onOutcome)
        if (waiting === undefined || waiting.size >= maxWaiting) {
          countRefused("remembered")
          return makeFailedQuery(failure.reason)(onOutcome)
        }
        waiting.add(restart)
        return () => waiting.delete(restart)
      }
      const restart = () => {
        stop = start()
      }
      restart()
      return () => stop?.()
    },
    recall: (server) => find(server)?.reason,
    rememberSilence: (server, reason) => silences.set(server.owner, server.address, renew(findSilence(server), reason)),
    rememberRefusal: (server, reason) => {
      const failure = renew(findRefusal(server), reason)
      refusals.delete(keyOf(server))
      refusals.set(keyOf(server), failure)
      const [oldest] = refusals.keys()
      if (refusals.size > maxFailures && oldest !== undefined) refusals.delete(oldest)
    },
    forgetSilence: ({ address, owner }) => silences.delete(owner, address),
    forgetRefusal: (server) => {
      if (refusals.size > 0) refusals.delete(keyOf(server))
    }
  }
}

const now = () => performance.now()

interface RememberedFailure {
  readonly reason: NoAnswerReason
  readonly expiresAt: number
  /** The next probe is not before. */
  readonly probeAt: number
  /** The probes in flight, by owner, with the queries that wait for each. */
  readonly probes: Map<string, Set<() => void>>
}

/** A failure that was observed now, whether it was remembered before or not. */
const renew = (failure: RememberedFailure | undefined, reason: NoAnswerReason): RememberedFailure => ({
  reason,
  expiresAt: now() + rememberedMillis,
  probeAt: now() + probeIntervalMillis,
  probes: failure?.probes ?? new Map<string, Set<() => void>>()
})

const keyOf = ({ address, zone }: ServerOfZone): string => `${address} ${zone}`

const rememberedMillis = 30_000

/** The longest time for which a server that works again is taken for failed, once somebody asks it. */
const probeIntervalMillis = 500

/** Of silences, and of refusals. A server whose failure was forgotten gets a query more, within the limits of its address. */
const maxFailures = 10_000

/** Queries of one owner that wait for a probe. */
const maxWaiting = 1_000
