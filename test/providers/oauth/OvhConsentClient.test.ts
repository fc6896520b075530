import { expect } from "bun:test"
import { DateTime, Effect, Redacted } from "effect"
import { makeOvhConsentClient } from "../../../src/providers/oauth/OvhConsentClient.ts"
import { live } from "../../support/effectTest.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { makeFakeOf, zone } from "../adapters/DescribedAdapter.ts"
import { makeConsentingOvh } from "./consentingOvh.ts"
import { application } from "../adapters/ovh/signedOvhCalls.ts"

const redirectUri = "https://here.example/v1/oauth/callback"
const state = "s".repeat(43)
const returned = { state, redirectUri }
const answer = new URLSearchParams({ state })

/** The client of the operator's application, and OVHcloud with its page of consent. */
const makeConsent = (secret = application.secret) =>
  Effect.gen(function* () {
    const ovh = makeConsentingOvh()
    const fake = yield* makeFakeOf(ovh)
    const registration = { clientId: application.key, clientSecret: Redacted.make(secret) }
    const client = makeOvhConsentClient(httpClientFor(fake), registration)
    const pending = client.requestAuthorization({ ...returned, zone: Effect.succeed(zone) })
    return { ...ovh, fake, client, pending }
  })

live("the customer is asked for the records of one zone, and for nothing else of the account", () =>
  Effect.gen(function* () {
    const { keys, pending } = yield* makeConsent()
    const { authorizeUrl, verifier } = yield* pending
    expect(authorizeUrl).toBe("https://eu.api.ovh.com/auth/?credentialToken=consumer-1-token")
    expect(Redacted.value(verifier)).toBe("consumer-1")
    const { redirection, rules } = keys().get("consumer-1") ?? { rules: [], redirection: "" }
    expect(redirection).toBe(`${redirectUri}?state=${state}`)
    expect(rules.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /domain/zone/${zone}`,
      `GET /domain/zone/${zone}/record`,
      `POST /domain/zone/${zone}/record`,
      `GET /domain/zone/${zone}/record/*`,
      `PUT /domain/zone/${zone}/record/*`,
      `DELETE /domain/zone/${zone}/record/*`,
      `POST /domain/zone/${zone}/refresh`,
      "GET /auth/currentCredential",
      "POST /auth/logout"
    ])
  })
)

live("the customers of another region are asked by its own API, of which the application is", () =>
  Effect.gen(function* () {
    for (const [region, baseUrl] of [
      ["ca", "https://ca.api.ovh.com/1.0"],
      ["us", "https://api.us.ovhcloud.com/1.0"]
    ] as const) {
      const { vendor } = makeConsentingOvh()
      const fake = yield* makeFakeOf({ vendor: { ...vendor, baseUrl } })
      const registration = { clientId: application.key, clientSecret: Redacted.make(application.secret), region }
      const client = makeOvhConsentClient(httpClientFor(fake), registration)
      yield* client.requestAuthorization({ ...returned, zone: Effect.succeed(zone) })
      expect(fake.calls().map(({ path }) => path)).toEqual(["/auth/credential"])
    }
  })
)

live("a key that the customer has allowed is the token, for the time that the customer chose", () =>
  Effect.gen(function* () {
    for (const [expiration, expected] of [
      ["2026-02-01T12:00:00+01:00", "2026-02-01T11:00:00.000Z"],
      [null, undefined]
    ] as const) {
      const { allow, client, pending } = yield* makeConsent()
      const { verifier } = yield* pending
      allow("consumer-1", { expiration })
      const token = yield* client.exchangeCode(answer, { ...returned, verifier })
      expect(Redacted.value(token.accessToken)).toBe("consumer-1")
      expect(token.expiresAt && DateTime.formatIso(token.expiresAt)).toBe(expected)
    }
  })
)

live("a customer who comes back without having allowed the key has denied it", () =>
  Effect.gen(function* () {
    const { client, pending } = yield* makeConsent()
    const { verifier } = yield* pending
    const failure = yield* Effect.flip(client.exchangeCode(answer, { ...returned, verifier }))
    expect(failure).toMatchObject({ _tag: "OAuthFailure", code: "authorization_denied" })
  })
)

live("a key with fewer rights than were asked for is insufficient, and the detail names those that it lacks", () =>
  Effect.gen(function* () {
    const { allow, client, keys, pending } = yield* makeConsent()
    const { verifier } = yield* pending
    const { rules = [] } = keys().get("consumer-1") ?? {}
    allow("consumer-1", { rules: rules.filter(({ method }) => method !== "DELETE") })
    expect(yield* Effect.flip(client.exchangeCode(answer, { ...returned, verifier }))).toMatchObject({
      code: "authorization_insufficient_scope",
      detail: `fewer rights were granted than requested: DELETE /domain/zone/${zone}/record/* is missing`
    })
  })
)

live("a return with the state of another request is no answer to this one", () =>
  Effect.gen(function* () {
    const { allow, client, pending } = yield* makeConsent()
    const { verifier } = yield* pending
    allow("consumer-1")
    const other = new URLSearchParams({ state: "o".repeat(43) })
    expect(yield* Effect.flip(client.exchangeCode(other, { ...returned, verifier }))).toMatchObject({
      _tag: "AuthorizationResponseMismatch"
    })
  })
)

live("a key that the service no longer needs is ended at OVHcloud", () =>
  Effect.gen(function* () {
    const { allow, client, keys, pending } = yield* makeConsent()
    const { verifier } = yield* pending
    allow("consumer-1")
    yield* client.revokeToken(yield* client.exchangeCode(answer, { ...returned, verifier }))
    expect(keys().size).toBe(0)
  })
)

live("a wrong secret of the application is no fault of the customer", () =>
  Effect.gen(function* () {
    const { allow, client, pending } = yield* makeConsent("another secret")
    const { verifier } = yield* pending
    allow("consumer-1")
    const failure = yield* Effect.flip(client.exchangeCode(answer, { ...returned, verifier }))
    expect(failure).toMatchObject({ code: "provider_unavailable" })
    expect(failure.message).not.toContain("consumer-1")
  })
)
