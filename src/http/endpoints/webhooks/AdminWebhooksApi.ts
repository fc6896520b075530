import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationNotFound } from "../../../administration/administrationErrors.ts"
import { WebhookEndpointId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { WebhookEndpointNotFound } from "../../../webhooks/webhookErrors.ts"
import { applicationNotFound, defineAdminPath } from "../administration/adminRequests.ts"
import { defineErrorResponse, oneOf } from "../../contract/defineErrorResponse.ts"
import {
  commandLimited,
  idempotencyKeyReused,
  invalidBody,
  invalidRequest,
  unavailable
} from "../../contract/operationErrors.ts"
import { listWindow } from "../../contract/listParameters.ts"
import { IdempotencyKeyHeader, IfMatchHeader } from "../../contract/requestSchemas.ts"
import { AdminAuth } from "../../contract/securitySchemes.ts"
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
  WebhookEndpointReplacement,
  WebhookEndpointUpdate
} from "./webhookEndpointBodies.ts"

const root = "/v1/admin/applications/:applicationId/webhook-endpoints"
const one = `${root}/:endpointId` as const

const applicationPath = defineAdminPath({})
const endpointPath = defineAdminPath({ endpointId: WebhookEndpointId })
const ifMatch = Schema.Struct({ "if-match": IfMatchHeader })

const applicationEndpointNotFound = defineErrorResponse(
  "There is no such application, or it has no such webhook endpoint.",
  [ApplicationNotFound, WebhookEndpointNotFound]
)

const create = HttpApiEndpoint.post("create", root)
  .setPath(applicationPath)
  .setHeaders(Schema.Struct({ "idempotency-key": IdempotencyKeyHeader }))
  .setPayload(CreateWebhookEndpointRequest)
  .addSuccess(newEndpointBody)
  .addError(oneOf(invalidWebhookUrl, applicationNotFound, idempotencyKeyReused, commandLimited, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "createApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Create a webhook endpoint of an application")
  .annotate(OpenApi.Description, "The same as `POST /v1/webhook-endpoints` by an API key of the application.")

const list = HttpApiEndpoint.get("list", root)
  .setPath(applicationPath)
  .setUrlParams(Schema.Struct(listWindow("asc")))
  .addSuccess(WebhookEndpointListBody)
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "listApplicationWebhookEndpoints")
  .annotate(OpenApi.Summary, "List the webhook endpoints of an application")
  .annotate(OpenApi.Description, "The same as `GET /v1/webhook-endpoints` by an API key of the application.")

const get = HttpApiEndpoint.get("get", one)
  .setPath(endpointPath)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidRequest, applicationEndpointNotFound, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "getApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Get a webhook endpoint of an application")
  .annotate(
    OpenApi.Description,
    "The same as `GET /v1/webhook-endpoints/{endpointId}` by an API key of the application."
  )

const update = HttpApiEndpoint.patch("update", one)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .setPayload(WebhookEndpointUpdate)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidWebhookUrl, applicationEndpointNotFound, endpointChanged, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "updateApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Change settings of a webhook endpoint of an application")
  .annotate(
    OpenApi.Description,
    "The same as `PATCH /v1/webhook-endpoints/{endpointId}` by an API key of the application."
  )

const replace = HttpApiEndpoint.put("replace", one)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .setPayload(WebhookEndpointReplacement)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidWebhookUrl, applicationEndpointNotFound, settingsOmitted, endpointChanged, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "replaceApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Replace the settings of a webhook endpoint of an application")
  .annotate(
    OpenApi.Description,
    "The same as `PUT /v1/webhook-endpoints/{endpointId}` by an API key of the application."
  )

const pause = HttpApiEndpoint.post("pause", `${one}/pause`)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidBody, applicationEndpointNotFound, endpointChanged, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "pauseApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Pause a webhook endpoint of an application")
  .annotate(
    OpenApi.Description,
    "The same as `POST /v1/webhook-endpoints/{endpointId}/pause` by an API key of the application."
  )

const resume = HttpApiEndpoint.post("resume", `${one}/resume`)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(WebhookEndpointBody)
  .addError(oneOf(invalidBody, applicationEndpointNotFound, endpointChanged, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "resumeApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Resume a webhook endpoint of an application")
  .annotate(
    OpenApi.Description,
    "The same as `POST /v1/webhook-endpoints/{endpointId}/resume` by an API key of the application."
  )

const remove = HttpApiEndpoint.del("remove", one)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "The endpoint and its deliveries are deleted." }))
  .addError(oneOf(invalidBody, applicationEndpointNotFound, endpointChanged, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "deleteApplicationWebhookEndpoint")
  .annotate(OpenApi.Summary, "Delete a webhook endpoint of an application")
  .annotate(OpenApi.Description, "What waits for it is not sent any more.")

const rotateSecret = HttpApiEndpoint.post("rotateSecret", `${one}/secret`)
  .setPath(endpointPath)
  .setHeaders(ifMatch)
  .addSuccess(secretBody(200, "WebhookSecretBody"))
  .addError(oneOf(invalidBody, applicationEndpointNotFound, endpointChanged, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "rotateApplicationWebhookSecret")
  .annotate(OpenApi.Summary, "Give a webhook endpoint of an application a new secret")
  .annotate(
    OpenApi.Description,
    "The same as `POST /v1/webhook-endpoints/{endpointId}/secret` by an API key of the application."
  )

const sendTest = HttpApiEndpoint.post("sendTest", `${one}/test`)
  .setPath(endpointPath)
  .addSuccess(WebhookDeliveryBody)
  .addError(oneOf(invalidBody, applicationEndpointNotFound, commandLimited, unavailable))
  .middleware(AdminAuth)
  .annotate(OpenApi.Identifier, "sendApplicationTestEvent")
  .annotate(OpenApi.Summary, "Send a test event to a webhook endpoint of an application")
  .annotate(
    OpenApi.Description,
    "Sends `endpoint.test` to this endpoint alone, whatever it filters, at most 120 times an hour for the application."
  )

/** The webhook endpoints of an application, for administrators. */
export class AdminWebhooksApi extends HttpApiGroup.make("adminWebhooks")
  .add(create)
  .add(list)
  .add(get)
  .add(update)
  .add(replace)
  .add(pause)
  .add(resume)
  .add(remove)
  .add(rotateSecret)
  .add(sendTest)
  .annotate(OpenApi.Title, "Administration of webhooks")
  .annotate(OpenApi.Description, "The webhook endpoints of an application.") {}
