import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { type ConnectionState, FailureCode } from "../../../src/domain/connection/Connection.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { makeFailure, isRetryable } from "../../../src/lifecycle/state/failures.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"
import { connectionRecordIn, failureOf, now, restoreDirection } from "./connectionRecords.ts"
import { transitions } from "./tableTransitions.ts"

const none = undefined

/** Where a retry resumes, by the subject and the reason that a code names. */
const rules: ReadonlyArray<
  readonly [rule: string, codes: RegExp, resumeState: ConnectionState | "current" | undefined]
> = [
  ["a domain that could not be read is discovered again", /^(domain|zone|discovery)_(?!too_large)/, "requested"],
  ["a plan that is too large stays too large", /^plan_too_large$/, none],
  ["a refused access is authorized again", /^(authorization|credential|account)_/, "awaiting_authorization"],
  [
    "a zone that could not be read or written is planned again",
    /^(zone_too_large|provider_(snapshot|zone|record)_|apply_|record_value_)/,
    "authorized"
  ],
  ["records that were not served are verified again", /^verification_/, "verifying"],
  ["a challenge that was not entered is awaited again", /^control_unproven$/, "verifying"],
  ["records that were not entered are awaited again", /^manual_setup_/, "awaiting_manual"],
  [
    "a temporary disturbance resumes in the same state",
    /^(provider_(unavailable|rate_limited)|control_lost|internal_error)$/,
    "current"
  ],
  [
    "records that the zone or its provider cannot accept need another intent",
    /_(unsupported|impossible|is_cname|loop|delegated_elsewhere)$/,
    none
  ]
]

const failingStates = [
  ...new Set(transitions.filter(({ from, to }) => to === "failed" && from !== to).map(({ from }) => from))
]

describe("a failure", () => {
  for (const code of FailureCode.literals) {
    const matching = rules.filter(([, codes]) => codes.test(code))
    const [[rule, , resumeState] = ["", /./, none]] = matching

    test(`with ${code}: ${rule}`, () => {
      expect(matching).toHaveLength(1)
      expect(isRetryable(code)).toBe(resumeState !== none)
      for (const state of ["applying", "verifying"] as const)
        expect(makeFailure({ state }, { code }, now)).toEqual(
          failureOf(code, resumeState === "current" ? state : resumeState)
        )
    })
  }

  test("is retryable exactly if it names a state in which a retry resumes", () => {
    for (const code of FailureCode.literals)
      for (const state of failingStates) {
        const { resumeState, retryable } = makeFailure({ state }, { code }, now)
        expect(retryable).toBe(resumeState !== undefined)
        expect(retryable).toBe(isRetryable(code))
      }
  })

  test("resumes in a state that the table allows for a retry, from every state and in both directions", () => {
    for (const code of FailureCode.literals)
      for (const state of failingStates)
        for (const { connection } of [{ connection: {} }, restoreDirection]) {
          const failure = makeFailure({ state, ...connection }, { code }, now)
          const retried = advance(
            connectionRecordIn("failed", { connection: { ...connection, failure } }),
            LifecycleEvent.Retried({ toChoice: false }),
            now
          )
          expect(Either.getOrUndefined(retried)?.connection.state).toBe(failure.resumeState)
          if (failure.resumeState !== undefined) expect(transitionTable.Retried.failed).toContain(failure.resumeState)
        }
  })

  test("of a discovery that only refreshes a plan does not restart the connection", () => {
    for (const { from, to } of transitions.filter(({ event }) => event === "DiscoveryFailed"))
      expect(makeFailure({ state: from }, { code: "zone_not_found" }, now).resumeState).toBe(
        from === to ? from : "requested"
      )
  })
})

test("a connection that is being removed resumes where it was instead of starting again", () => {
  const disconnecting = { state: "disconnecting", direction: "restore" } as const
  for (const code of [
    "domain_not_registered",
    "domain_has_no_nameservers",
    "zone_not_found",
    "discovery_timeout"
  ] as const)
    expect(makeFailure(disconnecting, { code }, now)).toEqual(failureOf(code, "disconnecting"))
  expect(makeFailure(disconnecting, { code: "apply_partial" }, now)).toEqual(failureOf("apply_partial", "authorized"))
})
