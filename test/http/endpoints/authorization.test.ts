import { expect } from "bun:test"
import { DateTime, Effect, Layer, Option } from "effect"
import { type ConnectionState, Failure, type FailureCode } from "../../../src/domain/connection/Connection.ts"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { googleServiceAccount } from "../../domain/serviceAccounts.ts"
import { ownTenancy, samplePlan, sampleProvider } from "../../persistence/connectionFixtures.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, jsonOf, post } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import {
  credentialsByKind,
  type DirectCredential,
  providerAccepting,
  storedCredential
} from "../support/credentials.ts"
import { connectionAndTimeline, createInState, expectNoEffect, idIn } from "../support/commandFixtures.ts"
import type { ExpectedError } from "../support/expectError.ts"

const authorize = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  post(`${path}/authorization`, key, body, headers)

const withCredential = (credential: unknown, fields: object = {}) => ({
  method: "direct_credential",
  credential,
  ...fields
})

const token = { apiToken: "a-token-of-a-customer" }

const clock = adjustableClock()

withLayer("authorization with a credential", Layer.provide(apiInMemory(), clock.layer), (live) => {
  credentialsByKind.forEach(([kind, fields]) =>
    live(`seals a credential of the kind ${kind} and schedules the provision phase`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("awaiting_authorization", {
          connection: { provider: providerAccepting(kind) }
        })
        const response = yield* authorize(path, key, withCredential(fields))
        expect([response.status, (yield* jsonOf(response)).connection.state]).toEqual([200, "authorized"])
        expect<unknown>(yield* storedCredential(path)).toEqual(Option.some({ kind, ...fields }))
        const { connections, credentials } = yield* Tables
        expect(connections.get(idIn(path))?.phase).toEqual(Option.some("provision"))
        const sealed = Buffer.from(credentials.get(idIn(path))?.sealed.ciphertext ?? []).toString("latin1")
        expect(Object.values(fields).filter((value) => sealed.includes(value))).toEqual([])
      })
    )
  )

  live("expires after an hour", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      yield* authorize(path, key, withCredential(token))
      yield* clock.move("59 minutes")
      expect(Option.isSome(yield* storedCredential(path))).toBe(true)
      yield* clock.move("1 minute")
      expect(yield* storedCredential(path)).toEqual(Option.none())
    })
  )

  live("can replace manual setup", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_manual")
      expect((yield* authorize(path, key, withCredential(token))).status).toBe(200)
      expect((yield* connectionAndTimeline(path, key)).timeline.slice(2)).toEqual([
        "awaiting_manual→awaiting_authorization",
        "awaiting_authorization→authorized"
      ])
    })
  )

  live("can be repeated after an invalid credential, without a retry command", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("failed", { connection: { failure: failureOf("credential_invalid") } })
      expect((yield* authorize(path, key, withCredential(token))).status).toBe(200)
      const { connection, timeline } = yield* connectionAndTimeline(path, key)
      expect([connection.state, connection.failure]).toEqual(["authorized", undefined])
      expect(timeline.slice(2)).toEqual(["failed→awaiting_authorization", "awaiting_authorization→authorized"])
    })
  )

  live("stores its consent for the next plan", () =>
    Effect.gen(function* () {
      const { findRecord } = yield* ConnectionStore
      const consent = { approvedDigest: samplePlan.digest, acknowledge: samplePlan.warnings }
      for (const [fields, expected] of [
        [consent, { digest: samplePlan.digest, acknowledged: samplePlan.warnings }],
        [{ approvedDigest: samplePlan.digest }, { digest: samplePlan.digest, acknowledged: [] }],
        [{ acknowledge: samplePlan.warnings }, undefined],
        [{}, undefined]
      ] as const) {
        const { id, key, path } = yield* createInState("awaiting_authorization")
        expect((yield* authorize(path, key, withCredential(token, fields))).status).toBe(200)
        expect((yield* findRecord(ownTenancy, id)).progress.consent).toEqual(expected)
      }
    })
  )

  live("answers 409 to a second credential and keeps the first", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("authorizing")
      yield* authorize(path, key, withCredential({ apiToken: "first" }))
      expect((yield* authorize(path, key, withCredential({ apiToken: "second" }))).status).toBe(409)
      expect(yield* storedCredential(path)).toEqual(Option.some({ kind: "api_token", apiToken: "first" }))
    })
  )
})

const mismatch = (...details: NonNullable<ExpectedError["details"]>): ExpectedError => ({
  status: 422,
  code: "credential_kind_mismatch",
  details
})

