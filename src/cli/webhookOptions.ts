import { Args } from "@effect/cli"
import { Schema } from "effect"
import { WebhookEndpointId } from "../domain/webhook/WebhookEndpoint.ts"
import { environment } from "./options.ts"

/** `--environment` of the commands on webhook endpoints. */
export const webhookEnvironment = environment("the webhook endpoints are")

/** The webhook endpoint that a command works on. */
export const endpointId = Args.text({ name: "endpoint-id" }).pipe(
  Args.withSchema(
    WebhookEndpointId.pipe(Schema.pattern(/^whe_/, { message: () => "must be the id of a webhook endpoint" }))
  )
)
