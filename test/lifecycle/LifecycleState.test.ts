import { describe, expect, test } from "bun:test"
import { Array, DateTime, Either, FastCheck as fc, Option } from "effect"
import { ConnectionState, FailureCode, finalStates } from "../../src/domain/Connection.ts"
import { Plan } from "../../src/domain/Plan.ts"
import { type AuthorizationMethod, Provider } from "../../src/domain/Provider.ts"
import { advance, LifecycleEvent } from "../../src/lifecycle/LifecycleState.ts"
import { inState, requested, somePlan, someProvider } from "../persistence/someConnection.ts"

const now = DateTime.unsafeMake("2026-03-04T05:06:07.089Z")

const discovered = (
  changes = somePlan.changes,
  methods: Array.NonEmptyReadonlyArray<AuthorizationMethod> = ["oauth2_pkce", "manual"]
) =>
  LifecycleEvent.Discovered({
    provider: Provider.make({ ...someProvider, availableAuthorizationMethods: methods }),
    effectiveIntent: requested().effectiveIntent,
    plan: Plan.make({ ...somePlan, changes }),
    optionalFailures: ["TXT www record_value_rejected"]
  })

const discoveryFailed = (code: FailureCode, provider: Option.Option<Provider> = Option.none()) =>
  LifecycleEvent.DiscoveryFailed({ code, provider })

const canceled = LifecycleEvent.Canceled()

describe("the table of transitions", () => {
  const table: ReadonlyArray<[LifecycleEvent, ReadonlyArray<ConnectionState>]> = [
    [discovered(), ["requested"]],
    [discoveryFailed("internal_error"), ["requested"]],
    [canceled, ["requested", "awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed"]]
  ]

  for (const [event, states] of table) {
    test(`takes ${event._tag} in ${states.join(", ")}, and refuses it in every other state`, () => {
      const [refusals, taken] = Array.partitionMap(ConnectionState.literals, (state) =>
        Either.mapBoth(advance(inState(requested(), state), event, now), {
          onLeft: ({ event, from }) => ({ event, from }),
          onRight: () => state
        })
      )
      expect(taken).toEqual([...states])
      const others = ConnectionState.literals.filter((state) => !states.includes(state))
      expect(refusals).toEqual(others.map((from) => ({ event: event._tag, from })))
    })
  }

  test("leads out of no final state", () =>
    fc.assert(
      fc.property(fc.constantFrom(...finalStates), someEvents, (state, events) => {
        const ended = inState(requested(), state)
        expect(events.filter((event) => Either.isRight(advance(ended, event, now)))).toEqual([])
      })
    ))

  test("changes nothing about whose connection it is, what was asked for, and when", () =>
    fc.assert(
      fc.property(someEvents, (events) => {
        const first = requested()
        const last = events.reduce(
          (before, event) => Either.getOrElse(advance(before, event, now), () => before),
          first
        )
        const { applicationId, createdAt, id, intent, tenantId } = last
        expect({ applicationId, createdAt, id, intent, tenantId }).toEqual({
          applicationId: first.applicationId,
          createdAt: first.createdAt,
          id: first.id,
          intent: first.intent,
          tenantId: first.tenantId
        })
      })
    ))
})

describe("a discovery", () => {
  test("that found changes leads to the customer's authorization where a method is better than by hand", () => {
    const event = discovered()
    const { effectiveIntent, optionalFailures, plan, provider } = event
    expect(advanced(event)).toEqual(
      withFields({ effectiveIntent, optionalFailures, plan, provider, state: "awaiting_authorization" })
    )
  })

  test("that found changes leads to the customer's hands where nothing else is possible", () =>
    expect(advanced(discovered(somePlan.changes, ["manual"])).state).toBe("awaiting_manual"))

  test("that found nothing to change leads to verification, whatever the provider can do", () => {
    expect(advanced(discovered([])).state).toBe("verifying")
    expect(advanced(discovered([], ["manual"])).state).toBe("verifying")
  })

  test("that failed keeps the provider if it was found", () => {
    expect(advanced(discoveryFailed("zone_not_found", Option.some(someProvider))).provider).toEqual(someProvider)
    expect(advanced(discoveryFailed("zone_not_found")).provider).toBeUndefined()
  })
})

test("a cancellation leaves everything else as it was", () =>
  expect(advanced(canceled)).toEqual(withFields({ state: "canceled" })))

describe("a failure", () => {
  /** Where a retry after a failure in `requested` resumes; nowhere if a retry cannot help. */
  const resumeStates: { readonly [Code in FailureCode]: ConnectionState | undefined } = {
    domain_not_registered: "requested",
    caa_host_is_cname: undefined,
    domain_has_no_nameservers: "requested",
    zone_not_found: "requested",
    discovery_timeout: "requested",
    provider_unavailable: "requested",
    provider_rate_limited: "requested",
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
    internal_error: "requested"
  }

  for (const code of FailureCode.literals) {
    const resumeState = resumeStates[code]
    test(`with ${code} resumes at ${resumeState ?? "nothing, and a retry cannot help"}`, () => {
      const { failure, state } = advanced(discoveryFailed(code))
      expect({ ...failure, state }).toEqual({
        state: "failed",
        code,
        retryable: resumeState !== undefined,
        ...(resumeState === undefined ? {} : { resumeState }),
        occurredAt: now
      })
    })
  }
})

const advanced = (event: LifecycleEvent) => Either.getOrThrow(advance(requested(), event, now))

/** The fields of a connection that was just requested, and those that an event gave it. */
const withFields = (fields: object) => expect.objectContaining({ ...requested(), ...fields, updatedAt: now })

const someEvents = fc.array(
  fc.oneof(
    fc.constant(canceled),
    fc.constantFrom(...FailureCode.literals).map((code) => discoveryFailed(code)),
    fc.constantFrom(discovered(), discovered([]), discovered(somePlan.changes, ["manual"]))
  ),
  { maxLength: 5 }
)
