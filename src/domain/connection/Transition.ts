import { Data, type Option, Schema } from "effect"
import type { NewAuditEntry } from "../access/AuditEntry.ts"
import type { ConnectionId, TimelineEntry } from "./Connection.ts"
import type { EffectiveIntent } from "./Intent.ts"
import type { KeptAnswers } from "./KeptAnswers.ts"
import type { ConnectionRecord } from "./ConnectionRecord.ts"
import type { DomainName } from "../names/DomainName.ts"
import type { MissingRecord } from "../plan/RecordObservation.ts"
import type { SealedSecret } from "../access/SealedSecret.ts"
import type { TenantId } from "../access/Tenancy.ts"
import type { ConnectionEventType } from "../webhook/WebhookEvent.ts"

/** One change of a connection, as `advance` returned it, with everything that is written together with it. */
export interface Transition {
  readonly after: ConnectionRecord
  /** The new entries of its timeline, oldest first; one that keeps its state is a webhook event only. */
  readonly events: ReadonlyArray<NewTimelineEntry>
  readonly next: Option.Option<ScheduledPhase>
  /** Leaves the next phase due when it is, in place of `next`; one that is under way begins anew. */
  readonly keepsPhase?: boolean
  readonly credential: CredentialChange
  readonly session: SessionChange
  /** The answers of the servers, in wire form, if they were queried. */
  readonly observations: Option.Option<string>
  /** What single servers are asked for from now on; none: nothing. Absent where that stays as it is. */
  readonly watch?: Option.Option<Watch>
  /** The entries of the audit log; that of a deleted credential is written only if there was one. */
  readonly audit: ReadonlyArray<NewAuditEntry>
  /** The intent to which the connection leads now, in normal form; absent where it leads to the same as before. */
  readonly newIntent?: EffectiveIntent
  /** The intent that counts while a new one waits to be applied, in normal form. */
  readonly countingIntent?: EffectiveIntent
  /** Whether the tenant may have another connection with the new intent; absent where the request does not set that. */
  readonly duplicates?: "allowed" | "refused"
  /** The write happens only while this tenant of the application holds these names; absent for a write that needs none. */
  readonly requiredHolder?: HostNameHolder
  /**
   * The connections of other tenants that are notified of this one, with the ids of the webhook events: the same for
   * all contests of a connection by one tenant on one day, so that only the first is written.
   */
  readonly contests?: ReadonlyArray<{ readonly id: string; readonly connectionId: ConnectionId }>
}

/** What is asked again of single servers of a zone, and the key by which looks find it (see `lookKeyOf`). */
export interface Watch extends KeptAnswers {
  readonly lookKey: number
}

/** A tenant and the names that it must hold, for a connection to become active or to take them from another one. */
export interface HostNameHolder {
  readonly tenantId: TenantId
  readonly names: ReadonlyArray<DomainName>
}

/** A new entry of the timeline, and the type of the webhook event that reports it, if one does. */
export interface NewTimelineEntry extends TimelineEntry {
  readonly type?: ConnectionEventType
  readonly missing?: ReadonlyArray<MissingRecord>
}

/** The effect of a transition on the stored credential of its connection. */
export type CredentialChange = Data.TaggedEnum<{
  /** Leaves the credential as it is, if there is one. */
  Keep: {}
  /** Deletes it, since nothing needs it any more. */
  Delete: {}
  /** Stores this one in place of any earlier one. */
  Replace: { readonly sealed: SealedSecret; readonly lifetimeSeconds: number }
}>
export const CredentialChange = Data.taggedEnum<CredentialChange>()

/** The effect of a transition on the open OAuth session of its connection. */
export type SessionChange = Data.TaggedEnum<{
  /** Leaves the session open, if there is one. */
  Keep: {}
  /** Deletes it: a customer who returns from the provider afterwards is too late. */
  Delete: {}
  /** Opens this one in place of any earlier one. */
  Replace: { readonly session: NewOAuthSession }
}>
export const SessionChange = Data.taggedEnum<SessionChange>()

/** An OAuth session to be stored; `ticketHash` is the SHA-256 of the ticket with which a browser starts it. */
export interface NewOAuthSession {
  readonly ticketHash: Uint8Array
  readonly sealed: SealedSecret
  readonly lifetimeSeconds: number
}

/** A piece of work that the lifecycle runs on its own. The names are stored in rows. */
export const Phase = Schema.Literal("discover", "provision", "verify", "restore", "expire")
export type Phase = typeof Phase.Type

/** The next phase of a connection, and in how many seconds from now it is due. */
export interface ScheduledPhase {
  readonly phase: Phase
  readonly inSeconds: number
  /** Whether the run that writes the transition goes on with this phase: it is due only if that one stops. */
  readonly isTaken?: boolean
}
