import { describe, expect, test } from "bun:test"
import { Effect, Redacted, Schema } from "effect"
import { defaultTimeouts } from "../../../src/providers/ProviderClient.ts"
import { makeOAuthClient } from "../../../src/providers/oauth/OAuthClient.ts"
import { type AuthorizationServer, OAuthSettings } from "../../../src/providers/oauth/OAuthSettings.ts"
import { live } from "../../support/effectTest.ts"
import { httpClient } from "../httpClient.ts"

const settingsOf = (origin: string, more: object = {}, server: Partial<AuthorizationServer> = {}) => ({
  ...Schema.decodeUnknownSync(OAuthSettings)({
    authorizeUrl: `${origin}/auth`,
    tokenUrl: `${origin}/token`,
    clientId: "client:1",
    ...more
  }),
  ...server
})

/** A client of a token endpoint with this response. */
const answering = (
  answer: (request: Request) => Response | Promise<Response>,
  more: object = {},
  timeouts = defaultTimeouts
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer })),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => makeOAuthClient(httpClient, settingsOf(`http://127.0.0.1:${port}`, more), timeouts)
  )

const request = {
  state: "a".repeat(43),
  verifier: Redacted.make("b".repeat(43)),
  redirectUri: "https://here.example/v1/oauth/callback"
}

const answer = new URLSearchParams({ code: "the-code", state: request.state })

const currentToken = {
  _tag: "oauth_token",
  accessToken: Redacted.make("old-access"),
  refreshToken: Redacted.make("old-refresh")
} as const

/** The error code of a token refresh at a server with this response. */
const codeOf = (body: object, status = 400) =>
  Effect.flatMap(
    answering(() => Response.json(body, { status })),
    (server) => Effect.map(Effect.flip(server.refreshToken(currentToken)), ({ code }) => code)
  )

const refused = (more: object) => () => expect(() => settingsOf("https://as.example", more)).toThrow()

