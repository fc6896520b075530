import { expect } from "bun:test"
import { DateTime, Duration, Either, Equal, FastCheck as fc, Option } from "effect"
import { type ConnectionState, FailureCode, finalStates } from "../../../src/domain/connection/Connection.ts"
import {
  type ConnectionRecord,
  type Consent,
  makeInitialProgress,
  mustRestore
} from "../../../src/domain/connection/ConnectionRecord.ts"
import { Plan, PlanDigest } from "../../../src/domain/plan/Plan.ts"
import type { Phase } from "../../../src/domain/connection/Transition.ts"
import type { Warning } from "../../../src/domain/plan/Warning.ts"
import { decideApproval } from "../../../src/lifecycle/commands/approvePlan.ts"
import { decideAuthorization } from "../../../src/lifecycle/commands/authorizeWithCredential.ts"
import { LifecycleEvent, type VerifiedControl } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { holdsHosts } from "../../../src/lifecycle/state/controlState.ts"
import { listUnprovenHosts } from "../../../src/lifecycle/state/provenHosts.ts"
import { findNextPhase } from "../../../src/lifecycle/state/findNextPhase.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"
import {
  applyEvents,
  authorized,
  consentTo,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failed,
  intentChanged,
  isPossible,
  noChanges,
  planned,
  planOf,
  restored,
  verified
} from "./connectionRecords.ts"
import { requestedConnection, samplePlan, sampleProvider } from "../../persistence/connectionFixtures.ts"
import { declareProperties } from "../../planning/declareProperties.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"

/** The runs of the properties take a minute and more on a busy machine. */

/** One transition in the history of a connection. */
interface ObservedTransition {
  readonly before: ConnectionRecord
  readonly event: LifecycleEvent
  readonly after: ConnectionRecord
  readonly at: DateTime.Utc
  /** The latest consent, unless it was withdrawn since. */
  readonly consent: Consent | undefined
}

/** The events of a command or a phase at a point in time, with the consent that a command gives. */
type Move = (
  current: ConnectionRecord,
  at: DateTime.Utc
) => { readonly events: ReadonlyArray<LifecycleEvent>; readonly consent?: Consent | undefined }

const always =
  (event: LifecycleEvent): Move =>
  () => ({ events: [event] })

const arbitraryDigest = fc.constantFrom(
  PlanDigest.make(`sha-256:${"a".repeat(64)}`),
  PlanDigest.make(`sha-256:${"b".repeat(64)}`)
)

const arbitraryWarnings = fc.subarray<Warning>(["mx_replaced", "ttl_adjusted"])

const arbitraryConsent: fc.Arbitrary<Consent> = fc.record({ digest: arbitraryDigest, acknowledged: arbitraryWarnings })

const arbitraryPlanAt = fc.record({ digest: arbitraryDigest, warnings: arbitraryWarnings, isEmpty: fc.boolean() }).map(
  ({ digest, isEmpty, warnings }) =>
    (at: DateTime.Utc) =>
      Plan.make({
        ...samplePlan,
        digest,
        warnings,
        changes: isEmpty ? noChanges : samplePlan.changes,
        expiresAt: DateTime.addDuration(at, defaultStateTimeouts.plan)
      })
)

const timeoutCodes: ReadonlyArray<FailureCode> = [
  "verification_timeout",
  "verification_mismatch",
  "manual_setup_timeout",
  "control_unproven",
  "control_lost"
]

const failures = FailureCode.literals.filter((code) => !timeoutCodes.includes(code))

const isTimedOut = ({ connection, progress }: ConnectionRecord, at: DateTime.Utc): boolean => {
  const limit =
    connection.state === "awaiting_manual" ? defaultStateTimeouts.awaitingManual : defaultStateTimeouts.verifying
  return DateTime.greaterThanOrEqualTo(at, DateTime.addDuration(progress.enteredAt, limit))
}

const verdict = fc.constantFrom("right" as const, "wrong" as const, "unknown" as const)

const arbitraryControl: fc.Arbitrary<VerifiedControl> = fc.oneof(
  { arbitrary: fc.constant<VerifiedControl>({ isRequired: false, isHolder: true }), weight: 2 },
  fc.boolean().map((isHolder): VerifiedControl => ({ provenBy: "challenge", isRequired: true, isHolder })),
  fc.boolean().map((isHolder): VerifiedControl => ({ isRequired: true, isHolder, challenge: "fresh" }))
)

const leftover = { host: "www", type: "A", value: "192.0.2.1" }

