import { Data, type Duration } from "effect"
import { OutcomeUnknown, ProviderFailure, type ProviderFailureCode } from "./ProviderFailure.ts"

/** What went wrong in one exchange with a provider, whatever it was about. */
export class ProviderError extends Data.TaggedError("ProviderError")<{
  readonly kind:
    | "timed_out"
    /** No connection, or one that ended before the answer did. */
    | "unreachable"
    /** An answer that is none of this protocol, or too large. */
    | "malformed"
    /** The provider says that the fault is its own. */
    | "failing"
    | "rate_limited"
    | "credential_refused"
    | "forbidden"
    /** There is no such zone for this credential. */
    | "absent"
    | "locked"
    /** The provider understood and will not. */
    | "rejected"
  readonly detail: string
  readonly retryAfter?: Duration.Duration
}> {}

/** The failure, if the zone was being looked for. */
export const toOpenFailure = (trouble: ProviderError): ProviderFailure =>
  failureOf(trouble, meanings[trouble.kind].opening)

/** The failure, if the zone was being read. */
export const toReadFailure = (trouble: ProviderError): ProviderFailure =>
  failureOf(trouble, meanings[trouble.kind].reading)

/** The failure, if changes were being written: unless the provider clearly refused, nobody knows whether they were. */
export const toWriteFailure = (trouble: ProviderError): ProviderFailure | OutcomeUnknown => {
  const code = meanings[trouble.kind].writing
  return code === "unknown"
    ? new OutcomeUnknown({
        code: trouble.kind === "timed_out" ? "apply_timeout" : "provider_unavailable",
        ...saidOf(trouble)
      })
    : failureOf(trouble, code)
}

interface Meaning {
  readonly opening: ProviderFailureCode
  readonly reading: ProviderFailureCode
  readonly writing: ProviderFailureCode | "unknown"
}

const always = (code: ProviderFailureCode): Meaning => ({ opening: code, reading: code, writing: code })

const unavailable = { opening: "provider_unavailable", reading: "provider_unavailable", writing: "unknown" } as const

const meanings: { readonly [_ in ProviderError["kind"]]: Meaning } = {
  timed_out: { ...unavailable, reading: "provider_snapshot_timeout" },
  unreachable: unavailable,
  failing: unavailable,
  malformed: { ...unavailable, reading: "provider_snapshot_failed" },
  rejected: { opening: "provider_unavailable", reading: "provider_snapshot_failed", writing: "apply_rejected" },
  rate_limited: always("provider_rate_limited"),
  credential_refused: always("credential_invalid"),
  forbidden: always("authorization_insufficient_scope"),
  absent: always("authorization_zone_mismatch"),
  locked: always("provider_zone_locked")
}

const failureOf = (trouble: ProviderError, code: ProviderFailureCode): ProviderFailure =>
  new ProviderFailure({ code, ...saidOf(trouble) })

const saidOf = ({ detail, retryAfter }: ProviderError) => ({
  detail,
  ...(retryAfter === undefined ? {} : { retryAfter })
})
