import type { NoAnswerReason } from "../../domain/RecordObservation.ts"
import { countRefused } from "./countRefused.ts"
import { makeFailedQuery, type Query, type QueryOutcome } from "./Query.ts"

/**
 * Remembers for a short time which servers failed: an address that was silent, and an address that refused a zone, does
 * not understand queries for it or is lame for it.
 */
export interface FailureMemory {
  /**
   * Lets a query through to a server without a remembered failure. Of those to another one, one at a time is let through
   * as a probe; the others wait for its outcome, and fail with the remembered reason if it fails as well.
   */
  readonly guard: <A>(server: ServerOfZone, makeQuery: (isProbe: boolean) => Query<A>) => Query<A>
  /** Why the server failed, if it did shortly before. */
  readonly recall: (server: ServerOfZone) => NoAnswerReason | undefined
  readonly rememberSilence: (server: ServerOfZone, reason: NoAnswerReason) => void
  readonly rememberRefusal: (server: ServerOfZone, reason: NoAnswerReason) => void
  readonly forgetSilence: (server: ServerOfZone) => void
  readonly forgetRefusal: (server: ServerOfZone) => void
}

/** An address as the server of one zone. */
export interface ServerOfZone {
  readonly address: string
  readonly zone: string
}

export const makeFailureMemory = (): FailureMemory => {
  const failures = new Map<string, RememberedFailure>()
  const findCurrent = (key: string): RememberedFailure | undefined => {
    const failure = failures.get(key)
    if (failure === undefined || failure.expiresAt > now()) return failure
    if (failure.waiting === undefined) failures.delete(key)
    return undefined
  }
  const find = (server: ServerOfZone): RememberedFailure | undefined =>
    failures.size === 0 ? undefined : (findCurrent(server.address) ?? findCurrent(keyOf(server)))

  const remember = (key: string, reason: NoAnswerReason) => {
    const failure: RememberedFailure = failures.get(key) ?? { reason, expiresAt: 0, probeAt: 0, waiting: undefined }
    failure.reason = reason
    failure.expiresAt = now() + rememberedMillis
    failure.probeAt = now() + probeIntervalMillis
    failures.delete(key)
    failures.set(key, failure)
    if (failures.size <= maxFailures) return
    const [oldest] = failures.keys()
    if (oldest !== undefined) failures.delete(oldest)
  }
  const forget = (key: string) => {
    if (failures.size > 0) failures.delete(key)
  }

  const probe = <A>(failure: RememberedFailure, query: Query<A>, onOutcome: (outcome: QueryOutcome<A>) => void) => {
    const waiting = new Set<() => void>()
    failure.waiting = waiting
    const end = () => {
      failure.waiting = undefined
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
      if (failures.size === 0) return makeQuery(false)(onOutcome)
      let stop: (() => void) | undefined
      const start = (): (() => void) => {
        const failure = find(server)
        if (failure === undefined) return makeQuery(false)(onOutcome)
        if (failure.waiting === undefined && now() >= failure.probeAt) return probe(failure, makeQuery(true), onOutcome)
        const { waiting } = failure
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
    rememberSilence: ({ address }, reason) => remember(address, reason),
    rememberRefusal: (server, reason) => remember(keyOf(server), reason),
    forgetSilence: ({ address }) => forget(address),
    forgetRefusal: (server) => {
      if (failures.size > 0) forget(keyOf(server))
    }
  }
}

const now = () => performance.now()

interface RememberedFailure {
  reason: NoAnswerReason
  expiresAt: number
  /** The next probe is not before. */
  probeAt: number
  /** The queries that wait for the probe in flight, if there is one. */
  waiting: Set<() => void> | undefined
}

const keyOf = ({ address, zone }: ServerOfZone): string => `${address} ${zone}`

const rememberedMillis = 30_000

/** The longest time for which a server that works again is taken for failed, once somebody asks it. */
const probeIntervalMillis = 500

const maxFailures = 10_000
const maxWaiting = 1_000
