import { Data, type Duration } from "effect"
import type { FailureCode } from "../domain/Connection.ts"

/** The failure codes that a provider can be the reason of. */
export type ProviderFailureCode = Extract<
  FailureCode,
  | "provider_unavailable"
  | "provider_rate_limited"
  | "authorization_insufficient_scope"
  | "authorization_revoked"
  | "authorization_zone_mismatch"
  | "credential_invalid"
  | "provider_snapshot_timeout"
  | "provider_snapshot_failed"
  | "provider_zone_locked"
  | "provider_record_locked"
  | "apex_cname_unsupported"
  | "record_type_unsupported"
  | "record_value_rejected"
  | "apply_rejected"
>

/** The provider did not do what was asked, and nothing was written. `detail` is for operators and holds no secret. */
export class ProviderFailure extends Data.TaggedError("ProviderFailure")<{
  readonly code: ProviderFailureCode
  readonly detail: string
  /** How long the provider asks to be left alone. */
  readonly retryAfter?: Duration.Duration
}> {
  override get message(): string {
    return `${this.code}: ${this.detail}`
  }
}

/** The zone is no longer what was planned from; nothing was written. */
export class ZoneChanged extends Data.TaggedError("ZoneChanged")<{ readonly detail: string }> {}

/** The changes of one call may have been written or not; only reading the zone again can tell. */
export class OutcomeUnknown extends Data.TaggedError("OutcomeUnknown")<{
  readonly code: Extract<FailureCode, "apply_timeout" | "provider_unavailable">
  readonly detail: string
  /** How long the provider asks to be left alone. */
  readonly retryAfter?: Duration.Duration
}> {}
