import { describe, expect, test } from "bun:test"
import { type ConnectionState, FailureCode } from "../../../src/domain/Connection.ts"
import { failureAt, isRetryable } from "../../../src/lifecycle/state/failures.ts"
import { failureOf, now } from "./connectionRecords.ts"

/** Where a retry resumes, from the page of the design; "last" where the failure came, and nowhere if it cannot help. */
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

describe("a failure", () => {
  for (const code of FailureCode.literals) {
    const resumeState = resumeStates[code]
    test(`with ${code} resumes at ${resumeState ?? "nothing: a retry cannot help"}`, () => {
      expect(isRetryable(code)).toBe(resumeState !== undefined)
      for (const state of ["applying", "verifying"] as const)
        expect(failureAt({ state }, code, now)).toEqual(failureOf(code, resumeState === "last" ? state : resumeState))
    })
  }
})

test("a connection that is leaving resumes where it was instead of being begun anew", () => {
  const leaving = { state: "disconnecting", direction: "restore" } as const
  for (const code of [
    "domain_not_registered",
    "domain_has_no_nameservers",
    "zone_not_found",
    "discovery_timeout"
  ] as const)
    expect(failureAt(leaving, code, now)).toEqual(failureOf(code, "disconnecting"))
  expect(failureAt(leaving, "apply_partial", now)).toEqual(failureOf("apply_partial", "authorized"))
})