describe("a client of an authorization server", () => {
  live("sends the customer to the server with S256, never with the verifier itself", () =>
    Effect.gen(function* () {
      const server = makeOAuthClient(httpClient, settingsOf("https://as.example", { scopes: ["a", "b"] }))
      const { authorizeUrl, verifier } = yield* server.requestAuthorization({ ...request, zone: Effect.never })
      const url = new URL(authorizeUrl)
      expect(Redacted.value(verifier)).toMatch(/^[\w-]{43}$/)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        response_type: "code",
        client_id: "client:1",
        redirect_uri: request.redirectUri,
        scope: "a b",
        state: request.state,
        code_challenge: new Bun.CryptoHasher("sha256").update(Redacted.value(verifier)).digest("base64url"),
        code_challenge_method: "S256"
      })
    })
  )

  for (const [method, header, body] of [
    ["client_secret_basic", `Basic ${btoa("client%3A1:s%2Bcret")}`, [null, null]],
    ["client_secret_post", null, ["client:1", "s+cret"]]
  ] as const) {
    live(`authenticates by ${method}`, () =>
      Effect.gen(function* () {
        const received: Array<unknown> = []
        const server = yield* answering(
          async (request) => {
            const form = new URLSearchParams(await request.text())
            received.push(request.headers.get("authorization"), [form.get("client_id"), form.get("client_secret")])
            received.push([
              form.get("grant_type"),
              form.get("code"),
              form.get("code_verifier"),
              form.get("redirect_uri")
            ])
            return Response.json({ access_token: "new", token_type: "Bearer", expires_in: 60 })
          },
          { clientSecret: "s+cret", tokenEndpointAuthMethod: method }
        )
        expect(Redacted.value((yield* server.exchangeCode(answer, request)).accessToken)).toBe("new")
        expect(received).toEqual([
          header,
          body,
          ["authorization_code", "the-code", "b".repeat(43), request.redirectUri]
        ])
      })
    )
  }

  live("revokes by the access token alone where that takes the place of the client", () =>
    Effect.gen(function* () {
      const received: Array<unknown> = []
      const revocations = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.serve({
            port: 0,
            hostname: "127.0.0.1",
            fetch: async (request) => {
              const form = new URLSearchParams(await request.text())
              received.push([request.headers.get("authorization"), form.get("token"), form.get("client_secret")])
              return Response.json({})
            }
          })
        ),
        (server) => Effect.promise(() => server.stop(true))
      )
      const origin = `http://127.0.0.1:${revocations.port}`
      const settings = settingsOf(
        origin,
        { clientSecret: "s3cret", revokeUrl: `${origin}/revoke` },
        { revocationAuthMethod: "bearer" }
      )
      yield* makeOAuthClient(httpClient, settings).revokeToken(currentToken)
      expect(received).toEqual([["Bearer old-access", "old-access", null]])
    })
  )

  live("times out, and its failure contains no secret", () =>
    Effect.gen(function* () {
      const server = yield* answering(() => new Promise(() => {}), {}, { ...defaultTimeouts, call: "200 millis" })
      const failure = yield* Effect.flip(server.exchangeCode(answer, request))
      expect(failure).toMatchObject({ code: "provider_unavailable", detail: "no answer within 200ms" })
      const echoing = yield* answering(async (request) => new Response(await request.text(), { status: 500 }))
      const failureText = JSON.stringify(yield* Effect.flip(echoing.refreshToken(currentToken)))
      expect(failureText).not.toContain("old-refresh")
    })
  )

  live("keeps a refresh token that is not replaced, and sends nothing without one", () =>
    Effect.gen(function* () {
      const server = yield* answering(() => Response.json({ access_token: "new", token_type: "bearer" }))
      const renewed = yield* server.refreshToken(currentToken)
      expect([renewed.accessToken, renewed.refreshToken].map((secret) => secret && Redacted.value(secret))).toEqual([
        "new",
        "old-refresh"
      ])
      const { refreshToken: _, ...lasting } = currentToken
      expect(yield* server.refreshToken(lasting)).toEqual(lasting)
    })
  )

  live("distinguishes a revoked grant from a failing server", () =>
    Effect.gen(function* () {
      expect(yield* codeOf({ error: "invalid_grant" })).toBe("authorization_revoked")
      expect(yield* codeOf({ error: "invalid_client" }, 401)).toBe("provider_unavailable")
      expect(yield* codeOf({ error: "temporarily_unavailable" }, 503)).toBe("provider_unavailable")
      expect(yield* codeOf({ error: "invalid_scope" })).toBe("authorization_insufficient_scope")
      expect(yield* codeOf({ oops: true })).toBe("provider_unavailable")
    })
  )

  for (const [what, changed] of [
    ["the state of another session", { state: "other" }],
    ["an unknown issuer", { iss: "https://elsewhere.example" }],
    ["a token instead of a code", { id_token: "x" }],
    ["a signed response that was not requested", { response: "x" }]
  ] as const) {
    live(`rejects ${what}`, () =>
      Effect.gen(function* () {
        const server = yield* answering(() => Response.json({}))
        const mixed = new URLSearchParams({ ...Object.fromEntries(answer), ...changed })
        expect(yield* Effect.flip(server.exchangeCode(mixed, request))).toMatchObject({
          _tag: "AuthorizationResponseMismatch"
        })
      })
    )
  }
})

describe("the settings of a client", () => {
  test("require https except on loopback", refused({ tokenUrl: "http://as.example/token" }))
  test("reject a user in a URL", refused({ tokenUrl: "https://a:b@as.example/token" }))
  test("reject a query in a URL", refused({ authorizeUrl: "https://as.example/auth?x=y" }))
  test("reject scopes with spaces", refused({ scopes: ["a b"] }))
  test("require a client", refused({ clientId: "" }))
})
