import { HttpApiError, HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { WebhookDelivery } from "../../../domain/webhook/WebhookDelivery.ts"
import {
  EndpointStatus,
  WebhookEndpoint,
  WebhookEndpointSettings,
  WebhookEndpointSettingsChange
} from "../../../domain/webhook/WebhookEndpoint.ts"
import { PreconditionFailed, SettingsOmitted } from "../../../lifecycle/commands/commandErrors.ts"
import { WebhookEndpointNotFound, WebhookUrlNotAllowed } from "../../../webhooks/webhookErrors.ts"
import { defineErrorResponse } from "../../contract/defineErrorResponse.ts"
import { InvalidRequest } from "../../contract/errorResponses.ts"
import { strictParsing } from "../../contract/requestSchemas.ts"

/** The body of every endpoint that answers with a webhook endpoint. */
export const WebhookEndpointBody = Schema.Struct({ endpoint: WebhookEndpoint }).annotations({
  identifier: "WebhookEndpointBody",
  description: "The webhook endpoint."
})

/** A webhook endpoint with its secret, which is shown only here. */
export const WebhookSecretBody = Schema.Struct({
  endpoint: WebhookEndpoint,
  secret: Schema.Redacted(Schema.String).annotations({
    description: "The receiver verifies the signatures with it (Standard Webhooks). Shown only once."
  })
})

/** A webhook endpoint with its secret, as the body of an answer with this status. */
export const secretBody = (status: 200 | 201, identifier: string) =>
  WebhookSecretBody.annotations(
    HttpApiSchema.annotations({ identifier, description: "The webhook endpoint and its secret.", status })
  )

export const newEndpointBody = secretBody(201, "NewWebhookEndpointBody")

export const WebhookEndpointListBody = Schema.Struct({ endpoints: Schema.Array(WebhookEndpoint) }).annotations({
  identifier: "WebhookEndpointListBody",
  description: "All webhook endpoints, oldest first."
})

export const WebhookDeliveryBody = Schema.Struct({ delivery: WebhookDelivery }).annotations({
  identifier: "WebhookDeliveryBody",
  description: "The delivery, which is due now."
})

/** The payload with which an API key or an administrator creates a webhook endpoint. */
export const CreateWebhookEndpointRequest = WebhookEndpointSettings.annotations({
  identifier: "CreateWebhookEndpointRequest",
  ...strictParsing
})

const status = Schema.optionalWith(EndpointStatus, { exact: true })

/** The settings that replace all settings of an endpoint. */
export const WebhookEndpointReplacement = Schema.Struct({
  ...WebhookEndpointSettings.fields,
  status
}).annotations({ identifier: "ReplaceWebhookEndpointRequest", ...strictParsing })
export type WebhookEndpointReplacement = typeof WebhookEndpointReplacement.Type

/** The settings of an endpoint to change: `null` removes one. */
export const WebhookEndpointUpdate = Schema.Struct({
  ...WebhookEndpointSettingsChange.fields,
  status
}).annotations({ identifier: "UpdateWebhookEndpointRequest", ...strictParsing })
export type WebhookEndpointUpdate = typeof WebhookEndpointUpdate.Type

export const settingsOmitted = defineErrorResponse(
  "The request replaces all settings and leaves out some that are set.",
  [SettingsOmitted]
)

export const invalidWebhookUrl = defineErrorResponse(
  "The request does not fit the schema of the endpoint, or the service may send nothing to this URL.",
  [InvalidRequest, HttpApiError.HttpApiDecodeError, WebhookUrlNotAllowed]
)

export const webhookEndpointNotFound = defineErrorResponse("The application has no such webhook endpoint.", [
  WebhookEndpointNotFound
])

export const endpointChanged = defineErrorResponse("The webhook endpoint is no longer the one that `If-Match` names.", [
  PreconditionFailed
])
