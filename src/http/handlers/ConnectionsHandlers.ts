import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { DateTime, Duration, Effect, Either, Option } from "effect"
import { DomainName, parseDomain } from "../../domain/DomainName.ts"
import { type InvalidOrigin, parseOrigin } from "../../domain/Origin.ts"
import { Connections } from "../../lifecycle/commands/Connections.ts"
import { ConnectionStore, type StoredConnection } from "../../persistence/stores/ConnectionStore.ts"
import { ConnectionViews } from "../../persistence/stores/ConnectionViews.ts"
import { BrowserTokens } from "../../security/BrowserTokens.ts"
import { Api } from "../contract/Api.ts"
import { InvalidRequest } from "../contract/errors.ts"
import { requireConnection, ServerCaller } from "../contract/securitySchemes.ts"
import { Drain } from "../middleware/Drain.ts"
import { defaultPageLimit, paginate } from "../contract/pagination.ts"
import { etagOf, matchesIfNoneMatch } from "../entityTags.ts"
import { connectionResponse, idempotencyOf, jsonResponse, replayedHeader } from "./responses.ts"

/** The endpoints of connections. Documents go out as they are kept, without being decoded on the way. */
export const ConnectionsHandlers = HttpApiBuilder.group(
  Api,
  "connections",
  Effect.fnUntraced(function* (handlers) {
    const connections = yield* Connections
    const tokens = yield* BrowserTokens
    const drain = yield* Drain
    const store = yield* ConnectionStore
    const views = yield* ConnectionViews

    return handlers
      .handle("create", ({ headers, payload }) =>
        Effect.gen(function* () {
          const { tenancy } = yield* ServerCaller
          const idempotency = yield* idempotencyOf(tenancy, {
            route: "POST /v1/connections",
            key: headers["idempotency-key"],
            body: payload.intent
          })
          const wait = waitOf(headers.prefer)
          const { replayed, stored } = yield* connections.create(tenancy, payload.intent, idempotency)
          if (Option.isNone(wait)) return created(stored, replayed, {})
          const within = (atMost: Duration.Duration) => connections.awaitDiscovery(tenancy, stored.id, atMost)
          const current = yield* drain.orElseOnDrain(within(wait.value), within(Duration.zero))
          return created(current, replayed, { "preference-applied": `wait=${Duration.toSeconds(wait.value)}` })
        }).pipe(Effect.catchTags({ StoreUnavailable: Effect.die, ConnectionNotFound: Effect.die }))
      )
      .handle("list", ({ urlParams: { createdAfter, cursor, domain, limit = defaultPageLimit, state } }) =>
        Effect.gen(function* () {
          const { tenancy } = yield* ServerCaller
          const found = yield* views.list(
            tenancy,
            {
              ...(state === undefined ? {} : { state }),
              // A name that is none has no connections.
              ...(domain === undefined ? {} : { domain: Either.getOrElse(parseDomain(domain), () => noDomain) }),
              ...(createdAfter === undefined ? {} : { createdAfter: DateTime.toDateUtc(createdAfter) })
            },
            { limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) }
          )
          const { nextCursor, page } = paginate(found, limit)
          const more = Option.match(nextCursor, { onNone: () => "", onSome: (cursor) => `,"nextCursor":"${cursor}"` })
          return jsonResponse(`{"connections":[${page.map(({ doc }) => doc).join()}]${more}}`)
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
      .handle("get", () =>
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const stored = yield* requireConnection
          return matchesIfNoneMatch(headers["if-none-match"] ?? "", etagOf(stored))
            ? HttpServerResponse.empty({ status: 304, headers: { etag: etagOf(stored) } })
            : connectionResponse(stored, 200)
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
      .handle("revokeTokens", ({ path: { connectionId } }) =>
        Effect.gen(function* () {
          const { tenancy } = yield* ServerCaller
          yield* store.find(tenancy, connectionId)
          yield* tokens.revoke(tenancy, connectionId)
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
  })
)

const noDomain = DomainName.make("invalid")

const created = (stored: StoredConnection, replayed: boolean, headers: Record<string, string>) =>
  connectionResponse(stored, 201, {
    location: `/v1/connections/${stored.id}`,
    ...replayedHeader(replayed),
    ...headers
  })

const maxWaitSeconds = 30

/** `Prefer: wait=N` (RFC 7240 section 4.3); what cannot be understood is no preference. */
const waitOf = (prefer: string | undefined): Option.Option<Duration.Duration> =>
  Option.fromNullable(/(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer ?? "")?.[1]).pipe(
    Option.map((seconds) => Duration.seconds(Math.min(Number(seconds), maxWaitSeconds)))
  )

const originRefused = ({ canonical }: InvalidOrigin): InvalidRequest => {
  const message = Option.match(canonical, {
    onNone: () => "origin must be exactly what a browser sends, such as https://shop.example.com",
    onSome: (origin) => `origin must be exactly what a browser sends: ${origin}`
  })
  const code = "origin_not_canonical"
  return new InvalidRequest({ code, message, details: [{ pointer: "/origin", code, message }] })
}
