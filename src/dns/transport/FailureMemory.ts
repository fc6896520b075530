import type { NoAnswerReason } from "../../domain/plan/RecordObservation.ts"
import { makeFairMap } from "../../limits/BoundedMap.ts"
import { countRefused, makeFailedQuery, type Query, type QueryOutcome } from "./Query.ts"

/**
 * Remembers shortly, for each requester, which addresses were silent, and which are lame, refuse or do not understand a
 * zone. Other requesters are not affected: many servers are silent about foreign zones, which anybody can ask for.
 */
export interface FailureMemory {
  /** After a failure, one query at a time passes as a trial; others of the requester wait, and fail if it fails. */
  readonly guard: <A>(server: ServerOfZone, makeQuery: (trialAfter: FailureKind | undefined) => Query<A>) => Query<A>
  /** Why the server failed, if it did shortly before. */
  readonly recall: (server: ServerOfZone) => NoAnswerReason | undefined
  /** Reports that the address was silent, or had no permit for the requester while it answered nobody. */
  readonly rememberSilence: (server: ServerOfZone, reason: NoAnswerReason) => void
  readonly rememberRefusal: (server: ServerOfZone, reason: NoAnswerReason) => void
  readonly forgetSilence: (server: ServerOfZone) => void
  readonly forgetRefusal: (server: ServerOfZone) => void
}

/** A silence concerns an address, a refusal an address and a zone. */
export type FailureKind = "silence" | "refusal"

/** An address as the server of one zone, queried on behalf of a requester (see `Requester`). */
export interface ServerOfZone {
  readonly address: string
  readonly zone: string
  readonly requester: string
}

export const makeFailureMemory = (): FailureMemory => {
  const failures = makeFairMap<RememberedFailure>(maxFailures)

  const findOf = (kind: FailureKind, server: ServerOfZone): RememberedFailure | undefined => {
    const key = keyOf(kind, server)
    const failure = failures.get(server.requester, key)
    if (failure === undefined || failure.expiresAt > now()) return failure
    if (failure.trial.waiting === undefined) failures.delete(server.requester, key)
    return undefined
  }
  const find = (server: ServerOfZone): RememberedFailure | undefined =>
    failures.isEmpty() ? undefined : (findOf("silence", server) ?? findOf("refusal", server))
  const remember = (kind: FailureKind, server: ServerOfZone, reason: NoAnswerReason) => {
    const key = keyOf(kind, server)
    failures.set(server.requester, key, {
      kind,
      reason,
      expiresAt: now() + rememberedMillis,
      trialAt: now() + trialIntervalMillis,
      trial: failures.get(server.requester, key)?.trial ?? { waiting: undefined }
    })
  }
  const forget = (kind: FailureKind, server: ServerOfZone) => {
    if (!failures.isEmpty()) failures.delete(server.requester, keyOf(kind, server))
  }
  return {
    guard: (server, makeQuery) => (onOutcome) => {
      if (failures.isEmpty()) return makeQuery(undefined)(onOutcome)
      let stop: (() => void) | undefined
      const start = (): (() => void) => {
        const failure = find(server)
        if (failure === undefined) return makeQuery(undefined)(onOutcome)
        const { waiting } = failure.trial
        if (waiting === undefined && now() >= failure.trialAt) {
          return sendTrial(failure.trial, makeQuery(failure.kind), onOutcome)
        }
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
    rememberSilence: (server, reason) => remember("silence", server, reason),
    rememberRefusal: (server, reason) => remember("refusal", server, reason),
    forgetSilence: (server) => forget("silence", server),
    forgetRefusal: (server) => forget("refusal", server)
  }
}

const sendTrial = <A>(trial: Trial, query: Query<A>, onOutcome: (outcome: QueryOutcome<A>) => void): (() => void) => {
  const waiting = new Set<() => void>()
  trial.waiting = waiting
  const end = () => {
    trial.waiting = undefined
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

const now = () => performance.now()

interface RememberedFailure {
  readonly kind: FailureKind
  readonly reason: NoAnswerReason
  readonly expiresAt: number
  /** The next trial is not before. */
  readonly trialAt: number
  /** A failure that is observed again goes on with the trial that is in flight. */
  readonly trial: Trial
}

interface Trial {
  /** The queries that wait for the trial, while one is in flight. */
  waiting: Set<() => void> | undefined
}

const keyOf = (kind: FailureKind, { address, zone }: ServerOfZone): string =>
  kind === "silence" ? address : `${address} ${zone}`

const rememberedMillis = 30_000

/** The longest time for which a server that works again counts as failed after the next query to it. */
const trialIntervalMillis = 500

/** A server whose failure was forgotten gets a query more, within the limits of its address. */
const maxFailures = 20_000

/** Queries of one requester that wait for a trial. */
const maxWaiting = 1_000
