import { Schema } from "effect"
import { OptionalErrorDetails } from "../domain/error/ErrorDetail.ts"

/** The application has no such endpoint. */
export class WebhookEndpointNotFound extends Schema.TaggedError<WebhookEndpointNotFound>()("WebhookEndpointNotFound", {
  code: Schema.Literal("webhook_endpoint_not_found"),
  message: Schema.String
}) {
  static readonly error = new WebhookEndpointNotFound({
    code: "webhook_endpoint_not_found",
    message: "there is no such webhook endpoint"
  })
}

/** The endpoint has no delivery of this event, or it is older than 30 days. */
export class WebhookDeliveryNotFound extends Schema.TaggedError<WebhookDeliveryNotFound>()("WebhookDeliveryNotFound", {
  code: Schema.Literal("webhook_delivery_not_found"),
  message: Schema.String
}) {
  static readonly error = new WebhookDeliveryNotFound({
    code: "webhook_delivery_not_found",
    message: "the endpoint has no delivery of this event in the last 30 days"
  })
}

/** The service may not send anything to this URL. */
export class WebhookUrlNotAllowed extends Schema.TaggedError<WebhookUrlNotAllowed>()("WebhookUrlNotAllowed", {
  code: Schema.Literal("webhook_url_not_allowed"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {
  static readonly of = (message: string): WebhookUrlNotAllowed => {
    const code = "webhook_url_not_allowed"
    return new WebhookUrlNotAllowed({ code, message: `url ${message}`, details: [{ pointer: "/url", code, message }] })
  }
}
