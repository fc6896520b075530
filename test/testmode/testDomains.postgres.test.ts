import { expect } from "bun:test"
import { Effect } from "effect"
import { testDomains } from "../../src/testmode/testDomains.ts"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

type TestPlatform = Effect.Effect.Success<ReturnType<typeof requesterWith>>

/** What a platform sees of a test domain from the request to the end of the story. */
type Story = (platform: TestPlatform, domain: string) => Effect.Effect<void, unknown>

/** Authorizes, approves and becomes active. */
const becomesActive: Story = (platform, domain) =>
  Effect.gen(function* () {
    const { id } = yield* platform.connect(domain)
    expect((yield* platform.authorizeAndApprove(id, "active")).state).toBe("active")
  })

/** The customer enters the records by hand. */
const becomesActiveByHand: Story = (platform, domain) =>
  Effect.gen(function* () {
    const { id } = yield* platform.connect(domain)
    yield* platform.command(id, "authorization", { method: "manual" })
    yield* platform.waitFor(id, "awaiting_manual")
    yield* platform.test(id, "enter-records", {})
    yield* platform.waitFor(id, "active")
  })

/** The customer enters the plan before choosing to, and undoes by hand what they entered. */
const isUndoneByHand: Story = (platform, domain) =>
  Effect.gen(function* () {
    const { id } = yield* platform.connect(domain)
    yield* platform.test(id, "enter-records", {})
    yield* platform.command(id, "authorization", { method: "manual" })
    yield* Effect.repeat(platform.test(id, "enter-records", {}), {
      until: ({ json }): boolean => json.connection.state === "active"
    })
    yield* platform.command(id, "disconnect")
    const { leftovers, plan } = yield* Effect.repeat(Effect.delay(platform.read(id), "50 millis"), {
      until: ({ plan }): boolean => plan !== undefined
    })
    const described = plan.changes.map(({ after, before }: any) => [before?.type, before?.host, after?.value])
    expect(described).toContainAllValues([
      ["CNAME", "shop", undefined],
      [undefined, undefined, "203.0.113.11"],
      [undefined, undefined, `mail.${domain}`],
      ["TXT", "_domain-connection", undefined]
    ])
    expect(leftovers).toEqual([])
  })

/** The customer says whose the domain is: a wrong answer is refused with the token, the right one leads on. */
const isAskedForProvider: Story = (platform, domain) =>
  Effect.gen(function* () {
    const { id, provider, state } = yield* platform.connect(domain)
    expect([state, provider.id, provider.detection.method]).toEqual(["awaiting_authorization", "unknown", "nameserver"])
    expect(provider.detection.candidates).toEqual([
      { id: "test-dns", name: "Test DNS" },
      { id: "test-token-dns", name: "Test Token DNS" },
      { id: "test-registrar", name: "Test Registrar" }
    ])
    const select = (answer: string) =>
      Effect.flatMap(platform.send("POST", `/v1/connections/${id}/provider`, { provider: answer }), ({ status }) => {
        expect(status).toBe(200)
        return platform.waitFor(id, "awaiting_authorization")
      })
    expect((yield* select("test-dns")).provider.availableAuthorizationMethods).toContain("oauth2_pkce")
    const { failure } = yield* platform.authorizeAndApprove(id, "active")
    expect([failure?.code, failure?.resumeState]).toEqual(["authorization_zone_mismatch", "awaiting_authorization"])
    const { detection, name } = (yield* select("test-token-dns")).provider
    expect([name, detection.method]).toEqual(["Test Token DNS", "manual_selection"])
    expect((yield* platform.authorizeAndApprove(id, "active")).provider.id).toBe("test-token-dns")
  })

const failsAtOnce =
  (code: string, answer?: string): Story =>
  (platform, domain) =>
    Effect.gen(function* () {
      const { failure, state } = yield* platform.connect(domain)
      expect([state, failure?.code]).toEqual(["failed", code])
      if (answer !== undefined) expect(failure?.details).toMatchObject([{ answer }])
    })

/** The provider refuses the credential. */
const failsToOpen =
  (code: string): Story =>
  (platform, domain) =>
    Effect.gen(function* () {
      const { id } = yield* platform.connect(domain)
      const { failure, state } = yield* platform.authorizeAndApprove(id)
      expect([state, failure?.code]).toEqual(["failed", code])
    })

/** One of two changes is written, and a retry that is approved again writes the other one. */
const isWrittenInParts: Story = (platform, domain) =>
  Effect.gen(function* () {
    const records = ["shop", "app"].map((host) => ({ host, type: "CNAME", value: "shops.platform.example" }))
    const { id } = yield* platform.connect(domain, records)
    const failed = yield* platform.authorizeAndApprove(id, "failed")
    expect(failed.failure.code).toBe("apply_partial")
    yield* platform.command(id, "retry")
    const { state } = yield* platform.waitFor(id, "awaiting_authorization", "planned")
    if (state === "planned") yield* platform.approve(id, yield* platform.read(id))
    else yield* platform.authorizeAndApprove(id, "active")
    yield* platform.waitFor(id, "active")
  })

