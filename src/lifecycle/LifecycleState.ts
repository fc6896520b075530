import { Array, Data, type DateTime, Either, Option } from "effect"
import { Connection, type ConnectionState, Failure, type FailureCode } from "../domain/Connection.ts"
import type { EffectiveIntent } from "../domain/Intent.ts"
import type { Plan } from "../domain/Plan.ts"
import type { Provider } from "../domain/Provider.ts"

/** What can happen to a connection. */
export type LifecycleEvent = Data.TaggedEnum<{
  Discovered: {
    readonly provider: Provider
    readonly effectiveIntent: EffectiveIntent
    readonly plan: Plan
    readonly optionalFailures: ReadonlyArray<string>
  }
  DiscoveryFailed: { readonly code: FailureCode; readonly provider: Option.Option<Provider> }
  Canceled: {}
}>
export const LifecycleEvent = Data.taggedEnum<LifecycleEvent>()

/** The event cannot happen in this state. */
export class IllegalTransition extends Data.TaggedError("IllegalTransition")<{
  readonly from: ConnectionState
  readonly event: LifecycleEvent["_tag"]
}> {}

/** The only place where a connection changes its state; `now` becomes `updatedAt`. */
export const advance = (
  connection: Connection,
  event: LifecycleEvent,
  now: DateTime.Utc
): Either.Either<Connection, IllegalTransition> =>
  Array.contains(mayHappenIn[event._tag], connection.state)
    ? Either.right(entered(connection, event, now))
    : Either.left(new IllegalTransition({ from: connection.state, event: event._tag }))

/** In which states an event may happen: with `entered`, the whole table of transitions. */
const mayHappenIn: { readonly [Event in LifecycleEvent["_tag"]]: ReadonlyArray<ConnectionState> } = {
  Discovered: ["requested"],
  DiscoveryFailed: ["requested"],
  Canceled: ["requested", "awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed"]
}

const entered = (connection: Connection, event: LifecycleEvent, now: DateTime.Utc): Connection =>
  LifecycleEvent.$match(event, {
    Discovered: ({ effectiveIntent, optionalFailures, plan, provider }) =>
      Connection.make({
        ...connection,
        effectiveIntent,
        optionalFailures,
        plan,
        provider,
        state: afterDiscovery(plan, provider),
        updatedAt: now
      }),
    DiscoveryFailed: ({ code, provider }) =>
      Connection.make({
        ...connection,
        ...Option.match(provider, { onNone: () => ({}), onSome: (known) => ({ provider: known }) }),
        failure: failureOf(code, connection.state, now),
        state: "failed",
        updatedAt: now
      }),
    Canceled: () => Connection.make({ ...connection, state: "canceled", updatedAt: now })
  })

const afterDiscovery = (plan: Plan, provider: Provider): ConnectionState => {
  if (plan.changes.length === 0) return "verifying"
  return provider.availableAuthorizationMethods.some((method) => method !== "manual")
    ? "awaiting_authorization"
    : "awaiting_manual"
}

/** Whether trying again can help. */
export const isRetryable = (code: FailureCode): boolean => resumeStates[code] !== undefined

const failureOf = (code: FailureCode, last: ConnectionState, now: DateTime.Utc): Failure => {
  const resumeState = resumeStates[code] === "last" ? last : resumeStates[code]
  return Failure.make({
    code,
    retryable: resumeState !== undefined,
    ...(resumeState === undefined ? {} : { resumeState }),
    occurredAt: now
  })
}

/** Where a retry resumes: a state, the state in which the failure came, or nowhere if a retry cannot help. */
const resumeStates: { readonly [Code in FailureCode]: ConnectionState | "last" | undefined } = {
  domain_not_registered: "requested",
  caa_host_is_cname: undefined,
  domain_has_no_nameservers: "requested",
  zone_not_found: "requested",
  discovery_timeout: "requested",
  provider_unavailable: "last",
  provider_rate_limited: "last",
  authorization_denied: "awaiting_authorization",
  authorization_expired: "awaiting_authorization",
  authorization_revoked: "awaiting_authorization",
  authorization_insufficient_scope: "awaiting_authorization",
  authorization_zone_mismatch: "awaiting_authorization",
  credential_invalid: "awaiting_authorization",
  provider_snapshot_timeout: "authorized",
  provider_snapshot_failed: "authorized",
  provider_zone_locked: "authorized",
  provider_record_locked: undefined,
  apex_cname_unsupported: undefined,
  record_type_unsupported: undefined,
  record_value_rejected: undefined,
  spf_merge_impossible: undefined,
  host_delegated_elsewhere: undefined,
  apply_timeout: "authorized",
  apply_rejected: undefined,
  apply_partial: "authorized",
  verification_timeout: "verifying",
  verification_mismatch: "verifying",
  manual_setup_timeout: "awaiting_manual",
  internal_error: "last"
}