const likelyMoves: ReadonlyArray<fc.Arbitrary<Move>> = [
  fc
    .tuple(arbitraryPlanAt, fc.constantFrom(["direct_credential", "manual"] as const, ["manual"] as const))
    .map(([plan, methods]): Move => (_, at) => ({ events: [discovered(plan(at), methods)] })),
  fc.option(arbitraryConsent, { nil: undefined }).map((consent): Move => (current) => ({
    events: decideAuthorization(current, { consent: Option.fromNullable(consent) }),
    consent
  })),
  arbitraryPlanAt.map((plan): Move => (_, at) => ({ events: [planned(plan(at))] })),
  fc.tuple(arbitraryConsent, fc.subarray([leftover])).map(([consent, putBack]): Move => (current, at) => {
    const { events, refusal } = decideApproval(current, { ...consent, putBack }, at)
    return { events: Option.exists(refusal, ({ code }) => code !== "plan_expired") ? [] : events, consent }
  }),
  fc
    .record({
      authoritative: verdict,
      publicResolvers: verdict,
      isConfirmed: fc.boolean(),
      control: arbitraryControl
    })
    .map(({ authoritative, ...fields }): Move => (current, at) => ({
      events: [verified(authoritative, { ...fields, isTimedOut: isTimedOut(current, at) })]
    })),
  fc
    .constantFrom<LifecycleEvent>(
      LifecycleEvent.Applied(),
      LifecycleEvent.WriteDelayed({ resumesIn: Duration.minutes(1), hasWrites: true }),
      LifecycleEvent.ControlLost(),
      LifecycleEvent.ManualChosen({ isByLink: false }),
      LifecycleEvent.ProviderSelected({ provider: sampleProvider }),
      LifecycleEvent.AuthorizationOpened(),
      LifecycleEvent.Retried({ toChoice: false }),
      LifecycleEvent.Expired(),
      restored
    )
    .map(always)
]

const unlikelyMoves: ReadonlyArray<fc.Arbitrary<Move>> = [
  fc.constantFrom(...failures).map((code) => always(discoveryFailed(code))),
  fc.tuple(fc.constantFrom(...failures), fc.boolean()).map(([code, hasWrites]) => always(failed(code, hasWrites))),
  fc.boolean().map((hasCredential) => always(disconnectRequested(hasCredential))),
  fc.boolean().map((hasCredential) => always(intentChanged(hasCredential))),
  fc
    .constantFrom<LifecycleEvent>(
      LifecycleEvent.ManualAbandoned(),
      LifecycleEvent.AuthorizationClosed({ reason: Option.none() }),
      LifecycleEvent.PlanInvalidated({ code: "zone_changed" }),
      LifecycleEvent.RecheckRequested(),
      LifecycleEvent.Canceled()
    )
    .map(always)
]

const arbitraryMove = fc.oneof(
  ...likelyMoves.map((arbitrary) => ({ arbitrary, weight: 6 })),
  ...unlikelyMoves.map((arbitrary) => ({ arbitrary, weight: 1 }))
)

/** Some seconds after the previous one; makes the first possible one of its moves. */
interface Moment {
  readonly moves: ReadonlyArray<Move>
  readonly seconds: number
}

const arbitraryHistory: fc.Arbitrary<ReadonlyArray<Moment>> = fc.array(
  fc.record({
    moves: fc.array(arbitraryMove, { minLength: 8, maxLength: 8 }),
    seconds: fc.constantFrom(1, 60, 20 * 60, 13 * 60 * 60)
  }),
  { minLength: 20, maxLength: 40 }
)

const requestedRecord = (): ConnectionRecord => {
  const connection = requestedConnection()
  return { connection, progress: makeInitialProgress(connection) }
}

/** Histories start at a requested or a degraded connection. */
const arbitraryStart = fc.constantFrom(requestedRecord, () =>
  applyEvents(
    requestedRecord(),
    discovered(),
    authorized(Option.some(consentTo(planOf()))),
    planned(),
    LifecycleEvent.Applied(),
    verified("right"),
    verified("wrong", { isConfirmed: true })
  )
)

/** The transitions of a history. */
const play = (start: () => ConnectionRecord, moments: ReadonlyArray<Moment>): ReadonlyArray<ObservedTransition> => {
  const steps: Array<ObservedTransition> = []
  let current = start()
  let at = current.connection.updatedAt
  let consent: Consent | undefined
  for (const { moves, seconds } of moments) {
    at = DateTime.addDuration(at, Duration.seconds(seconds))
    const move = firstPossible(moves, current, at)
    for (const event of move?.events ?? []) {
      const before = current
      current = Either.getOrThrow(advance(before, event, at))
      consent = givesConsent.has(event._tag) ? move?.consent : withdrawsConsent.has(event._tag) ? undefined : consent
      steps.push({ before, event, after: current, at, consent })
    }
  }
  return steps
}

