import { HttpApiBuilder } from "@effect/platform"
import { Effect, Struct } from "effect"
import type { WebhookEndpointId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { WebhookEndpoints } from "../../../webhooks/WebhookEndpoints.ts"
import { Api } from "../Api.ts"
import { ServerCaller } from "../../contract/securitySchemes.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { toListWindow, toPage, toPageRequest } from "../listRequests.ts"
import { makeWebhookEndpointAnswers } from "./webhookEndpointAnswers.ts"

/** Handles the webhook endpoints of the application of an API key. */
export const WebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* WebhookEndpoints
    const answers = yield* makeWebhookEndpointAnswers

    const applicationOfCaller = Effect.map(ServerCaller, ({ tenancy }) => tenancy.applicationId)

    /** The endpoint that a request names, of the application of its API key. */
    const endpointOfCaller = ({ endpointId }: { readonly endpointId: WebhookEndpointId }) =>
      Effect.map(applicationOfCaller, (applicationId) => ({ applicationId, endpointId }))

    return yield* handlers
      .handle("create", ({ headers, payload }) =>
        Effect.flatMap(ServerCaller, ({ tenancy }) =>
          answers.create(tenancy.applicationId, payload, {
            tenancy,
            path: "/v1/webhook-endpoints",
            key: headers["idempotency-key"]
          })
        )
      )
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(applicationOfCaller, (applicationId) => answers.list(applicationId, toListWindow(urlParams)))
      )
      .handle("get", ({ path }) => Effect.flatMap(endpointOfCaller(path), answers.get))
      .handle("update", ({ headers, path, payload }) =>
        Effect.flatMap(endpointOfCaller(path), (endpoint) => answers.update(endpoint, headers["if-match"], payload))
      )
      .handle("replace", ({ headers, path, payload }) =>
        Effect.flatMap(endpointOfCaller(path), (endpoint) => answers.replace(endpoint, headers["if-match"], payload))
      )
      .handle("pause", ({ headers, path }) =>
        Effect.flatMap(endpointOfCaller(path), (endpoint) => answers.setStatus(endpoint, headers["if-match"], "paused"))
      )
      .handle("resume", ({ headers, path }) =>
        Effect.flatMap(endpointOfCaller(path), (endpoint) =>
          answers.setStatus(endpoint, headers["if-match"], "enabled")
        )
      )
      .handle("remove", ({ headers, path }) =>
        Effect.flatMap(endpointOfCaller(path), (endpoint) => answers.remove(endpoint, headers["if-match"]))
      )
      .handle("rotateSecret", ({ headers, path }) =>
        Effect.flatMap(endpointOfCaller(path), (endpoint) => answers.rotateSecret(endpoint, headers["if-match"]))
      )
      .handle("sendTest", ({ path }) => Effect.flatMap(endpointOfCaller(path), answers.sendTest))
      .handle("listDeliveries", ({ path, urlParams: { status, ...parameters } }) =>
        Effect.gen(function* () {
          const rows = yield* webhooks.listDeliveries(
            yield* applicationOfCaller,
            path.endpointId,
            status === undefined ? {} : { statuses: status },
            toPageRequest(parameters)
          )
          const { page, ...next } = toPage(
            rows.map((row) => ({ ...row, id: row.eventId })),
            parameters
          )
          return { deliveries: page.map(Struct.omit("id")), ...next }
        })
      )
      .handle("replay", ({ path: { endpointId, eventId } }) =>
        Effect.gen(function* () {
          const replayed = webhooks.replay(yield* applicationOfCaller, endpointId, eventId)
          return { delivery: yield* replayed }
        })
      )
      .handle("replayMany", ({ path, payload: { cursor, from, status, to } }) =>
        Effect.gen(function* () {
          const replayed = yield* webhooks.replayMany(
            yield* applicationOfCaller,
            path.endpointId,
            status === undefined ? {} : { statuses: [status] },
            {
              ...toListWindow({ createdAfter: from, ...(to === undefined ? {} : { createdBefore: to }) }),
              limit: replaysAtOnce,
              ...(cursor === undefined ? {} : { after: cursor })
            }
          )
          const last = replayed.at(-1)
          return {
            replayed: replayed.length,
            ...(last === undefined || replayed.length < replaysAtOnce ? {} : { nextCursor: last })
          }
        })
      )
      .pipe(serveEndpoints)
  })
)

/** The most deliveries of one request, so that none locks many rows for long. */
const replaysAtOnce = 1_000
