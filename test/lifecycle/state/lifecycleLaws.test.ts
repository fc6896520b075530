import { expect, test } from "bun:test"
import { DateTime, Duration, Either, FastCheck as fc, Option } from "effect"
import { type ConnectionState, FailureCode, finalStates } from "../../../src/domain/Connection.ts"
import { type ConnectionRecord, type Consent, initialProgress } from "../../../src/domain/ConnectionRecord.ts"
import type { Phase } from "../../../src/domain/Phase.ts"
import { Plan, PlanDigest, type Warning } from "../../../src/domain/Plan.ts"
import { decideApproval } from "../../../src/lifecycle/commands/approvePlan.ts"
import { decideAuthorization } from "../../../src/lifecycle/commands/authorizeWithCredential.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { nextDue } from "../../../src/lifecycle/state/nextDue.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"
import { requestedConnection, samplePlan } from "../../persistence/connectionFixtures.ts"
import {
  applyEvents,
  authorized,
  checked,
  consentTo,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failed,
  isPossible,
  noChanges,
  planned,
  planOf,
  restored
} from "./connectionRecords.ts"

/** One step that was taken on the way of a connection. */
interface Step {
  readonly before: ConnectionRecord
  readonly event: LifecycleEvent
  readonly after: ConnectionRecord
  readonly at: DateTime.Utc
  /** What was agreed to last, if nothing has taken it back since. */
  readonly consent: Consent | undefined
}

test("a connection keeps to the table and never leaves a final state", () =>
  onEveryStep(({ after, before, event }) => {
    expect(finalStates).not.toContain(before.connection.state)
    expect(transitionTable[event._tag][before.connection.state] ?? []).toContain(after.connection.state)
  }))

test("a connection stays whose it is, what was asked for, and since when", () =>
  onEveryStep(({ after, at }) => {
    const { applicationId, createdAt, id, intent, tenantId, updatedAt } = after.connection
    const first = requestedConnection()
    expect({ applicationId, createdAt, id, intent, tenantId, updatedAt }).toEqual({
      applicationId: first.applicationId,
      createdAt: first.createdAt,
      id: first.id,
      intent: first.intent,
      tenantId: first.tenantId,
      updatedAt: at
    })
  }))

test("a connection has a failure where it failed or waits because of one, and takes it along only when it is canceled", () =>
  onEveryStep(({ after, before }) => {
    const { failure, state } = after.connection
    if (state === "canceled") expect(failure).toEqual(before.connection.failure)
    else if (state === "failed") expect(failure).toBeDefined()
    else if (failure !== undefined) expect(["awaiting_authorization", "degraded"]).toContain(state)
  }))

test("nothing is written that nobody agreed to, changes and grave consequences both", () =>
  onEveryStep(({ after: { connection }, at, before, consent, event }) => {
    const isWriting = connection.state === "applying" || connection.state === "disconnecting"
    if (!isWriting || (event._tag !== "Planned" && event._tag !== "Approved")) return
    const plan = event._tag === "Planned" ? event.plan : before.connection.plan
    if (connection.state === "disconnecting" && plan?.changes.length === 0) return
    if (plan === undefined || consent === undefined) throw new Error("written without a plan or without a consent")
    expect(consent.digest).toBe(plan.digest)
    if (plan.warnings.includes("mx_replaced")) expect(consent.acknowledged).toContain("mx_replaced")
    expect(DateTime.lessThan(at, plan.expiresAt)).toBe(true)
  }))

test("writing that failed is taken up again only where it had begun", () =>
  onEveryStep(({ after, before, event }) => {
    if (event._tag !== "Retried" || after.connection.state !== "applying") return
    expect(before.connection.failure?.resumeState).toBe("applying")
    expect(before.connection.plan).toEqual(after.connection.plan)
  }))

test("a connection that is leaving stays so, and comes nowhere near being connected again", () =>
  onEveryStep(({ after, before }) => {
    if (before.connection.direction === "restore") expect(after.connection.direction).toBe("restore")
    if (after.connection.direction !== "restore") return
    const leaving: ReadonlyArray<ConnectionState> = [
      "awaiting_authorization",
      "authorizing",
      "authorized",
      "planned",
      "disconnecting",
      "failed",
      "disconnected"
    ]
    expect(leaving).toContain(after.connection.state)
  }))

test("what was written is never forgotten, and only a disconnection ends such a connection", () =>
  onEveryStep(({ after, before }) => {
    if (!before.progress.wrote) return
    expect(after.progress.wrote).toBe(true)
    expect(["canceled", "expired"]).not.toContain(after.connection.state)
  }))