const firstPossible = (moves: ReadonlyArray<Move>, current: ConnectionRecord, at: DateTime.Utc) =>
  moves
    .map((move) => move(current, at))
    .find(({ events }) => {
      const end = events.reduce<ReturnType<typeof advance>>(
        (before, event) => Either.flatMap(before, (reached) => advance(reached, event, at)),
        Either.right(current)
      )
      return events.length > 0 && Either.isRight(end) && events.every((event) => isDue(event, current, at))
    })

/** Whether an event of a phase can happen now: only while that phase is the next one due. */
const isDue = ({ _tag }: LifecycleEvent, current: ConnectionRecord, at: DateTime.Utc): boolean => {
  const phase = phases[_tag]
  return (
    phase === undefined ||
    Option.exists(findNextPhase(current, defaultStateTimeouts, at), (next) => next.phase === phase)
  )
}

const phases: { readonly [Event in LifecycleEvent["_tag"]]?: Phase } = {
  Discovered: "discover",
  DiscoveryFailed: "discover",
  Planned: "provision",
  Applied: "provision",
  Verified: "verify",
  Restored: "restore",
  Expired: "expire"
}

const withdrawsConsent: ReadonlySet<LifecycleEvent["_tag"]> = new Set([
  "PlanInvalidated",
  "PutBackRequested",
  "IntentChanged"
] as const)

const givesConsent: ReadonlySet<LifecycleEvent["_tag"]> = new Set(["Authorized", "Approved"] as const)

const declareProperty = declareProperties({
  inputs: fc.record({ start: arbitraryStart, history: arbitraryHistory }),
  prepare: ({ history, start }) => play(start, history),
  numRuns: propertyRuns(400)
})

/** Declares a property of every transition. */
const property = (name: string, holds: (step: ObservedTransition) => void) =>
  declareProperty(name, (steps) => steps.forEach(holds))

property("a connection keeps to the table and never leaves a final state", ({ after, before, event }) => {
  expect(finalStates).not.toContain(before.connection.state)
  expect(transitionTable[event._tag][before.connection.state] ?? []).toContain(after.connection.state)
})

property("a connection keeps its owner and its creation time", ({ after, at }) => {
  const { applicationId, createdAt, id, tenantId, updatedAt } = after.connection
  const created = requestedConnection()
  expect({ applicationId, createdAt, id, tenantId, updatedAt }).toEqual({
    applicationId: created.applicationId,
    createdAt: created.createdAt,
    id: created.id,
    tenantId: created.tenantId,
    updatedAt: at
  })
})

property(
  "an intent counts until a new one is in the zone, and is replaced at once only while nothing of it is there",
  ({ after, before, event }) => {
    if (Equal.equals(after.connection.intent, before.connection.intent)) return
    if (event._tag === "IntentChanged") expect(mustRestore(before)).toBe(false)
    else {
      expect(after.connection.state).toBe("verifying")
      expect(after.connection.intent).toEqual(before.connection.pendingIntent?.intent ?? requestedConnection().intent)
      expect(after.connection.pendingIntent).toBeUndefined()
    }
  }
)

property("a new intent waits only where it can go on, and says to which state it returns", ({ after }) => {
  const { pendingIntent, state } = after.connection
  expect(after.progress.intentChange === undefined).toBe(pendingIntent === undefined)
  if (pendingIntent === undefined) return
  expect(["verifying", "active", "degraded", "disconnecting", ...finalStates]).not.toContain(state)
  expect(after.connection.direction).not.toBe("restore")
})

property(
  "a connection has a failure if it failed or waits because of one, and keeps it only when it is canceled",
  ({ after, before }) => {
    const { failure, state } = after.connection
    if (state === "canceled") expect(failure).toEqual(before.connection.failure)
    else if (state === "failed") expect(failure).toBeDefined()
    else if (failure !== undefined) expect(["awaiting_authorization", "degraded"]).toContain(state)
  }
)

