import { Data, type Duration } from "effect"
import type { FailureCode } from "../domain/connection/Connection.ts"

export type ProviderFailureCode = Extract<
  FailureCode,
  | "provider_unavailable"
  | "provider_rate_limited"
  | "authorization_insufficient_scope"
  | "authorization_expired"
  | "authorization_revoked"
  | "authorization_zone_mismatch"
  | "credential_invalid"
  | "account_not_entitled"
  | "provider_snapshot_timeout"
  | "provider_snapshot_failed"
  | "zone_too_large"
  | "provider_zone_locked"
  | "provider_record_locked"
  | "apex_cname_unsupported"
  | "record_type_unsupported"
  | "record_value_rejected"
  | "apply_rejected"
>

/**
 * Why an operation on a zone failed, with the code of the API; nothing was written. Adapters make it of a
 * `ProviderError`. `detail` is for operators and contains no secret.
 */
export class ProviderFailure extends Data.TaggedError("ProviderFailure")<{
  readonly code: ProviderFailureCode
  readonly detail: string
  /** Whether the service refused the request itself and did not ask the provider. */
  readonly isLocal?: boolean
  /** Whether the provider did nothing because it is still doing something else; it can be asked again soon. */
  readonly isBusy?: boolean
  /** How long the provider asks clients to wait. */
  readonly retryAfter?: Duration.Duration
}> {
  override get message(): string {
    return `${this.code}: ${this.detail}`
  }
}

/** Refuses to write to another zone than the one to which the parent delegates. */
export const makeZoneMismatch = (detail: string): ProviderFailure =>
  new ProviderFailure({ code: "authorization_zone_mismatch", detail })

/** Refuses to write to a zone that is a copy; `kind` is its provider's word for that. */
export const makeCopyFailure = (kind: string): ProviderFailure =>
  new ProviderFailure({ code: "provider_zone_locked", detail: `the zone is a copy (${kind}) from another server` })

/** The zone has changed since the plan was made from it; nothing was written. */
export class ZoneChanged extends Data.TaggedError("ZoneChanged")<{ readonly detail: string }> {}

/** A write found other records than were read. */
export const zoneChangedSinceRead = new ZoneChanged({
  detail: "records at these names have changed since they were read"
})

export class OutcomeUnknown extends Data.TaggedError("OutcomeUnknown")<{
  readonly code: Extract<FailureCode, "apply_timeout" | "provider_unavailable">
  readonly detail: string
  /** How long the provider asks clients to wait. */
  readonly retryAfter?: Duration.Duration
}> {}
