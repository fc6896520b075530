import { Array, Context, DateTime, Effect, Either, Layer, Option } from "effect"
import { Connection, ConnectionId, type ConnectionState, type DelayCode } from "../../domain/connection/Connection.ts"
import {
  type ConnectionRecord,
  type Consent,
  servedNamesOf,
  makeInitialProgress
} from "../../domain/connection/ConnectionRecord.ts"
import type { ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import { auditActionOf } from "../../domain/access/AuditEntry.ts"
import { type EffectiveIntent, type Intent, resolveIntent } from "../../domain/connection/Intent.ts"
import type { PlatformFields } from "../../domain/connection/PlatformFields.ts"
import type { KeptAnswers } from "../../domain/connection/KeptAnswers.ts"
import { Identifiers, makeDailyId } from "../../domain/values/Identifiers.ts"
import {
  CredentialChange,
  type HostNameHolder,
  type NewOAuthSession,
  type NewTimelineEntry,
  type Phase,
  type ScheduledPhase,
  SessionChange,
  type Transition
} from "../../domain/connection/Transition.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { Credentials } from "../../security/Credentials.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import type { LargeZonesBusy } from "../../limits/LargeZones.ts"
import type { ServiceBusy } from "../../limits/limitErrors.ts"
import type { LifecycleTimeouts } from "../state/StateTimeouts.ts"
import { hasBecomeIncomplete, incompleteEvent, toEventType } from "../state/connectionEvents.ts"
import { advance, type IllegalTransition } from "../state/advance.ts"
import { auditAttachment, withPlatformFields } from "./attachedFields.ts"
import { auditTransition } from "./auditTransition.ts"
import { hasLostHostsDuringChange } from "../state/controlState.ts"
import { toWatch } from "./toWatch.ts"
import { findNextPhase } from "../state/findNextPhase.ts"
import { listAllowedActions } from "../state/listAllowedActions.ts"
import type { LeaseLost, LeaseTaken } from "./Leases.ts"

/** The parts of a transition that do not follow from its events. */
export interface SideEffects {
  readonly credential?: CredentialChange
  readonly oauthSession?: NewOAuthSession
  readonly observations?: string
  /** The answers of the servers that are kept to ask single ones again; none where they cannot be. */
  readonly kept?: Option.Option<KeptAnswers>
  /** The warnings that came with an approval. */
  readonly acknowledged?: Consent["acknowledged"]
  /** The transition is written only while this tenant holds these names. */
  readonly requiredHolder?: HostNameHolder
  /** Whether another connection may have the new intent of this one, too. */
  readonly duplicates?: Transition["duplicates"]
  /** The fields that the platform attaches anew. */
  readonly platformFields?: PlatformFields
}

/** The result of one step of a phase: the event, and the answers of the servers. */
export interface StepResult extends Pick<SideEffects, "kept" | "observations"> {
  readonly event: LifecycleEvent
  /** The next step, with the findings of this one, if the connection stays in the phase; else the phase begins anew. */
  readonly nextStep?: PhaseStep
}

/** A step of a phase, from the connection as its run has claimed it. */
export type PhaseStep = (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed, Credentials>

/** Why a step has no result now: it is made again, soon or when the phase is due again. */
export type PhaseDelayed =
  | LargeZonesBusy
  | LeaseLost
  | LeaseTaken
  | ResolversUnavailable
  | ServiceBusy
  | StoreUnavailable

export class Transitions extends Context.Tag("lifecycle/Transitions")<
  Transitions,
  {
    readonly timeouts: LifecycleTimeouts
    readonly start: (connection: Connection) => Effect.Effect<Transition>
    /** The transition that these events cause: the connection after them, its timeline, next phase and credential. */
    readonly apply: (
      current: ConnectionRecord,
      events: Array.NonEmptyReadonlyArray<LifecycleEvent>,
      sideEffects?: SideEffects
    ) => Effect.Effect<Transition, IllegalTransition>
    /** The transition that attaches fields of the platform, and changes nothing else. */
    readonly attach: (current: ConnectionRecord, fields: PlatformFields) => Effect.Effect<Transition>
    /** The transition that says why a connection waits, until the next one; its phase goes on later. */
    readonly delay: (current: ConnectionRecord, code: DelayCode, next: ScheduledPhase) => Effect.Effect<Transition>
  }
>() {
  static readonly layer = (timeouts: LifecycleTimeouts) =>
    Layer.effect(
      Transitions,
      Effect.map(Identifiers, ({ next }) => ({
        timeouts,
        start: Effect.fnUntraced(function* (connection) {
          const after = { connection, progress: makeInitialProgress(connection) }
          const phase = findNextPhase(after, timeouts, connection.createdAt)
          const eventId = yield* next("evt")
          return {
            ...unchanged,
            after: withActionsAndNextCheck(after, phase, connection.createdAt),
            events: [{ id: eventId, to: connection.state, ...toEventType(undefined, connection) }],
            next: phase,
            audit: [yield* auditActionOf("connection.created", { to: connection.state, eventId })]
          }
        }),
        apply: Effect.fnUntraced(function* (current, events, sideEffects = {}) {
          const now = yield* DateTime.now
          const records = [current]
          for (const event of events) records.push(yield* advance(records.at(-1) ?? current, event, now))
          const after = records.at(-1) ?? current
          const phase = findNextPhase(after, timeouts, now)
          const reports = yield* Effect.forEach(listReports(events, records), (report) =>
            Effect.transposeMapOption(report, (entry) => Effect.map(next("evt"), (id) => ({ id, ...entry })))
          )
          const credential =
            sideEffects.credential ?? (needsCredential(after) ? CredentialChange.Keep() : CredentialChange.Delete())
          const { platformFields } = sideEffects
          const attached = platformFields === undefined ? after : withPlatformFields(after, platformFields)
          return {
            after: withActionsAndNextCheck(attached, phase, now),
            events: Array.getSomes(reports),
            next: phase,
            credential,
            session: sessionChange(current, sideEffects),
            observations: Option.fromNullable(sideEffects.observations),
            ...toWatch(after, sideEffects.kept, now),
            contests: listNewlyNotified(current, after).map((connectionId) => ({
              id: makeDailyId("evt", [connectionId, after.connection.tenantId], now),
              connectionId
            })),
            ...requireHolder(current, after, sideEffects),
            ...toIntents(current, after, sideEffects),
            audit: [
              ...(yield* auditTransition({
                events,
                records,
                reports,
                credential,
                ...(sideEffects.acknowledged === undefined ? {} : { acknowledged: sideEffects.acknowledged })
              })),
              ...(platformFields === undefined ? [] : [yield* auditAttachment(after, platformFields)])
            ]
          }
        }),
        attach: Effect.fnUntraced(function* (current, fields) {
          const { connection, progress } = withPlatformFields(current, fields)
          const updatedAt = yield* DateTime.now
          return {
            ...unchanged,
            ...toIntents(current, current, {}),
            after: { connection: Connection.make({ ...connection, updatedAt }, withoutValidation), progress },
            next: Option.none(),
            keepsPhase: true,
            audit: [yield* auditAttachment(current, fields)]
          }
        }),
        delay: ({ connection, progress }, code, phase) =>
          Effect.map(DateTime.now, (now) => {
            const next = Option.some(phase)
            const after = withActionsAndNextCheck(
              { connection: { ...connection, updatedAt: now }, progress },
              next,
              now
            )
            const delayed = Connection.make({ ...after.connection, delay: { code, since: now } }, withoutValidation)
            return { ...unchanged, after: { ...after, connection: delayed }, next }
          })
      }))
    )
}

/** The side effects of a transition that changes nothing else. */
const unchanged = {
  events: [],
  credential: CredentialChange.Keep(),
  session: SessionChange.Keep(),
  observations: Option.none(),
  audit: []
} satisfies Partial<Transition>

/** The intents that make another connection a duplicate: the new one, if it has changed, and the one in force. */
const toIntents = (
  { connection: before }: ConnectionRecord,
  { connection: after }: ConnectionRecord,
  { duplicates }: SideEffects
): Pick<Transition, "countingIntent" | "duplicates" | "newIntent"> => {
  const counting = after.pendingIntent === undefined ? undefined : toNormalForm(after.intent)
  const intent = nextIntentOf(after)
  // Versions before this one wrote the new intent only when its change had ended.
  const endsChange = before.pendingIntent !== undefined && counting === undefined
  const next = intent === nextIntentOf(before) && !endsChange ? undefined : toNormalForm(intent)
  return {
    ...(counting === undefined ? {} : { countingIntent: counting }),
    ...(next === undefined ? {} : { newIntent: next, ...(duplicates === undefined ? {} : { duplicates }) })
  }
}

/** The intent that a connection has once its current plan is applied. */
const nextIntentOf = ({ intent, pendingIntent }: Connection): Intent => pendingIntent?.intent ?? intent

/**
 * The normal form by which duplicates are found; undefined if newer rules refuse it. No effective intent takes its place,
 * as in `resolveAcceptedIntent`: a plan has changed that, so that no request equals it.
 */
const toNormalForm = (intent: Intent): EffectiveIntent | undefined =>
  Option.getOrUndefined(Option.map(Either.getRight(resolveIntent(intent)), ({ effectiveIntent }) => effectiveIntent))

/** Adds the commands that are allowed now, and when the service next checks or writes. Removes a delay. */
const withActionsAndNextCheck = (
  after: ConnectionRecord,
  phase: Option.Option<ScheduledPhase>,
  now: DateTime.Utc
): ConnectionRecord => {
  const { delay: _delay, nextCheckAt: _next, ...connection } = after.connection
  const nextCheck = Option.filter(phase, ({ inSeconds, phase }) => inSeconds > 0 && announcedPhases.has(phase))
  return {
    ...after,
    connection: Connection.make(
      {
        ...connection,
        allowedActions: listAllowedActions(after, now),
        ...Option.match(nextCheck, {
          onNone: () => ({}),
          onSome: ({ inSeconds }) => ({ nextCheckAt: DateTime.add(now, { seconds: inSeconds }) })
        })
      },
      withoutValidation
    )
  }
}

/** Requires all hosts for `active`, but not where a new intent is given up: the connection was active all along. */
const requireHolder = (
  before: ConnectionRecord,
  { connection }: ConnectionRecord,
  { requiredHolder }: SideEffects
): Pick<Transition, "requiredHolder"> => {
  if (requiredHolder !== undefined) return { requiredHolder }
  const wasActive = before.connection.state === "active" || before.connection.pendingIntent !== undefined
  return connection.state === "active" && !wasActive
    ? { requiredHolder: { tenantId: connection.tenantId, names: servedNamesOf(connection) } }
    : {}
}

/** The connections of other tenants that this one contests and that were not notified of it before. */
const listNewlyNotified = (before: ConnectionRecord, after: ConnectionRecord): ReadonlyArray<ConnectionId> => {
  const known = before.progress.control?.notified ?? []
  return (after.progress.control?.notified ?? []).filter((id) => !known.includes(id)).map((id) => ConnectionId.make(id))
}

const announcedPhases: ReadonlySet<Phase> = new Set<Phase>(["discover", "provision", "restore", "verify"])

/** The report of each event: a change of state, or without one a plan for the customer or a loss of hosts. */
const listReports = (events: ReadonlyArray<LifecycleEvent>, records: ReadonlyArray<ConnectionRecord>) =>
  Array.zip(events, Array.zip(records, records.slice(1))).map(
    ([event, [before, after]]): Option.Option<Omit<NewTimelineEntry, "id">> => {
      const { failure, replan, state } = after.connection
      const states = { from: before.connection.state, to: state }
      if (hasLostHostsDuringChange(before, after))
        return Option.some({ ...states, type: "connection.degraded", failure: "control_lost" })
      const isIncomplete = hasBecomeIncomplete(before, after)
      const type = isIncomplete
        ? { type: incompleteEvent }
        : toEventType(before.connection, after.connection, event._tag)
      if (states.from === states.to && type.type === undefined) return Option.none()
      const isMissed = isIncomplete || (state === "degraded" && failure?.code !== "control_lost")
      const missing = isMissed ? after.progress.missing : undefined
      return Option.some({
        ...states,
        ...type,
        ...(failure === undefined ? {} : { failure: failure.code }),
        ...(replan === undefined ? {} : { replan: replan.code }),
        ...(missing === undefined ? {} : { missing })
      })
    }
  )

/** An OAuth session ends with the state `authorizing`. */
const sessionChange = (
  { connection: { state } }: ConnectionRecord,
  { oauthSession: session }: SideEffects
): SessionChange => {
  if (session !== undefined) return SessionChange.Replace({ session })
  return state === "authorizing" ? SessionChange.Delete() : SessionChange.Keep()
}

const needsCredential = ({ connection: { failure, state } }: ConnectionRecord): boolean =>
  statesWithCredential.has(state) ||
  (state === "failed" && failure?.resumeState !== undefined && statesWithCredential.has(failure.resumeState))

/** The states in which the service reads or writes at the provider, or waits to. */
const statesWithCredential: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "authorized",
  "planned",
  "applying",
  "disconnecting"
])