property(
  "nothing is written without a consent to its changes and its serious warnings",
  ({ after: { connection }, at, before, consent, event }) => {
    const isWriting = connection.state === "applying" || connection.state === "disconnecting"
    if (!isWriting || (event._tag !== "Planned" && event._tag !== "Approved")) return
    const plan = event._tag === "Planned" ? event.plan : before.connection.plan
    if (connection.state === "disconnecting" && plan?.changes.length === 0) return
    if (plan === undefined || consent === undefined) throw new Error("written without a plan or without a consent")
    expect(consent.digest).toBe(plan.digest)
    if (plan.warnings.includes("mx_replaced")) expect(consent.acknowledged).toContain("mx_replaced")
    expect(DateTime.lessThan(at, plan.expiresAt)).toBe(true)
  }
)

property("a retry writes only if writing had begun, and only the same plan", ({ after, before, event }) => {
  if (event._tag !== "Retried" || after.connection.state !== "applying") return
  expect(before.connection.failure?.resumeState).toBe("applying")
  expect(before.connection.plan).toEqual(after.connection.plan)
})

property(
  "a removal is never undone, and never leads to a state of a connection that is served",
  ({ after, before }) => {
    if (before.connection.direction === "restore") expect(after.connection.direction).toBe("restore")
    if (after.connection.direction !== "restore") return
    const restoreStates: ReadonlyArray<ConnectionState> = [
      "awaiting_authorization",
      "authorizing",
      "authorized",
      "planned",
      "disconnecting",
      "failed",
      "disconnected"
    ]
    expect(restoreStates).toContain(after.connection.state)
  }
)

property("a connection never forgets that it wrote, and then only a disconnection ends it", ({ after, before }) => {
  if (!before.progress.hasWritten) return
  expect(after.progress.hasWritten).toBe(true)
  expect(["canceled", "expired"]).not.toContain(after.connection.state)
})

property("a connection that waits can always be ended, by cancel or by disconnect", ({ after }) => {
  const { direction, state } = after.connection
  const workingStates: ReadonlyArray<ConnectionState> = ["requested", "authorized", "applying", "disconnecting"]
  if (workingStates.includes(state) || finalStates.includes(state) || direction === "restore") return
  expect(isPossible(after, LifecycleEvent.Canceled()) || isPossible(after, disconnectRequested())).toBe(true)
})

property("a removal can always continue, by hand if necessary", ({ after }) => {
  const { direction, state } = after.connection
  if (direction !== "restore") return
  if (state === "awaiting_authorization")
    expect(isPossible(after, LifecycleEvent.ManualChosen({ isByLink: false }))).toBe(true)
  if (state === "failed") expect(isPossible(after, disconnectRequested())).toBe(true)
})

property("an attempt without a result is not repeated at once", ({ after, at, before, event }) => {
  const isSameState = after.connection.state === before.connection.state
  if (!isSameState || (event._tag !== "Verified" && event._tag !== "DiscoveryFailed")) return
  // A recheck or repair that was requested meanwhile is not delayed.
  if (event._tag === "Verified" ? after.progress.needsSurvey : after.progress.isRecheckRequested) return
  const next = findNextPhase(after, defaultStateTimeouts, at)
  expect(Option.exists(next, ({ inSeconds, phase }) => inSeconds > 0 || phase === "expire")).toBe(true)
})

property("a connection that is due to expire can expire", ({ after, at }) => {
  if (after.connection.state !== "awaiting_authorization") return
  const next = findNextPhase(after, defaultStateTimeouts, at)
  if (Option.exists(next, ({ phase }) => phase === "expire"))
    expect(isPossible(after, LifecycleEvent.Expired())).toBe(true)
})

property("a connection becomes active only with a right to its hosts", ({ after, before, event }) => {
  if (after.connection.state !== "active" || before.connection.state === "active") return
  // A connection that was active gives up its new intent; it would return to degraded if it had lost its hosts meanwhile.
  if (before.progress.intentChange?.returnsTo === "active") return
  if (event._tag !== "Verified") throw new Error(`active after ${event._tag}`)
  const { isHolder, isRequired, provenBy } = event.control
  expect(isHolder && (provenBy !== undefined || !isRequired)).toBe(true)
})

property("what was proven before control was lost proves nothing afterwards", ({ after, event }) => {
  if (event._tag !== "ControlLost") return
  expect(after.connection.control).toEqual({ status: "unproven" })
  expect(holdsHosts(after)).toBe(false)
  expect(after.connection.state).not.toBe("active")
})

property("control is shown as it is kept, and proven only with every host of the intent that counts", ({ after }) => {
  const { pendingIntent: _, ...connection } = after.connection
  const { control } = after.progress
  const unproven = listUnprovenHosts({ connection, progress: after.progress })
  if (control === undefined) expect(connection.control).toBeUndefined()
  else expect(connection.control?.status).toBe(unproven.length > 0 ? "unproven" : "proven")
})