withLayer("a credential of the wrong kind", apiInMemory(), (live) => {
  const invalidRequests: ReadonlyArray<readonly [DirectCredential, object, NonNullable<ExpectedError["details"]>]> = [
    ["api_token", {}, [["/credential/apiToken", "missing"]]],
    ["api_token", { apiToken: "" }, [["/credential/apiToken", "invalid"]]],
    [
      "api_token",
      { token: "a-token" },
      [
        ["/credential/token", "unknown_field", { suggestion: "apiToken" }],
        ["/credential/apiToken", "missing"]
      ]
    ],
    ["api_token", { ...token, scope: "all" }, [["/credential/scope", "unknown_field"]]],
    ["api_token", { ...token, "a/b~c": "x" }, [["/credential/a~1b~0c", "unknown_field"]]],
    ["api_token", { ...token, _tag: "api_token" }, [["/credential/_tag", "unknown_field"]]],
    [
      "api_token",
      { apiKey: "a-key", apiSecret: "a-secret" },
      [
        ["/credential/apiKey", "unknown_field"],
        ["/credential/apiSecret", "unknown_field"],
        ["/credential/apiToken", "missing"]
      ]
    ],
    [
      "username_api_key",
      { username: "", apiKey: "" },
      [
        ["/credential/username", "invalid"],
        ["/credential/apiKey", "invalid"]
      ]
    ],
    ["tsig_key", { name: "key.example.com", algorithm: "hmac-sha256" }, [["/credential/secret", "missing"]]]
  ]
  invalidRequests.forEach(([kind, fields, details]) =>
    live(`answers 422 with a pointer to each wrong field: ${JSON.stringify(fields)} for ${kind}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("awaiting_authorization", {
          connection: { provider: providerAccepting(kind) }
        })
        yield* expectNoEffect(path, key, authorize(path, key, withCredential(fields)), mismatch(...details))
        expect(yield* storedCredential(path)).toEqual(Option.none())
      })
    )
  )

  live("says of an empty field that it must not be empty", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      const { error } = yield* jsonOf(yield* authorize(path, key, withCredential({ apiToken: "" })))
      expect(error.details).toEqual([
        { pointer: "/credential/apiToken", code: "invalid", message: "must not be empty" }
      ])
    })
  )

  live("answers 422 even in a state that does not allow an authorization", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active")
      const request = authorize(path, key, withCredential({}))
      yield* expectNoEffect(path, key, request, mismatch(["/credential/apiToken", "missing"]))
    })
  )

  live("answers 422 authorization_method_unavailable if the provider accepts no credential", () =>
    Effect.gen(function* () {
      const provider = Provider.make({ ...sampleProvider, availableAuthorizationMethods: ["manual"] })
      const { key, path } = yield* createInState("awaiting_manual", { connection: { provider } })
      yield* expectNoEffect(path, key, authorize(path, key, withCredential(token)), {
        status: 422,
        code: "authorization_method_unavailable",
        details: [["/method", "authorization_method_unavailable"]]
      })
    })
  )
})

withLayer("a replayed authorization by OAuth", apiInMemory(), (live) => {
  live("answers 409 with what is possible now, if its session has ended", () =>
    Effect.gen(function* () {
      const provider = Provider.make({ ...sampleProvider, availableAuthorizationMethods: ["oauth2_pkce", "manual"] })
      const { key, path } = yield* createInState("awaiting_authorization", { connection: { provider } })
      const start = post(`${path}/authorization`, key, { method: "oauth2_pkce" }, { "idempotency-key": "once" })
      expect((yield* start).status).toBe(200)
      expect((yield* authorize(path, key, { method: "manual" })).status).toBe(200)
      const { connection } = yield* connectionAndTimeline(path, key)
      const replayed = yield* start
      const { error } = yield* jsonOf(replayed)
      expect([replayed.status, error.code]).toEqual([409, "state_conflict"])
      expect(error.message).toStartWith("the OAuth session that this request started has ended")
      expect(error.allowedActions).toEqual(connection.allowedActions)
      expect(error.allowedActions).toContain("authorization")
    })
  )
})

withLayer("an invalid authorization request", apiInMemory(), (live) => {
  const invalidRequests: ReadonlyArray<readonly [string, unknown, ExpectedError["details"]]> = [
    ["no method", {}, [["/method", "missing"]]],
    ["an unknown method", { method: "by_post" }, [["/method", "invalid"]]],
    ["no credential", { method: "direct_credential" }, [["/credential", "missing"]]],
    ["a credential that is a string", withCredential("a-secret-token"), [["/credential", "invalid"]]],
    ["a credential with a number", withCredential({ apiToken: 4_711 }), [["/credential/apiToken", "invalid"]]],
    [
      "a credential that is too long",
      withCredential({ apiToken: "s3cret".repeat(3_000) }),
      [["/credential/apiToken", "invalid"]]
    ],
    [
      "a TSIG key of an algorithm that is not secure",
      withCredential({ name: "a", algorithm: "hmac-md5", secret: "AA==" }),
      [["/credential/algorithm", "invalid"]]
    ],
    [
      "a TSIG key whose secret is not Base64",
      withCredential({ name: "a", algorithm: "hmac-sha256", secret: "not base64!" }),
      [["/credential/secret", "invalid"]]
    ],
    [
      "a TSIG key whose secret is empty, and whose algorithm is another",
      withCredential({ name: "a", algorithm: "", secret: "" }),
      [
        ["/credential/algorithm", "invalid"],
        ["/credential/secret", "invalid"]
      ]
    ],
    [
      "a TSIG key whose secret is not Base64, without an algorithm",
      withCredential({ name: "a", secret: "not base64!" }),
      [["/credential/secret", "invalid"]]
    ],
    ...["", ".", "@", "my key", "a..b", `${"a".repeat(64)}.example.com`, "a.".repeat(127) + "aa"].map(
      (name): readonly [string, unknown, ExpectedError["details"]] => [
        `a TSIG key with the name "${name}"`,
        withCredential({ name, algorithm: "hmac-sha256", secret: "AA==" }),
        [["/credential/name", "invalid"]]
      ]
    ),
    ["a service account that is not JSON", withCredential({ json: "{" }), [["/credential/json", "invalid"]]],
    ["a method that there is not", { method: "telephone" }, [["/method", "invalid"]]],
    ["an unknown field", { method: "manual", colour: "red" }, [["/colour", "unknown_field"]]],
    [
      "a credential with the manual method",
      { method: "manual", credential: token },
      [["/credential", "unknown_field"]]
    ],
    ["an invalid digest", withCredential(token, { approvedDigest: "sha-256:abc" }), [["/approvedDigest", "invalid"]]],
    ["an unknown warning", withCredential(token, { acknowledge: ["everything"] }), [["/acknowledge/0", "invalid"]]],
    ["an array", [], [["", "invalid"]]]
  ]
  invalidRequests.forEach(([name, body, details]) =>
    live(`answers 400: ${name}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("awaiting_authorization")
        yield* expectNoEffect(path, key, authorize(path, key, body), {
          status: 400,
          code: "invalid_request",
          ...(details === undefined ? {} : { details })
        })
      })
    )
  )
})

