import { Schema } from "effect"
import { type Connection, ConnectionState, finalStates } from "./Connection.ts"
import { ControlProgress } from "./Control.ts"
import { DomainName, toFqdn } from "../names/DomainName.ts"
import { Change, PlanDigest, RecordReference } from "../plan/Plan.ts"
import { MissingRecord } from "../plan/RecordObservation.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { Warning } from "../plan/Warning.ts"
import { withoutValidation } from "../values/boundedSchemas.ts"

/** The consent to a plan: the digest of its changes, and the warnings that were acknowledged. */
export const Consent = Schema.Struct({ digest: PlanDigest, acknowledged: Schema.Array(Warning) })
export type Consent = typeof Consent.Type

/** The internal state of a connection that the API does not show. Rows store it by the names of its fields or of `fromKey`. */
export class Progress extends Schema.Class<Progress>("Progress")({
  enteredAt: Timestamp,
  /** How many times it was verified in this state. */
  checks: Schema.Int,
  /** When a check was last requested in this state: the schedule of checks begins again there. */
  recheckedAt: Schema.optional(Timestamp),
  /** Whether the platform was told in this state that the customer has not finished entering records by hand. */
  isReportedIncomplete: Schema.optional(Schema.Boolean),
  /**
   * When records of an `active` connection, or beside a new intent that waits, were first found missing; absent while none
   * are. In `degraded`, when no server answered the last check, which is repeated soon; absent after the repetition.
   */
  missedAt: Schema.optional(Timestamp),
  /**
   * When a check of all name servers last found the records of an `active` connection; absent after any other check, and
   * once a server has not answered a look.
   */
  verifiedAt: Schema.optional(Timestamp),
  /** Whether single servers of an `active` connection are asked between the checks of all. */
  isLookedAt: Schema.optional(Schema.Boolean),
  /** When records of the connection were last found missing while it was active, or it was last `degraded`. */
  driftedAt: Schema.optional(Timestamp),
  /** The missing records that the last check of the intent that counts found. */
  missing: Schema.optional(Schema.Array(MissingRecord)),
  /** The time at which the provider accepts more of the plan that is being written. */
  resumesAt: Schema.optional(Timestamp),
  /** The consent given with the authorization, for the plan that is made from the zone of the provider. */
  consent: Schema.optional(Consent),
  /** The fingerprint of the authorization, which recognizes a repetition; absent after OAuth and a manual setup. */
  authorization: Schema.optional(Schema.String),
  /** When the service got its credential; absent after a manual setup, and in rows of earlier versions. */
  authorizedAt: Schema.optional(Timestamp),
  /** The digest of the plan that was approved last, until another one must be approved. */
  approved: Schema.optional(PlanDigest),
  /** The records to restore although they may be stale, when the connection is removed. */
  putBack: Schema.optionalWith(Schema.Array(RecordReference), { default: () => [] }),
  /** The changes that the customer made manually, and when they were found. */
  entered: Schema.optionalWith(Schema.Array(Schema.Struct({ change: Change, at: Timestamp })), { default: () => [] }),
  /**
   * The changes of earlier plans that the customer may have made manually; `enteredAt` is when a later plan found them.
   * They count as entered once the records of the connection are in its zone.
   */
  shown: Schema.optionalWith(Schema.Array(Schema.Struct({ change: Change, enteredAt: Schema.optional(Timestamp) })), {
    default: () => []
  }),
  /** Whether a provider accepted a credential for the zone. */
  hasProvenAccess: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("proven")),
  /** Absent until the first plan, and in rows of earlier versions, where `hasProvenAccess` decides. */
  control: Schema.optional(ControlProgress),
  /** Whether the service may have written to the zone. */
  hasWritten: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("wrote")),
  /** Whether the customer chose to change the zone manually. */
  isManual: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("byHand")),
  /** Whether the zone must be surveyed again in this state, because the last survey is outdated. */
  needsSurvey: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("surveying")),
  /**
   * Present while a new intent waits: the state to return to if it is given up, whether writing it may have begun (then
   * only another change leads back), and whether `control` was absent before.
   */
  intentChange: Schema.optional(
    Schema.Struct({
      returnsTo: ConnectionState,
      hasBegun: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("began")),
      isBeforeControl: Schema.optional(Schema.Boolean)
    })
  ),
  /** Whether the connection has ever been active; absent in rows of earlier versions. */
  wasActive: Schema.optional(Schema.Boolean),
  /** Whether a retry has resumed the connection since it failed last. */
  wasRetried: Schema.optional(Schema.Boolean).pipe(Schema.fromKey("retried")),
  /** Whether a check was requested that decides at once. */
  isRecheckRequested: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("urgent"))
}) {}

