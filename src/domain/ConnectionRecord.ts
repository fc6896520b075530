import { Schema } from "effect"
import type { Connection } from "./Connection.ts"
import { Change, PlanDigest, RecordReference, Warning } from "./Plan.ts"
import { Timestamp } from "./Timestamp.ts"

/** What somebody agreed to: the changes of one digest, and the consequences that they say they know of. */
export const Consent = Schema.Struct({ digest: PlanDigest, acknowledged: Schema.Array(Warning) })
export type Consent = typeof Consent.Type

/** How far a connection has come, beside what it shows. */
export class Progress extends Schema.Class<Progress>("Progress")({
  /** When it entered its state. */
  enteredAt: Timestamp,
  /** How often it was verified in this state. */
  checks: Schema.Int,
  /** When an `active` connection was first seen to lack something, since it last lacked nothing. */
  missedAt: Schema.optional(Timestamp),
  /** Given with the authorization, for the plan that will be made from the provider's zone. */
  consent: Schema.optional(Consent),
  /** What is to be put back in spite of a doubt, when the records are taken out. */
  putBack: Schema.optionalWith(Schema.Array(RecordReference), { default: () => [] }),
  /** What the customer has entered by hand, and when it was found. */
  entered: Schema.optionalWith(Schema.Array(Schema.Struct({ change: Change, at: Timestamp })), { default: () => [] }),
  /** Whether a provider accepted a credential for the zone: who gave it controls the domain. */
  proven: Schema.Boolean,
  /** Whether the service may have written to the zone. */
  wrote: Schema.Boolean,
  /** Whether the customer chose to change the zone by hand. */
  byHand: Schema.Boolean,
  /** Whether the domain is to be looked at anew in this state, because what is known of it is old. */
  surveying: Schema.Boolean,
  /** Whether somebody asked for a check that decides at once. */
  urgent: Schema.Boolean
}) {}

/** Where a connection stands: what it shows, and how far it has come. */
export interface ConnectionRecord {
  readonly connection: Connection
  readonly progress: Progress
}

/** The progress of a connection that has only been asked for. */
export const initialProgress = ({ createdAt }: Connection): Progress =>
  Progress.make(
    {
      enteredAt: createdAt,
      checks: 0,
      putBack: [],
      entered: [],
      proven: false,
      wrote: false,
      byHand: false,
      surveying: false,
      urgent: false
    },
    { disableValidation: true }
  )
