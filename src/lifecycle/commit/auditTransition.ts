import { Array, Effect, FiberRef, Option } from "effect"
import { currentActor } from "../../domain/Actor.ts"
import type { AuditAction, AuditDetails, NewAuditEntry } from "../../domain/AuditEntry.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { CredentialChange, type NewTimelineEntry } from "../../domain/Transition.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { newProofOf } from "../state/controlState.ts"

/** The events and records from which a transition was built. */
interface TransitionParts {
  readonly events: ReadonlyArray<LifecycleEvent>
  /** The connection before the first event and after each. */
  readonly records: ReadonlyArray<ConnectionRecord>
  /** The entries of the timeline, one for each event that changed the state. */
  readonly timeline: ReadonlyArray<NewTimelineEntry>
  readonly credential: CredentialChange
  /** The warnings that came with an approval. */
  readonly acknowledged?: AuditDetails["acknowledged"]
}

/**
 * The audit entries of a transition: one for each of its events, unless it is one of the service that leaves the state as
 * it is, takes no hosts and proves nothing, and one for a credential that it stores or deletes; the store writes the last
 * only if there was a credential.
 */
export const auditTransition = ({
  acknowledged,
  credential,
  events,
  records,
  timeline
}: TransitionParts): Effect.Effect<ReadonlyArray<NewAuditEntry>> =>
  Effect.map(FiberRef.get(currentActor), (context) => {
    let nth = 0
    const entries = Array.zip(events, Array.zip(records, records.slice(1))).flatMap(([event, [before, after]]) => {
      const change = before.connection.state === after.connection.state ? undefined : timeline[nth++]
      const proof = newProofOf(before, after)
      const isRelevant = change !== undefined || proof !== undefined || event._tag === "ControlLost"
      if (!isRelevant && context.actor.type === "service") return []
      return [
        {
          ...context,
          action: auditActions[event._tag],
          details: {
            ...toStates(change),
            ...consentOf(event, before, after, acknowledged),
            ...(proof === undefined ? {} : { control: { by: proof } })
          }
        }
      ]
    })
    return CredentialChange.$match(credential, {
      Keep: () => entries,
      Delete: () => [...entries, { ...context, action: "credential.deleted" as const, details: {} }],
      Replace: () => [...entries, { ...context, action: "credential.stored" as const, details: {} }]
    })
  })

const toStates = (change: NewTimelineEntry | undefined): AuditDetails =>
  change === undefined
    ? {}
    : {
        ...(change.from === undefined ? {} : { from: change.from }),
        to: change.to,
        ...(change.failure === undefined ? {} : { failure: change.failure }),
        eventId: change.id
      }

/** The plan that an event is about, and the warnings that were acknowledged. */
const consentOf = (
  event: LifecycleEvent,
  { connection: before }: ConnectionRecord,
  { connection: after }: ConnectionRecord,
  acknowledged: AuditDetails["acknowledged"]
): AuditDetails => {
  switch (event._tag) {
    case "Discovered":
    case "Planned":
      return after.plan === undefined ? {} : { digest: after.plan.digest }
    case "Authorized":
      return Option.match(event.consent, {
        onNone: () => ({}),
        onSome: ({ acknowledged, digest }) => ({ digest, acknowledged: Array.dedupe(acknowledged) })
      })
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

const auditActions: { readonly [_ in LifecycleEvent["_tag"]]: AuditAction } = {
  Discovered: "connection.discovered",
  DiscoveryFailed: "connection.discovery_failed",
  ManualChosen: "connection.manual_chosen",
  ManualAbandoned: "connection.manual_abandoned",
  IntentChanged: "connection.intent_changed",
  AuthorizationOpened: "connection.authorization_opened",
  AuthorizationClosed: "connection.authorization_closed",
  Authorized: "connection.authorized",
  Planned: "connection.planned",
  Approved: "connection.approved",
  PutBackRequested: "connection.put_back_requested",
  PlanInvalidated: "connection.plan_invalidated",
  WriteDelayed: "connection.write_delayed",
  Applied: "connection.applied",
  Verified: "connection.verified",
  ControlLost: "connection.control_lost",
  RecheckRequested: "connection.recheck_requested",
  Failed: "connection.failed",
  Retried: "connection.retried",
  DisconnectRequested: "connection.disconnect_requested",
  RecordsInherited: "connection.records_inherited",
  RestoreAwaited: "connection.restore_awaited",
  Restored: "connection.restored",
  Expired: "connection.expired",
  Canceled: "connection.canceled"
}
