import { Data, type Duration } from "effect"
import { OutcomeUnknown, ProviderFailure, type ProviderFailureCode } from "./ProviderFailure.ts"

/**
 * An error of one exchange with a provider, independent of what the exchange was for. What it means for the operation
 * on the zone is a `ProviderFailure`, with the code that the API shows.
 */
export class ProviderError extends Data.TaggedError("ProviderError")<{
  readonly kind:
    | "timed_out"
    /** No connection, or one that ended before the response was complete. */
    | "unreachable"
    /** The response does not follow the protocol. */
    | "malformed"
    /** The response, or the zone in it, is larger than the service reads. */
    | "too_large"
    /** The provider reports an error of its own. */
    | "failing"
    | "rate_limited"
    | "credential_refused"
    | "forbidden"
    /** The credential gives access to no such zone. */
    | "absent"
    | "locked"
    /** The provider understood the request and refuses it. */
    | "rejected"
  readonly detail: string
  readonly retryAfter?: Duration.Duration
}> {}

/** The failure of opening a zone. */
export const toOpenFailure = (error: ProviderError): ProviderFailure =>
  toFailure(error, failureCodes[error.kind].opening)

/** The failure of reading a zone. */
export const toReadFailure = (error: ProviderError): ProviderFailure =>
  toFailure(error, failureCodes[error.kind].reading)

/** The failure of writing changes: unless the provider clearly refused, it is unknown whether they were made. */
export const toWriteFailure = (error: ProviderError): ProviderFailure | OutcomeUnknown => {
  const code = failureCodes[error.kind].writing
  return code === "unknown"
    ? new OutcomeUnknown({
        code: error.kind === "timed_out" ? "apply_timeout" : "provider_unavailable",
        ...detailsOf(error)
      })
    : toFailure(error, code)
}

interface FailureCodes {
  readonly opening: ProviderFailureCode
  readonly reading: ProviderFailureCode
  readonly writing: ProviderFailureCode | "unknown"
}

const useSameCode = (code: ProviderFailureCode): FailureCodes => ({ opening: code, reading: code, writing: code })

const unavailable = { opening: "provider_unavailable", reading: "provider_unavailable", writing: "unknown" } as const

const failureCodes: { readonly [_ in ProviderError["kind"]]: FailureCodes } = {
  timed_out: { ...unavailable, reading: "provider_snapshot_timeout" },
  unreachable: unavailable,
  failing: unavailable,
  malformed: { ...unavailable, reading: "provider_snapshot_failed" },
  too_large: { ...unavailable, opening: "zone_too_large", reading: "zone_too_large" },
  rejected: { opening: "provider_unavailable", reading: "provider_snapshot_failed", writing: "apply_rejected" },
  rate_limited: useSameCode("provider_rate_limited"),
  credential_refused: useSameCode("credential_invalid"),
  forbidden: useSameCode("authorization_insufficient_scope"),
  absent: useSameCode("authorization_zone_mismatch"),
  locked: useSameCode("provider_zone_locked")
}

const toFailure = (error: ProviderError, code: ProviderFailureCode): ProviderFailure =>
  new ProviderFailure({ code, ...detailsOf(error) })

const detailsOf = ({ detail, retryAfter }: ProviderError) => ({
  detail,
  ...(retryAfter === undefined ? {} : { retryAfter })
})
