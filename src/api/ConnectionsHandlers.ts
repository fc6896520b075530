import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import canonicalize from "canonicalize"
import { Duration, Effect, Either, Option } from "effect"
import { createHash } from "node:crypto"
import type { IntentRequest } from "../domain/Intent.ts"
import { type OriginNotCanonical, parseOrigin } from "../domain/Origin.ts"
import { Connections } from "../lifecycle/Connections.ts"
import { ConnectionNotFound, type StoredConnection } from "../persistence/ConnectionStore.ts"
import { BrowserTokens } from "../security/BrowserTokens.ts"
import { Api } from "./Api.ts"
import { ServerCaller } from "./ApiKeyAuth.ts"
import { VisibleConnection } from "./CallerAuth.ts"
import { Drain } from "./Drain.ts"
import { InvalidRequest } from "./InvalidRequest.ts"

/** The three endpoints of connections. Documents go out as they are kept, without being decoded on the way. */
export const ConnectionsHandlers = HttpApiBuilder.group(
  Api,
  "connections",
  Effect.fnUntraced(function* (handlers) {
    const connections = yield* Connections
    const tokens = yield* BrowserTokens
    const drain = yield* Drain

    return handlers
      .handle("create", ({ headers, payload }) =>
        Effect.gen(function* () {
          const { tenancy } = yield* ServerCaller
          const idempotency = Option.map(Option.fromNullable(headers["idempotency-key"]), idempotencyOf(payload.intent))
          const wait = waitOf(headers.prefer)
          const { replayed, stored } = yield* connections.create(tenancy, payload.intent, idempotency)
          if (Option.isNone(wait)) return created(stored, replayed, {})
          const within = (atMost: Duration.Duration) => connections.discovered(tenancy, stored.id, atMost)
          const current = yield* drain.orWhenDraining(within(wait.value), within(Duration.zero))
          return created(current, replayed, { "preference-applied": `wait=${Duration.toSeconds(wait.value)}` })
        }).pipe(Effect.catchTags({ StoreUnavailable: Effect.die, ConnectionNotFound: Effect.die }))
      )
      .handle("get", () =>
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const stored = yield* Effect.mapError(yield* VisibleConnection, () => ConnectionNotFound.error)
          return isCurrent(headers["if-none-match"], stored)
            ? HttpServerResponse.empty({ status: 304, headers: { etag: etagOf(stored) } })
            : answered(stored, 200, {})
        })
      )
      .handle("issueToken", ({ path, payload }) =>
        Effect.gen(function* () {
          const { keyId, tenancy } = yield* ServerCaller
          const origin = yield* Either.mapLeft(parseOrigin(payload.origin), originRefused)
          const issued = yield* tokens.issue(tenancy, { connectionId: path.connectionId, origin, apiKeyId: keyId })
          return { accessToken: issued.token, tokenType: "Bearer" as const, expiresAt: issued.expiresAt }
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
  })
)

const etagOf = ({ version }: StoredConnection): string => `"${version}"`

const isCurrent = (ifNoneMatch: string | undefined, stored: StoredConnection): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => ["*", etagOf(stored)].includes(tag.trim().replace(/^W\//, "")))

const answered = (stored: StoredConnection, status: number, headers: Record<string, string>) =>
  HttpServerResponse.text(`{"connection":${stored.doc}}`, {
    status,
    contentType: "application/json",
    headers: { etag: etagOf(stored), ...headers }
  })

const created = (stored: StoredConnection, replayed: boolean, headers: Record<string, string>) =>
  answered(stored, 201, {
    location: `/v1/connections/${stored.id}`,
    ...(replayed ? { "idempotent-replayed": "true" } : {}),
    ...headers
  })

const idempotencyOf = (intent: IntentRequest) => (key: string) => ({
  route: "POST /v1/connections",
  key,
  fingerprint: createHash("sha256")
    .update(canonicalize(intent) ?? "")
    .digest("hex")
})

const maxWaitSeconds = 30

/** `Prefer: wait=N` (RFC 7240 section 4.3); what cannot be understood is no preference. */
const waitOf = (prefer: string | undefined): Option.Option<Duration.Duration> =>
  Option.fromNullable(/(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer ?? "")?.[1]).pipe(
    Option.map((seconds) => Duration.seconds(Math.min(Number(seconds), maxWaitSeconds)))
  )

const originRefused = ({ canonical }: OriginNotCanonical): InvalidRequest => {
  const message = Option.match(canonical, {
    onNone: () => "origin must be exactly what a browser sends, such as https://shop.example.com",
    onSome: (origin) => `origin must be exactly what a browser sends: ${origin}`
  })
  const code = "origin_not_canonical"
  return new InvalidRequest({ code, message, details: [{ pointer: "/origin", code, message }] })
}