test("whoever waits can always end it: by canceling, or by disconnecting what was written", () =>
  onEveryStep(({ after }) => {
    const { direction, state } = after.connection
    const works: ReadonlyArray<ConnectionState> = ["requested", "authorized", "applying", "disconnecting"]
    if (works.includes(state) || finalStates.includes(state) || direction === "restore") return
    expect(isPossible(after, LifecycleEvent.Canceled()) || isPossible(after, disconnectRequested())).toBe(true)
  }))

test("whoever leaves can always go on: by hand if need be", () =>
  onEveryStep(({ after }) => {
    const { direction, state } = after.connection
    if (direction !== "restore") return
    if (state === "awaiting_authorization") expect(isPossible(after, LifecycleEvent.ManualChosen())).toBe(true)
    if (state === "failed") expect(isPossible(after, disconnectRequested())).toBe(true)
  }))

test("what came to nothing is not tried again at once", () =>
  onEveryStep(({ after, at, before, event }) => {
    const isStill = after.connection.state === before.connection.state
    if (!isStill || (event._tag !== "Verified" && event._tag !== "DiscoveryFailed")) return
    // What somebody asked for meanwhile is not put off.
    if (event._tag === "Verified" ? after.progress.surveying : after.progress.urgent) return
    const next = nextDue(after, defaultStateTimeouts, at)
    expect(Option.exists(next, ({ inSeconds, phase }) => inSeconds > 0 || phase === "expire")).toBe(true)
  }))

test("what is due to expire may expire", () =>
  onEveryStep(({ after, at }) => {
    if (after.connection.state !== "awaiting_authorization") return
    const next = nextDue(after, defaultStateTimeouts, at)
    if (Option.exists(next, ({ phase }) => phase === "expire"))
      expect(isPossible(after, LifecycleEvent.Expired())).toBe(true)
  }))

/** What somebody does, or what is found out, at a moment, and what they agree to by it. */
type Move = (
  standing: ConnectionRecord,
  at: DateTime.Utc
) => { readonly events: ReadonlyArray<LifecycleEvent>; readonly consent?: Consent | undefined }

const always =
  (event: LifecycleEvent): Move =>
  () => ({ events: [event] })

const someDigest = fc.constantFrom(
  PlanDigest.make(`sha-256:${"a".repeat(64)}`),
  PlanDigest.make(`sha-256:${"b".repeat(64)}`)
)

const someWarnings = fc.subarray<Warning>(["mx_replaced", "ttl_adjusted"])

const someConsent: fc.Arbitrary<Consent> = fc.record({ digest: someDigest, acknowledged: someWarnings })

