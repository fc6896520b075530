import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Option, type Redacted, Schema, Struct } from "effect"
import type { StoredWebhookEndpoint } from "../../persistence/stores/StoredWebhookEndpoint.ts"
import type { WebhookEndpointChange } from "../../persistence/stores/WebhookEndpointStore.ts"
import { RequestFingerprints } from "../../security/RequestFingerprints.ts"
import { WebhookEndpoints } from "../../webhooks/WebhookEndpoints.ts"
import { Api } from "../contract/Api.ts"
import { WebhookEndpointBody, type WebhookEndpointUpdate, WebhookSecretBody } from "../contract/WebhooksApi.ts"
import { defaultPageLimit, paginate } from "../contract/requestSchemas.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { etagOf, matchesIfMatch } from "../entityTags.ts"
import { requireEmptyBody } from "../middleware/limitJsonBody.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"
import { idempotencyOf, toReplayedHeader } from "./responses.ts"

/** Handles the webhook endpoints of the application of an API key. */
export const WebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* WebhookEndpoints
    const fingerprints = yield* RequestFingerprints

    const applicationOfCaller = Effect.map(ServerCaller, ({ tenancy }) => tenancy.applicationId)

    return yield* handlers
      .handle(
        "create",
        Effect.fnUntraced(function* ({ headers, payload }) {
          const { tenancy } = yield* ServerCaller
          const idempotency = yield* idempotencyOf(fingerprints, tenancy, {
            route: "POST /v1/webhook-endpoints",
            key: headers["idempotency-key"],
            body: payload
          })
          const { isReplayed, secret, stored } = yield* webhooks.create(tenancy.applicationId, payload, idempotency)
          return respondWithSecret(stored, secret, 201, {
            location: `/v1/webhook-endpoints/${stored.endpoint.id}`,
            ...toReplayedHeader(isReplayed)
          })
        })
      )
      .handle("list", () =>
        Effect.map(Effect.flatMap(applicationOfCaller, webhooks.list), (stored) => ({
          endpoints: stored.map(({ endpoint }) => endpoint)
        }))
      )
      .handle("get", ({ path }) =>
        Effect.map(
          Effect.flatMap(applicationOfCaller, (applicationId) => webhooks.find(applicationId, path.endpointId)),
          respondWithEndpoint
        )
      )
      .handle("update", ({ headers, path, payload }) =>
        Effect.gen(function* () {
          const applicationId = yield* applicationOfCaller
          const selection = { applicationId, id: path.endpointId, matches: matcherOf(headers["if-match"]) }
          return respondWithEndpoint(yield* webhooks.update(selection, (current) => toChange(current, payload)))
        })
      )
      .handle("remove", ({ headers, path }) =>
        Effect.flatMap(applicationOfCaller, (applicationId) =>
          webhooks.remove({ applicationId, id: path.endpointId, matches: matcherOf(headers["if-match"]) })
        )
      )
      .handle("rotateSecret", ({ headers, path }) =>
        Effect.gen(function* () {
          yield* requireEmptyBody
          const applicationId = yield* applicationOfCaller
          const selection = { applicationId, id: path.endpointId, matches: matcherOf(headers["if-match"]) }
          const { secret, stored } = yield* webhooks.rotateSecret(selection)
          return respondWithSecret(stored, secret, 200)
        })
      )
      .handle("sendTest", ({ path }) =>
        Effect.gen(function* () {
          yield* requireEmptyBody
          return { delivery: yield* webhooks.sendTest(yield* applicationOfCaller, path.endpointId) }
        })
      )
      .handle("listDeliveries", ({ path, urlParams: { createdAfter, cursor, limit = defaultPageLimit, status } }) =>
        Effect.gen(function* () {
          const rows = yield* webhooks.listDeliveries(
            yield* applicationOfCaller,
            path.endpointId,
            {
              ...(status === undefined ? {} : { status }),
              ...(createdAfter === undefined ? {} : { from: DateTime.toDateUtc(createdAfter) })
            },
            { limit: limit + 1, ...(cursor === undefined ? {} : { before: cursor }) }
          )
          const { nextCursor, page } = paginate(
            rows.map((row) => ({ ...row, id: row.eventId })),
            limit
          )
          return {
            deliveries: page.map(Struct.omit("id")),
            ...Option.match(nextCursor, { onNone: () => ({}), onSome: (nextCursor) => ({ nextCursor }) })
          }
        })
      )
      .handle("replay", ({ path: { endpointId, eventId } }) =>
        Effect.gen(function* () {
          yield* requireEmptyBody
          return { delivery: yield* webhooks.replay(yield* applicationOfCaller, endpointId, eventId) }
        })
      )
      .handle("replayMany", ({ path, payload: { cursor, from, status, to } }) =>
        Effect.gen(function* () {
          const replayed = yield* webhooks.replayMany(
            yield* applicationOfCaller,
            path.endpointId,
            {
              from: DateTime.toDateUtc(from),
              ...(to === undefined ? {} : { to: DateTime.toDateUtc(to) }),
              ...(status === undefined ? {} : { status })
            },
            { limit: replaysAtOnce, ...(cursor === undefined ? {} : { after: cursor }) }
          )
          const last = replayed.at(-1)
          return {
            replayed: replayed.length,
            ...(last === undefined || replayed.length < replaysAtOnce ? {} : { nextCursor: last })
          }
        })
      )
      .pipe(compileHandlers)
  })
)

/** The most deliveries of one request, so that none locks many rows for long. */
const replaysAtOnce = 1_000

const matcherOf =
  (ifMatch: string | undefined) =>
  (stored: StoredWebhookEndpoint): boolean =>
    ifMatch === undefined || matchesIfMatch(ifMatch, etagOf(stored))

/** An endpoint that the service paused goes on when it is enabled. */
const toChange = (
  { endpoint }: StoredWebhookEndpoint,
  { status = endpoint.status, ...settings }: WebhookEndpointUpdate
): WebhookEndpointChange => ({
  settings,
  ...(status === "paused" ? { pauseReason: endpoint.pauseReason ?? "requested" } : {})
})

const respondWithEndpoint = (stored: StoredWebhookEndpoint) =>
  HttpServerResponse.unsafeJson(encodeEndpoint({ endpoint: stored.endpoint }), { headers: { etag: etagOf(stored) } })

const respondWithSecret = (
  stored: StoredWebhookEndpoint,
  secret: Redacted.Redacted,
  status: number,
  headers: Record<string, string> = {}
) =>
  HttpServerResponse.unsafeJson(encodeWithSecret({ endpoint: stored.endpoint, secret }), {
    status,
    headers: { etag: etagOf(stored), ...headers }
  })

const encodeEndpoint = Schema.encodeSync(WebhookEndpointBody)

const encodeWithSecret = Schema.encodeSync(WebhookSecretBody)
