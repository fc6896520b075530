import { HttpApiBuilder } from "@effect/platform"
import { Effect, Struct } from "effect"
import { WebhookEndpoints } from "../../../webhooks/WebhookEndpoints.ts"
import { Api } from "../Api.ts"
import { ServerCaller } from "../../contract/securitySchemes.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { makeWebhookEndpointHandlers } from "./webhookEndpointHandlers.ts"
import { toListWindow, toPage, toPageRequest } from "../../contract/listParameters.ts"

export const WebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* WebhookEndpoints
    const shared = yield* makeWebhookEndpointHandlers(() =>
      Effect.map(ServerCaller, ({ tenancy }) => ({
        applicationId: tenancy.applicationId,
        tenancy,
        root: "/v1/webhook-endpoints"
      }))
    )
    const applicationOfCaller = Effect.map(ServerCaller, ({ tenancy }) => tenancy.applicationId)

    return yield* handlers
      .handle("create", shared.create)
      .handle("list", shared.list)
      .handle("get", shared.get)
      .handle("update", shared.update)
      .handle("replace", shared.replace)
      .handle("pause", shared.pause)
      .handle("resume", shared.resume)
      .handle("remove", shared.remove)
      .handle("rotateSecret", shared.rotateSecret)
      .handle("sendTest", shared.sendTest)
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