const somePlanAt = fc.record({ digest: someDigest, warnings: someWarnings, isEmpty: fc.boolean() }).map(
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

const seldom: ReadonlyArray<FailureCode> = ["verification_timeout", "verification_mismatch", "manual_setup_timeout"]

const failures = FailureCode.literals.filter((code) => !seldom.includes(code))

const isOver = ({ connection, progress }: ConnectionRecord, at: DateTime.Utc): boolean => {
  const limit =
    connection.state === "awaiting_manual" ? defaultStateTimeouts.awaitingManual : defaultStateTimeouts.verifying
  return DateTime.greaterThanOrEqualTo(at, DateTime.addDuration(progress.enteredAt, limit))
}

const verdict = fc.constantFrom("right" as const, "wrong" as const, "unknown" as const)

const somePutBack = { host: "www", type: "A", value: "192.0.2.1" }

const happenings: ReadonlyArray<fc.Arbitrary<Move>> = [
  fc
    .tuple(somePlanAt, fc.constantFrom(["direct_credential", "manual"] as const, ["manual"] as const))
    .map(([plan, methods]): Move => (_, at) => ({ events: [discovered(plan(at), methods)] })),
  fc.option(someConsent, { nil: undefined }).map((consent): Move => (standing) => ({
    events: decideAuthorization(standing, Option.fromNullable(consent)),
    consent
  })),
  somePlanAt.map((plan): Move => (_, at) => ({ events: [planned(plan(at))] })),
  fc.tuple(someConsent, fc.subarray([somePutBack])).map(([consent, putBack]): Move => (standing, at) => {
    const { events, refusal } = decideApproval(standing, { ...consent, putBack }, at)
    return { events: Option.exists(refusal, ({ code }) => code !== "plan_expired") ? [] : events, consent }
  }),
  fc
    .record({ authoritative: verdict, inPublic: verdict, isConfirmed: fc.boolean() })
    .map(({ authoritative, ...seen }): Move => (standing, at) => ({
      events: [checked(authoritative, { ...seen, isTimedOut: isOver(standing, at) })]
    })),
  fc
    .constantFrom<LifecycleEvent>(
      LifecycleEvent.Applied(),
      LifecycleEvent.ManualChosen(),
      LifecycleEvent.AuthorizationOpened(),
      LifecycleEvent.Retried(),
      LifecycleEvent.Expired(),
      restored
    )
    .map(always)
]

const mishaps: ReadonlyArray<fc.Arbitrary<Move>> = [
  fc.constantFrom(...failures).map((code) => always(discoveryFailed(code))),
  fc.tuple(fc.constantFrom(...failures), fc.boolean()).map(([code, wrote]) => always(failed(code, wrote))),
  fc.boolean().map((hasCredential) => always(disconnectRequested(hasCredential))),
  fc
    .constantFrom<LifecycleEvent>(
      LifecycleEvent.ManualAbandoned(),
      LifecycleEvent.AuthorizationClosed({ reason: Option.none() }),
      LifecycleEvent.PlanInvalidated(),
      LifecycleEvent.RecheckRequested(),
      LifecycleEvent.Canceled()
    )
    .map(always)
]

const someMove = fc.oneof(
  ...happenings.map((arbitrary) => ({ arbitrary, weight: 6 })),
  ...mishaps.map((arbitrary) => ({ arbitrary, weight: 1 }))
)

/** A life: of the moves of a moment the first that can be made is made, so long after the moment before. */
const someLife = fc.array(
  fc.record({
    moves: fc.array(someMove, { minLength: 8, maxLength: 8 }),
    seconds: fc.constantFrom(1, 60, 20 * 60, 13 * 60 * 60)
  }),
  { minLength: 20, maxLength: 40 }
)

const asked = (): ConnectionRecord => {
  const connection = requestedConnection()
  return { connection, progress: initialProgress(connection) }
}

/** Lives begin where a connection is asked for, and some where one was written and something of it is missing. */
const someStart = fc.constantFrom(asked, () =>
  applyEvents(
    asked(),
    discovered(),
    authorized(Option.some(consentTo(planOf()))),
    planned(),
    LifecycleEvent.Applied(),
    checked("right"),
    checked("wrong", { isConfirmed: true })
  )
)

/** Every law sees the same lives, lived once; a law that breaks is tried on fresh ones, which fast-check can shrink. */
const onEveryStep = (law: (step: Step) => void): void => {
  try {
    sharedSteps().forEach(law)
  } catch (broken) {
    fc.assert(
      fc.property(someStart, someLife, (start, moments) => stepsOf(start(), moments).forEach(law)),
      { numRuns: 100 }
    )
    throw broken
  }
}

let lived: ReadonlyArray<Step> | undefined

const sharedSteps = (): ReadonlyArray<Step> =>
  (lived ??= fc.sample(fc.tuple(someStart, someLife), 100).flatMap(([start, moments]) => stepsOf(start(), moments)))

const stepsOf = (start: ConnectionRecord, moments: Life): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let current = start
  let at = start.connection.updatedAt
  let consent: Consent | undefined
  for (const { moves, seconds } of moments) {
    at = DateTime.addDuration(at, Duration.seconds(seconds))
    const move = firstPossible(moves, current, at)
    for (const event of move?.events ?? []) {
      const before = current
      current = Either.getOrThrow(advance(before, event, at))
      consent = agreeing.has(event._tag) ? move?.consent : takingBack.has(event._tag) ? undefined : consent
      steps.push({ before, event, after: current, at, consent })
    }
  }
  return steps
}

type Life = typeof someLife extends fc.Arbitrary<infer Moments> ? Moments : never

const firstPossible = (moves: ReadonlyArray<Move>, standing: ConnectionRecord, at: DateTime.Utc) =>
  moves
    .map((move) => move(standing, at))
    .find(({ events }) => {
      const end = events.reduce<ReturnType<typeof advance>>(
        (before, event) => Either.flatMap(before, (reached) => advance(reached, event, at)),
        Either.right(standing)
      )
      return events.length > 0 && Either.isRight(end) && events.every((event) => isInTurn(event, standing, at))
    })

/** What a phase finds out happens only while that phase is what comes next. */
const isInTurn = ({ _tag }: LifecycleEvent, standing: ConnectionRecord, at: DateTime.Utc): boolean => {
  const phase = phases[_tag]
  return (
    phase === undefined || Option.exists(nextDue(standing, defaultStateTimeouts, at), (next) => next.phase === phase)
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

const takingBack: ReadonlySet<LifecycleEvent["_tag"]> = new Set(["PlanInvalidated", "PutBackRequested"] as const)

const agreeing: ReadonlySet<LifecycleEvent["_tag"]> = new Set(["Authorized", "Approved"] as const)