/** Stays `verifying` until ten minutes have passed. */
const waitsTenMinutes: Story = (platform, domain) =>
  Effect.gen(function* () {
    const { id } = yield* platform.connect(domain)
    yield* platform.authorizeAndApprove(id, "verifying")
    yield* platform.command(id, "recheck")
    expect((yield* platform.read(id)).state).toBe("verifying")
    yield* platform.test(id, "advance", { seconds: 600 })
    yield* platform.waitFor(id, "active")
  })

const warnsOf =
  (warning: string, records?: ReadonlyArray<object>): Story =>
  (platform, domain) =>
    Effect.gen(function* () {
      const { plan } = yield* platform.connect(domain, records)
      expect(plan.warnings).toContain(warning)
    })

const stories: Readonly<Record<string, Story>> = {
  "one-click": becomesActive,
  "token-only": becomesActive,
  "domain-connect": becomesActiveByHand,
  "by-hand": becomesActiveByHand,
  "unknown-provider": becomesActiveByHand,
  "shared-servers": isAskedForProvider,
  "two-providers": warnsOf("multi_provider_ns"),
  mail: (platform, domain) =>
    Effect.gen(function* () {
      const { plan } = yield* platform.connect(domain, [
        { host: "@", type: "TXT", value: "v=spf1 include:_spf.platform.example -all" }
      ])
      expect(plan.changes).toMatchObject([
        { action: "update", after: { value: "v=spf1 mx include:_spf.platform.example -all" } }
      ])
    }),
  "spf-full": warnsOf("spf_lookup_limit_exceeded", [
    { host: "@", type: "TXT", value: "v=spf1 include:_spf.platform.example include:_spf2.platform.example -all" }
  ]),
  caa: (platform, domain) =>
    Effect.gen(function* () {
      const { plan } = yield* platform.connect(domain, [
        { host: "@", type: "CAA", value: '0 issue "other.example.net"' }
      ])
      expect(plan.changes).toMatchObject([{ action: "create", after: { value: '0 issue "other.example.net"' } }])
    }),
  occupied: (platform, domain) =>
    Effect.gen(function* () {
      const { id, plan } = yield* platform.connect(domain)
      expect(plan.warnings).toEqual(["cname_replaces_records", "website_replaced", "mail_records_removed"])
      expect((yield* platform.authorizeAndApprove(id, "active")).state).toBe("active")
      yield* isUndoneByHand(platform, `cakes-${domain}`)
    }),
  wildcard: becomesActive,
  signed: warnsOf("dnssec_signed_zone"),
  "not-registered": failsAtOnce("domain_not_registered", "nxdomain"),
  "no-nameservers": failsAtOnce("domain_has_no_nameservers", "nodata"),
  lame: failsAtOnce("zone_not_found"),
  silent: failsAtOnce("discovery_timeout"),
  "provider-down": failsToOpen("provider_unavailable"),
  "credential-refused": failsToOpen("credential_invalid"),
  "read-only": failsToOpen("authorization_insufficient_scope"),
  "wrong-account": failsToOpen("authorization_zone_mismatch"),
  "not-entitled": failsToOpen("account_not_entitled"),
  locked: failsToOpen("provider_zone_locked"),
  "sign-in-expires": becomesActive,
  stale: (platform, domain) =>
    Effect.gen(function* () {
      const { id, plan } = yield* platform.connect(domain)
      const again = yield* platform.authorizeAndApprove(id, "planned")
      expect(again.plan.digest).not.toBe(plan.digest)
      yield* platform.approve(id, again)
      yield* platform.waitFor(id, "active")
    }),
  partial: isWrittenInParts,
  rejected: (platform, domain) =>
    Effect.gen(function* () {
      const { id } = yield* platform.connect(domain)
      const { failure } = yield* platform.authorizeAndApprove(id, "failed")
      expect([failure.code, failure.resumeState]).toEqual(["apply_rejected", "authorized"])
      expect(failure.details).toMatchObject([{ server: "Test DNS", host: "shop", type: "CNAME" }])
      yield* platform.command(id, "retry")
      yield* platform.approve(id, yield* platform.waitFor(id, "planned"))
      yield* platform.waitFor(id, "active")
    }),
  "rate-limited": becomesActive,
  unanswered: becomesActive,
  slow: waitsTenMinutes,
  "servers-disagree": waitsTenMinutes,
  degrades: (platform, domain) =>
    Effect.gen(function* () {
      const { id } = yield* platform.connect(domain)
      yield* platform.authorizeAndApprove(id, "active")
      const missed = yield* platform.test(id, "advance", { seconds: 3_600 })
      expect(missed.json.connection.state).toBe("active")
      yield* platform.test(id, "advance", { seconds: 300 })
      yield* platform.waitFor(id, "degraded")
    })
}

concurrentTest("every test domain does what its name promises", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const platform = yield* requesterWith(yield* issueTestKey(url))
      expect(Object.keys(stories)).toEqual(testDomains.map(({ name }) => name))
      const failures = yield* Effect.forEach(
        Object.entries(stories),
        ([name, story]) =>
          story(platform, `bakery-${name}.test`).pipe(
            Effect.as([]),
            Effect.catchAllCause((cause) => Effect.succeed([`${name}: ${cause}`]))
          ),
        { concurrency: 2 }
      )
      expect(failures.flat()).toEqual([])
    }).pipe(Effect.provide(testModeService(url)))
  })
)
