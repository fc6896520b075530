import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DeliveryStatus, WebhookDelivery } from "../../../domain/webhook/WebhookDelivery.ts"
import { WebhookEndpointId, WebhookEventId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { WebhookDeliveryNotFound, WebhookEndpointNotFound } from "../../../webhooks/webhookErrors.ts"
import { defineErrorResponse, oneOf } from "../../contract/defineErrorResponse.ts"
import {
  commandLimited,
  idempotencyKeyReused,
  invalidBody,
  invalidRequest,
  unavailable
} from "../../contract/operationErrors.ts"
import { IdempotencyKeyHeader, IfMatchHeader, QueryTimestamp, strictParsing } from "../../contract/requestSchemas.ts"
import {
  documentListParameters,
  listPage,
  listWindow,
  NextPageCursor,
  PageCursor,
  severalOf
} from "../../contract/listParameters.ts"
import { allowServers } from "../../contract/securitySchemes.ts"
import {
  CreateWebhookEndpointRequest,
  endpointChanged,
  invalidWebhookUrl,
  newEndpointBody,
  secretBody,
  settingsOmitted,
  WebhookDeliveryBody,
  WebhookEndpointBody,
  WebhookEndpointListBody,
  webhookEndpointNotFound,
  WebhookEndpointReplacement,
  WebhookEndpointUpdate
} from "./webhookEndpointBodies.ts"

const root = "/webhook-endpoints"
const one = `${root}/:endpointId` as const

const endpointPath = Schema.Struct({ endpointId: WebhookEndpointId })
const ifMatch = Schema.Struct({ "if-match": IfMatchHeader })

const webhookDeliveryNotFound = defineErrorResponse(
  "The application has no such webhook endpoint, or that has no delivery of this event.",
  [WebhookEndpointNotFound, WebhookDeliveryNotFound]
)

const create = HttpApiEndpoint.post("create", root)
  .setHeaders(Schema.Struct({ "idempotency-key": IdempotencyKeyHeader }))
  .setPayload(CreateWebhookEndpointRequest)
  .addSuccess(newEndpointBody)
  .addError(oneOf(invalidWebhookUrl, idempotencyKeyReused, commandLimited, unavailable))
  .annotate(OpenApi.Identifier, "createWebhookEndpoint")
  .annotate(OpenApi.Summary, "Create a webhook endpoint")
  .annotate(
    OpenApi.Description,
    "From now on the events of all connections of the application are posted to this URL, or those that it filters."
  )

const list = HttpApiEndpoint.get("list", root)
  .setUrlParams(Schema.Struct(listWindow("asc")))
  .addSuccess(WebhookEndpointListBody)
  .addError(oneOf(invalidRequest, unavailable))
  .annotate(OpenApi.Identifier, "listWebhookEndpoints")
  .annotate(OpenApi.Summary, "List the webhook endpoints")
  .annotate(OpenApi.Description, "The webhook endpoints of the application of the API key.")

const get = HttpApiEndpoint.get("get", one)
  .setPath(endpointPath)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidRequest, webhookEndpointNotFound, unavailable))
  .annotate(OpenApi.Identifier, "getWebhookEndpoint")
  .annotate(OpenApi.Summary, "Get a webhook endpoint")
  .annotate(OpenApi.Description, "Its settings, and whether it gets anything at the moment; never its secret.")

const update = HttpApiEndpoint.patch("update", one)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .setPayload(WebhookEndpointUpdate)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidWebhookUrl, webhookEndpointNotFound, endpointChanged, unavailable))
  .annotate(OpenApi.Identifier, "updateWebhookEndpoint")
  .annotate(OpenApi.Summary, "Change settings of a webhook endpoint")
  .annotate(
    OpenApi.Description,
    "Changes the settings in the body and leaves the others; `null` removes one. A new filter counts for events from now on, and what waits is sent to the new URL."
  )

const replace = HttpApiEndpoint.put("replace", one)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .setPayload(WebhookEndpointReplacement)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidWebhookUrl, webhookEndpointNotFound, settingsOmitted, endpointChanged, unavailable))
  .annotate(OpenApi.Identifier, "replaceWebhookEndpoint")
  .annotate(OpenApi.Summary, "Replace the settings of a webhook endpoint")
  .annotate(
    OpenApi.Description,
    "Replaces all settings; `status` stays as it is if absent. A body that leaves out another setting that is set is refused: `PATCH` removes settings."
  )

const pause = HttpApiEndpoint.post("pause", `${one}/pause`)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidBody, webhookEndpointNotFound, endpointChanged, unavailable))
  .annotate(OpenApi.Identifier, "pauseWebhookEndpoint")
  .annotate(OpenApi.Summary, "Pause a webhook endpoint")
  .annotate(OpenApi.Description, "Its events are kept for 30 days, and sent when it is resumed.")

const resume = HttpApiEndpoint.post("resume", `${one}/resume`)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidBody, webhookEndpointNotFound, endpointChanged, unavailable))
  .annotate(OpenApi.Identifier, "resumeWebhookEndpoint")
  .annotate(OpenApi.Summary, "Resume a webhook endpoint")
  .annotate(OpenApi.Description, "What waits for it is sent, and what comes; also where the service paused it.")

const remove = HttpApiEndpoint.del("remove", one)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "The endpoint and its deliveries are deleted." }))
  .addError(oneOf(invalidBody, webhookEndpointNotFound, endpointChanged, unavailable))
  .annotate(OpenApi.Identifier, "deleteWebhookEndpoint")
  .annotate(OpenApi.Summary, "Delete a webhook endpoint")
  .annotate(OpenApi.Description, "What waits for it is not sent any more.")