const messagesOf = (body: unknown) =>
  Effect.gen(function* () {
    const { key, path } = yield* createInState("awaiting_authorization")
    const { error } = yield* jsonOf(yield* authorize(path, key, body))
    return error.details.map(({ message }: { readonly message: string }) => message)
  })

withLayer("the error of an invalid authorization request", apiInMemory(), (live) => {
  live("lists the methods that are accepted", () =>
    Effect.gen(function* () {
      expect(yield* messagesOf({ method: "telephone" })).toEqual([
        'must be one of "manual", "direct_credential", "oauth2_pkce", "domain_connect"'
      ])
    })
  )

  live("names the missing fields of a service account, and repeats no value of it", () =>
    Effect.gen(function* () {
      const { client_email, project_id } = googleServiceAccount
      const json = JSON.stringify({ type: "service_account", client_email, project_id })
      expect(yield* messagesOf(withCredential({ json }))).toEqual([
        "is the key file of a Google service account, but lacks private_key"
      ])
    })
  )

  live("says what a TSIG key is, and never repeats the secret", () =>
    Effect.gen(function* () {
      const credential = { name: "a", algorithm: "hmac-md5", secret: "not base64!" }
      expect(yield* messagesOf(withCredential(credential))).toEqual([
        "must be one of hmac-sha256, hmac-sha384, hmac-sha512",
        "must be a key in Base64"
      ])
    })
  )
})

withLayer("manual authorization", apiInMemory(), (live) => {
  live("starts verification and stores no credential", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      const { connection } = yield* jsonOf(yield* authorize(path, key, { method: "manual" }))
      expect(connection.state).toBe("awaiting_manual")
      const { connections, credentials } = yield* Tables
      expect(connections.get(idIn(path))?.phase).toEqual(Option.some("verify"))
      expect(credentials.size).toBe(0)
    })
  )

  live("starts the manual removal of the records while disconnecting", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization", {
        connection: { direction: "restore" },
        progress: { hasWritten: true }
      })
      const { connection } = yield* jsonOf(yield* authorize(path, key, { method: "manual" }))
      expect([connection.state, connection.direction]).toEqual(["disconnecting", "restore"])
      expect((yield* Tables).connections.get(idIn(path))?.phase).toEqual(Option.some("restore"))
    })
  )
})

const failureOf = (code: FailureCode, resumeState: ConnectionState = "awaiting_authorization") =>
  Failure.make({ code, retryable: true, resumeState, occurredAt: DateTime.unsafeMake("2026-01-02T03:04:05.678Z") })
