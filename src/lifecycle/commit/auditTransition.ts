import { Array, Effect, FiberRef, Option } from "effect"
import { currentActor } from "../../domain/access/Actor.ts"
import type { AuditAction, AuditDetails, NewAuditEntry } from "../../domain/access/AuditEntry.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { CredentialChange, type NewTimelineEntry } from "../../domain/connection/Transition.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { newProofOf } from "../state/controlState.ts"

interface TransitionParts {
  readonly events: ReadonlyArray<LifecycleEvent>
  /** The connection before the first event and after each. */
  readonly records: ReadonlyArray<ConnectionRecord>
  /** How each event is reported in the timeline and by a webhook, if it is. */
  readonly reports: ReadonlyArray<Option.Option<NewTimelineEntry>>
  readonly credential: CredentialChange
  /** The warnings that came with an approval. */
  readonly acknowledged?: AuditDetails["acknowledged"]
}

/**
 * The audit entries of a transition: one for each event but internal ones, for a consent that came with an authorization,
 * and for a credential that it stores or deletes, if there was one.
 */
export const auditTransition = ({
  acknowledged,
  credential,
  events,
  records,
  reports
}: TransitionParts): Effect.Effect<ReadonlyArray<NewAuditEntry>> =>
  Effect.map(FiberRef.get(currentActor), (context) => {
    const entries = Array.zip(Array.zip(events, reports), Array.zip(records, records.slice(1))).flatMap(
      ([[event, reported], [before, after]]) => {
        const report = Option.getOrUndefined(reported)
        const proof = newProofOf(before, after)
        const isRelevant = report !== undefined || proof !== undefined || event._tag === "ControlLost"
        if (!isRelevant && context.actor.type === "service") return []
        const entry = {
          ...context,
          action: actionOf(event, report),
          details: {
            ...toStates(report),
            ...planOf(event, before, after, acknowledged),
            ...(proof === undefined ? {} : { control: { by: proof } })
          }
        }
        return [entry, ...consentOf(event).map((details) => ({ ...context, action: approved, details }))]
      }
    )
    return CredentialChange.$match(credential, {
      Keep: () => entries,
      Delete: () => [...entries, { ...context, action: "credential.deleted" as const, details: {} }],
      Replace: () => [...entries, { ...context, action: "credential.stored" as const, details: {} }]
    })
  })

const toStates = (report: NewTimelineEntry | undefined): AuditDetails =>
  report === undefined
    ? {}
    : {
        ...(report.from === undefined || report.from === report.to ? {} : { from: report.from }),
        ...(report.from === report.to ? {} : { to: report.to }),
        ...(report.failure === undefined ? {} : { failure: report.failure }),
        ...(report.missing === undefined ? {} : { missing: report.missing }),
        eventId: report.id
      }

/** The consent that came with an authorization: its entry is the same as that of an approval. */
const consentOf = (event: LifecycleEvent): ReadonlyArray<AuditDetails> =>
  event._tag === "Authorized"
    ? Array.fromOption(event.consent).map(({ acknowledged, digest }) => ({
        digest,
        acknowledged: Array.dedupe(acknowledged)
      }))
    : []

const approved: AuditAction = "connection.approved"

/** The plan that an event is about, and the warnings that were acknowledged. */
const planOf = (
  event: LifecycleEvent,
  { connection: before }: ConnectionRecord,
  { connection: after }: ConnectionRecord,
  acknowledged: AuditDetails["acknowledged"]
): AuditDetails => {
  switch (event._tag) {
    case "Discovered":
    case "Planned":
      return after.plan === undefined ? {} : { digest: after.plan.digest }
    case "Approved":
    case "PutBackRequested":
      return {
        ...(before.plan === undefined ? {} : { digest: before.plan.digest }),
        ...(acknowledged === undefined ? {} : { acknowledged: Array.dedupe(acknowledged) })
      }
    case "Applied":
    case "Restored":
    case "PlanInvalidated":
      return before.plan === undefined ? {} : { digest: before.plan.digest }
    default:
      return {}
  }
}

/** The action of an event: the command, the webhook event's type, or else a name that no webhook event has. */
const actionOf = (event: LifecycleEvent, report: NewTimelineEntry | undefined): AuditAction => {
  const type = report?.type === "connection.contested" ? undefined : report?.type
  if (event._tag === "Canceled") return type === "connection.canceled" ? type : "connection.change_canceled"
  return ownActions[event._tag] ?? type ?? unreportedActions[event._tag] ?? "connection.control_proven"
}

/** The actions of commands, and those whose webhook event has another name or none. */
const ownActions: { readonly [_ in LifecycleEvent["_tag"]]?: AuditAction } = {
  ManualChosen: "connection.manual_chosen",
  ManualAbandoned: "connection.manual_abandoned",
  ProviderSelected: "connection.provider_selected",
  IntentChanged: "connection.intent_changed",
  AuthorizationOpened: "connection.authorization_opened",
  AuthorizationClosed: "connection.authorization_closed",
  Approved: "connection.approved",
  PutBackRequested: "connection.put_back_requested",
  RecheckRequested: "connection.recheck_requested",
  Retried: "connection.retried",
  DisconnectRequested: "connection.disconnect_requested",
  RecordsInherited: "connection.records_inherited"
}

/** The actions of the service that no webhook event reports. */
const unreportedActions: { readonly [_ in LifecycleEvent["_tag"]]?: AuditAction } = {
  Discovered: "connection.discovered",
  DiscoveryFailed: "connection.discovered",
  Planned: "connection.plan_made",
  PlanInvalidated: "connection.plan_invalidated",
  WriteDelayed: "connection.write_delayed",
  Expired: "connection.change_canceled",
  ControlLost: "connection.control_lost"
}