const rotateSecret = HttpApiEndpoint.post("rotateSecret", `${one}/secret`)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(secretBody(200, "WebhookSecretBody"))
  .addError(oneOf(invalidBody, webhookEndpointNotFound, endpointChanged, unavailable))
  .annotate(OpenApi.Identifier, "rotateWebhookSecret")
  .annotate(OpenApi.Summary, "Give a webhook endpoint a new secret")
  .annotate(
    OpenApi.Description,
    "For 24 hours each event has two signatures, by the new secret and by the one before. With `If-Match`, a repeated request does not rotate twice."
  )

const sendTest = HttpApiEndpoint.post("sendTest", `${one}/test`)
  .setPath(endpointPath)
  .addSuccess(WebhookDeliveryBody)
  .addError(oneOf(invalidBody, webhookEndpointNotFound, commandLimited, unavailable))
  .annotate(OpenApi.Identifier, "sendTestEvent")
  .annotate(OpenApi.Summary, "Send a test event")
  .annotate(
    OpenApi.Description,
    "Sends `endpoint.test` to this endpoint alone, whatever it filters. An application may do so 120 times an hour."
  )

const listDeliveries = HttpApiEndpoint.get("listDeliveries", `${one}/deliveries`)
  .setPath(endpointPath)
  .setUrlParams(
    Schema.Struct({
      status: severalOf("DeliveryStatus", DeliveryStatus),
      ...listPage("desc")
    })
  )
  .addSuccess(
    Schema.Struct({ deliveries: Schema.Array(WebhookDelivery), nextCursor: NextPageCursor }).annotations({
      identifier: "WebhookDeliveryListBody",
      description: "The deliveries of the last 30 days."
    })
  )
  .addError(oneOf(invalidRequest, webhookEndpointNotFound, unavailable))
  .pipe(allowServers("webhooks:read"))
  .annotateContext(documentListParameters())
  .annotate(OpenApi.Identifier, "listWebhookDeliveries")
  .annotate(OpenApi.Summary, "List the deliveries to a webhook endpoint")
  .annotate(OpenApi.Description, "What was sent to the endpoint in the last 30 days, and how it ended; newest first.")

const replay = HttpApiEndpoint.post("replay", `${one}/deliveries/:eventId/replay`)
  .setPath(Schema.Struct({ endpointId: WebhookEndpointId, eventId: WebhookEventId }))
  .addSuccess(WebhookDeliveryBody)
  .addError(oneOf(invalidBody, webhookDeliveryNotFound, commandLimited, unavailable))
  .pipe(allowServers("webhooks:write"))
  .annotate(OpenApi.Identifier, "replayWebhookDelivery")
  .annotate(OpenApi.Summary, "Send an event again")
  .annotate(
    OpenApi.Description,
    "The same event with the same `webhook-id` is due at once, with all its attempts. It counts as one replay of the application in this hour."
  )

const replayMany = HttpApiEndpoint.post("replayMany", `${one}/replay`)
  .setPath(endpointPath)
  .setPayload(
    Schema.Struct({
      from: QueryTimestamp,
      to: Schema.optionalWith(QueryTimestamp, { exact: true }),
      status: Schema.optionalWith(DeliveryStatus, { exact: true }),
      cursor: PageCursor
    }).annotations({ identifier: "ReplayRequest", ...strictParsing })
  )
  .addSuccess(
    Schema.Struct({
      replayed: Schema.Int.annotations({ description: "How many deliveries are due again." }),
      nextCursor: NextPageCursor
    }).annotations({
      identifier: "ReplayBody",
      description: "The number of deliveries, at most 1000; repeat with the cursor for the others."
    })
  )
  .addError(oneOf(invalidBody, webhookEndpointNotFound, commandLimited, unavailable))
  .pipe(allowServers("webhooks:write"))
  .annotate(OpenApi.Identifier, "replayWebhookDeliveries")
  .annotate(OpenApi.Summary, "Send the events of a time again")
  .annotate(
    OpenApi.Description,
    "Those of the last 30 days from one moment on, until another, whatever became of them. Each counts as a replay of the application in this hour; nothing is sent if there would be too many."
  )

/** The endpoints that administrators have as well, for any application. */
export const sharedEndpoints = {
  create,
  list,
  get,
  update,
  replace,
  pause,
  resume,
  remove,
  rotateSecret,
  sendTest
}

/** The addresses to which the service posts what happens to the connections of an application. */
export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(create.pipe(allowServers("webhooks:write")))
  .add(list.pipe(allowServers("webhooks:read")))
  .add(get.pipe(allowServers("webhooks:read")))
  .add(update.pipe(allowServers("webhooks:write")))
  .add(replace.pipe(allowServers("webhooks:write")))
  .add(pause.pipe(allowServers("webhooks:write")))
  .add(resume.pipe(allowServers("webhooks:write")))
  .add(remove.pipe(allowServers("webhooks:write")))
  .add(rotateSecret.pipe(allowServers("webhooks:write")))
  .add(sendTest.pipe(allowServers("webhooks:write")))
  .add(listDeliveries)
  .add(replay)
  .add(replayMany)
  .prefix("/v1")
  .annotate(OpenApi.Title, "Webhooks")
  .annotate(
    OpenApi.Description,
    "The addresses to which the service posts what happens to the connections of an application."
  ) {}
