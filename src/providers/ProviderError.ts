import { Data, type Duration, Effect } from "effect"
import { OutcomeUnknown, ProviderFailure, type ProviderFailureCode, ZoneChanged } from "./ProviderFailure.ts"

/** An error of one exchange with a provider. `ProviderFailure` says what it means for the zone and the API. */
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
    /** The provider does nothing because it is still doing something else; it can be asked again soon. */
    | "busy"
    | "credential_refused"
    /** The credential was valid until a time that has passed. */
    | "credential_expired"
    | "forbidden"
    /** The customer's account or tariff does not include the request. */
    | "not_entitled"
    /** The credential gives access to no such zone. */
    | "absent"
    /** The zone has no such record, or set of records. */
    | "record_absent"
    /** What the request presumes does not hold: the zone has changed since it was read. */
    | "conflict"
    | "locked"
    /** The provider understood the request and refuses it. */
    | "rejected"
  readonly detail: string
  readonly retryAfter?: Duration.Duration
}> {}

/** Fails an exchange that takes longer. */
export const failAfter = (
  duration: Duration.DurationInput,
  detail: string
): (<A, E, R>(exchange: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ProviderError, R>) =>
  Effect.timeoutFail({ duration, onTimeout: () => new ProviderError({ kind: "timed_out", detail }) })

/** Returns a default for data that the credential may not read. */
export const orIfForbidden =
  <A>(value: A) =>
  <R>(read: Effect.Effect<A, ProviderError, R>): Effect.Effect<A, ProviderError, R> =>
    Effect.catchIf(
      read,
      ({ kind }) => kind === "forbidden",
      () => Effect.succeed(value)
    )

/** Makes a function that finds the meaning of a code in a provider's answer; it knows only these codes. */
export const makeKindLookup = (
  codes: ReadonlyArray<readonly [kind: ProviderError["kind"], ...codes: ReadonlyArray<string | number>]>
): ((code: string | number) => ProviderError["kind"] | undefined) => {
  const kinds = new Map(codes.flatMap(([kind, ...those]) => those.map((code) => [code, kind] as const)))
  return (code) => kinds.get(code)
}

/** The meaning of an error of a call that names a record of a zone that was there: 404 is about the record. */
export const toRecordAbsent = (error: ProviderError): ProviderError =>
  error.kind === "absent" ? new ProviderError({ ...error, kind: "record_absent" }) : error

export const toOpenFailure = (error: ProviderError): ProviderFailure =>
  toFailure(error, failureCodes[error.kind].opening)

export const toReadFailure = (error: ProviderError): ProviderFailure =>
  toFailure(error, failureCodes[error.kind].reading)

/** The failure of writing changes: unless the provider clearly refused, it is unknown whether they were made. */
export const toWriteFailure = (error: ProviderError): ProviderFailure | OutcomeUnknown | ZoneChanged => {
  const code = failureCodes[error.kind].writing
  if (code === "zone_changed") return new ZoneChanged({ detail: error.detail })
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
  readonly writing: ProviderFailureCode | "unknown" | "zone_changed"
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
  credential_expired: useSameCode("authorization_expired"),
  forbidden: useSameCode("authorization_insufficient_scope"),
  busy: useSameCode("provider_unavailable"),
  not_entitled: useSameCode("account_not_entitled"),
  absent: useSameCode("authorization_zone_mismatch"),
  record_absent: { ...unavailable, reading: "provider_snapshot_failed", writing: "zone_changed" },
  conflict: { ...unavailable, reading: "provider_snapshot_failed", writing: "zone_changed" },
  locked: useSameCode("provider_zone_locked")
}

const toFailure = (error: ProviderError, code: ProviderFailureCode): ProviderFailure =>
  new ProviderFailure({ code, ...detailsOf(error), ...(error.kind === "busy" ? { isBusy: true } : {}) })

const detailsOf = ({ detail, retryAfter }: ProviderError) => ({
  detail,
  ...(retryAfter === undefined ? {} : { retryAfter })
})