/** A connection as the API shows it, with its internal progress. */
export interface ConnectionRecord {
  readonly connection: Connection
  readonly progress: Progress
}

export const makeInitialProgress = ({ createdAt }: Connection): Progress =>
  Progress.make(
    {
      enteredAt: createdAt,
      checks: 0,
      putBack: [],
      entered: [],
      shown: [],
      hasProvenAccess: false,
      hasWritten: false,
      isManual: false,
      needsSurvey: false,
      wasActive: false,
      isRecheckRequested: false
    },
    withoutValidation
  )

/** Whether the service knows the stored records: with access to the zone at its provider it found or wrote them. */
export const hasSeenStored = ({ hasProvenAccess, hasWritten, isManual }: Progress): boolean =>
  (hasProvenAccess || hasWritten) && !isManual

/** Whether records of a connection may be in the zone: the service wrote them, or the customer entered them. */
export const hasRecordsInZone = ({ entered, hasWritten }: Progress): boolean => hasWritten || entered.length > 0

/** The states in which records of a connection are in its zone or about to be written there. */
export const servedStates: ReadonlyArray<ConnectionState> = ["applying", "verifying", "active", "degraded"]

/** The full names at which a connection desires records, or will once its new intent is applied. */
export const desiredNamesOf = ({
  effectiveIntent: { domain, records },
  pendingIntent
}: Pick<Connection, "effectiveIntent" | "pendingIntent">): ReadonlyArray<DomainName> => {
  const name = DomainName.make(domain)
  const desired = [...records, ...(pendingIntent?.effectiveIntent.records ?? [])]
  return [...new Set(desired.map(({ host }) => toFqdn(host, name)))]
}

/** The full names of the intent that counts, which the connection holds while it is active. */
export const servedNamesOf = ({ effectiveIntent }: Pick<Connection, "effectiveIntent">): ReadonlyArray<DomainName> =>
  desiredNamesOf({ effectiveIntent })

/**
 * The names at which visitors reach the product: all addresses while the connection is active; during a change those of
 * the old intent until its records are removed, then those that both have.
 */
export const allowedNamesOf = ({ connection, progress }: ConnectionRecord): ReadonlyArray<string> =>
  connection.state === "active" || progress.intentChange?.returnsTo === "active"
    ? addressNamesOf(connection)
    : (connection.allowedNames ?? [])

/** The names that stay allowed after a transition, where the new state does not say it alone. */
export const allowedNamesAfter = (before: ConnectionRecord, after: ConnectionRecord): ReadonlyArray<string> => {
  const { direction, state } = after.connection
  const isDegraded = state === "degraded" || after.progress.intentChange?.returnsTo === "degraded"
  const hasStopped = isDegraded || direction === "restore" || finalStates.includes(state)
  if (hasStopped || state === "active" || after.progress.control?.isLost === true) return []
  const names = new Set(addressNamesOf(after.connection))
  return allowedNamesOf(before).filter((name) => names.has(name))
}

const addressNamesOf = ({ effectiveIntent: { domain, records } }: Connection): ReadonlyArray<string> => {
  const name = DomainName.make(domain)
  return [
    ...new Set(records.flatMap(({ host, type }) => (addressTypes.includes(type) ? [`${toFqdn(host, name)}`] : [])))
  ]
}

const addressTypes: ReadonlyArray<string> = ["A", "AAAA", "CNAME"]

/** Whether a connection must not end before its zone is restored: records that it put there must not stay there. */
export const mustRestore = ({ connection: { direction, pendingIntent }, progress }: ConnectionRecord): boolean =>
  hasRecordsInZone(progress) || direction === "restore" || pendingIntent !== undefined

/** Whether a connection can go back to the intent that counts: none of the new records can be in the zone. */
export const canAbandonChange = ({ connection: { pendingIntent }, progress }: ConnectionRecord): boolean =>
  pendingIntent !== undefined && progress.intentChange?.hasBegun !== true

/** Whether the customer, not the service, takes the records of a connection that is being disconnected out of the zone. */
export const isRestoredByHand = ({ connection, progress }: ConnectionRecord): boolean =>
  connection.direction === "restore" && (progress.isManual || !progress.hasWritten)

/** Whether records are verified while a connection waits: lost ones may come back, and an old intent counts. */
export const isWatchedWhileWaiting = ({
  connection: { direction, pendingIntent, state },
  progress
}: ConnectionRecord): boolean =>
  direction !== "restore" &&
  (pendingIntent === undefined
    ? state === "awaiting_authorization" && hasRecordsInZone(progress)
    : state === "awaiting_authorization" || state === "failed")
