import type { HttpClient } from "@effect/platform"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { makeOvhApi, makeSignedOvhApi } from "../adapters/ovh/OvhApi.ts"
import { defaultTimeouts } from "../ProviderClient.ts"
import type { ProviderError } from "../ProviderError.ts"
import { AuthorizationResponseMismatch, makeInsufficientScope, type OAuthClient, OAuthFailure } from "./OAuthClient.ts"
import type { OAuthRegistration } from "./OAuthSettings.ts"

/**
 * The client of OVHcloud's own consent: the application asks for a consumer key with rights, which the customer allows on
 * a page for a time. The page sends back no code: the key itself tells what has become of it.
 */
export const makeOvhConsentClient = (
  http: HttpClient.HttpClient,
  application: OAuthRegistration,
  { call: timeout } = defaultTimeouts
): OAuthClient => {
  const access = { application, http, timeout }
  return {
    requestAuthorization: Effect.fnUntraced(function* ({ redirectUri, state, zone }) {
      const redirection = `${redirectUri}?${new URLSearchParams({ state })}`
      const body = { accessRules: listRights(yield* zone), redirection }
      const requested = makeOvhApi(access).call({ method: "POST", path: "/auth/credential", body, schema: PendingKey })
      const { consumerKey, validationUrl } = yield* Effect.mapError(requested, toFailure)
      return { authorizeUrl: validationUrl, verifier: consumerKey }
    }),
    exchangeCode: Effect.fnUntraced(function* (response, { state, verifier }) {
      if (response.get("state") !== state)
        return yield* new AuthorizationResponseMismatch({ detail: "the state is that of another request" })
      const { expiration, rules, status } = yield* readKey(access, verifier)
      if (status !== "validated")
        return yield* new OAuthFailure({ code: "authorization_denied", detail: `the key is ${status}` })
      const missing = findMissingRights(rules)
      if (missing.length > 0) return yield* makeInsufficientScope(missing)
      return {
        _tag: "oauth_token" as const,
        accessToken: verifier,
        ...Option.match(Option.flatMap(Option.fromNullable(expiration), DateTime.make), {
          onNone: () => ({}),
          onSome: (expiresAt) => ({ expiresAt: DateTime.toUtc(expiresAt) })
        })
      }
    }),
    refreshToken: Effect.succeed,
    revokeToken: ({ accessToken }) =>
      makeSignedOvhApi(access, accessToken).pipe(
        Effect.flatMap((api) => api.call({ method: "POST", path: "/auth/logout", schema: Schema.Null })),
        Effect.mapBoth({ onFailure: toFailure, onSuccess: () => undefined })
      )
  }
}

interface Right {
  readonly method: string
  readonly path: string
}

/** The rights of the one zone of a key that the key lacks. */
const findMissingRights = (rules: ReadonlyArray<Right>): ReadonlyArray<string> => {
  const [zone = "of the domain"] = rules.flatMap(({ path }) => /^\/domain\/zone\/([^/]+)/.exec(path)?.[1] ?? [])
  const granted = new Set(rules.map(formatRight))
  return listRights(zone)
    .map(formatRight)
    .filter((right) => !granted.has(right))
}

const formatRight = ({ method, path }: Right): string => `${method} ${path}`

/** What the service needs: the records of one zone, that they are served, and to know and to end its own key. */
const listRights = (zone: string): ReadonlyArray<Right> =>
  [
    `GET /domain/zone/${zone}`,
    `GET /domain/zone/${zone}/record`,
    `POST /domain/zone/${zone}/record`,
    ...["GET", "PUT", "DELETE"].map((method) => `${method} /domain/zone/${zone}/record/*`),
    `POST /domain/zone/${zone}/refresh`,
    "GET /auth/currentCredential",
    "POST /auth/logout"
  ].map((right) => {
    const [method = "", path = ""] = right.split(" ")
    return { method, path }
  })

/** A key that the customer has not allowed yet. */
const PendingKey = Schema.Struct({
  consumerKey: Schema.Redacted(Schema.NonEmptyString),
  validationUrl: Schema.String.pipe(Schema.pattern(/^https:\/\/[^\s\\@]+$/))
})

const CurrentKey = Schema.Struct({
  status: Schema.Literal("validated", "pendingValidation", "refused", "expired"),
  /** Absent if the customer has allowed it for good. */
  expiration: Schema.NullishOr(Schema.String),
  rules: Schema.Array(Schema.Struct({ method: Schema.String, path: Schema.String }))
})

/** OVHcloud knows no key that the customer has not allowed. */
const readKey = (
  access: Parameters<typeof makeSignedOvhApi>[0],
  key: Redacted.Redacted
): Effect.Effect<typeof CurrentKey.Type, OAuthFailure> =>
  Effect.flatMap(makeSignedOvhApi(access, key), (api) =>
    api.call({ method: "GET", path: "/auth/currentCredential", schema: CurrentKey })
  ).pipe(
    Effect.mapError((error) =>
      error.kind === "credential_expired" || error.kind === "credential_refused"
        ? new OAuthFailure({ code: "authorization_denied", detail: "the customer has not allowed the key" })
        : toFailure(error)
    )
  )

const toFailure = ({ detail, kind }: ProviderError): OAuthFailure =>
  new OAuthFailure({ code: kind === "rate_limited" ? "provider_rate_limited" : "provider_unavailable", detail })
