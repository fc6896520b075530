import { Array, Record, Schema, String } from "effect"
import { ConnectionId, ConnectionState } from "../../../domain/connection/Connection.ts"
import { ConnectionDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { maxMissingRecords, MissingRecord } from "../../../domain/plan/RecordObservation.ts"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { PauseReason, WebhookEndpointId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { optional } from "../../../domain/values/boundedSchemas.ts"
import { ConnectionEventType, webhookEventMeanings, WebhookEventType } from "../../../domain/webhook/WebhookEvent.ts"

/** The name of the schema of an event: `connection.active` has `ConnectionActiveWebhook`. */
const schemaNameOf = (type: WebhookEventType): string => `${type.split(/[._]/).map(String.capitalize).join("")}Webhook`

const defineBody = (type: WebhookEventType, data: Schema.Schema.AnyNoContext) =>
  Schema.Struct({
    type: Schema.Literal(type),
    timestamp: Timestamp.annotations({ description: "When it happened; the same in each attempt." }),
    data
  }).annotations({ identifier: schemaNameOf(type), description: sentenceOf(type) })

const sentenceOf = (type: WebhookEventType): string => `${String.capitalize(webhookEventMeanings[type])}.`

const version = Schema.Int.annotations({
  description:
    "The version of the connection, which its ETag has too. Events may arrive out of order: ignore one with a lower version than the last."
})

const connectionFields = {
  connection: ConnectionDocument,
  version,
  formerState: optional(ConnectionState)
}

const connectionData = Schema.Struct(connectionFields).annotations({
  identifier: "ConnectionWebhookData",
  description:
    "The connection as it was answered to a key with all scopes at that moment, and the state that it left; that is absent in `connection.created`."
})

const erasedData = Schema.Struct({ connection: Schema.Struct({ id: ConnectionId }), version }).annotations({
  identifier: "ErasedWebhookData",
  description: "The connection that was erased, of which nothing is left but its id."
})

const degradedData = Schema.Struct({
  ...connectionFields,
  missing: optional(
    Schema.Array(MissingRecord).annotations({
      description: `The records that are missing, at most ${maxMissingRecords} of them; absent where hosts were lost, where a new intent was given up and the last check found the records, and while one is entered by hand.`
    })
  )
}).annotations({
  identifier: "DegradedWebhookData",
  description: "The connection, the state that it left, and which of its records are missing."
})

const contestedData = Schema.Struct({
  connection: Schema.Struct({
    id: ConnectionId,
    applicationId: ApplicationId,
    tenantId: TenantId,
    state: ConnectionState
  }),
  version
}).annotations({
  identifier: "ContestedWebhookData",
  description: "The connection whose hosts another tenant asks for, without its other fields."
})

/** The data of the events that have other fields than most events of connections. */
const connectionDataOf: { readonly [Type in ConnectionEventType]?: Schema.Schema.AnyNoContext } = {
  "connection.contested": contestedData,
  "connection.degraded": degradedData,
  "connection.erased": erasedData,
  "connection.setup_incomplete": degradedData
}

const aboutEndpoint = { id: WebhookEndpointId, url: Schema.String }

const endpointData = {
  "endpoint.paused": Schema.Struct({ endpoint: Schema.Struct({ ...aboutEndpoint, pauseReason: PauseReason }) }),
  "endpoint.test": Schema.Struct({ endpoint: Schema.Struct(aboutEndpoint) })
} as const

export const webhookBodies: ReadonlyArray<Schema.Schema.AnyNoContext> = [
  ...ConnectionEventType.literals.map((type) => defineBody(type, connectionDataOf[type] ?? connectionData)),
  ...Record.toEntries(endpointData).map(([type, data]) => defineBody(type, data))
]

const parameter = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

/** The headers of Standard Webhooks 1.0. */
const signatureHeaders = [
  parameter("webhook-id", "The id of the event, the same in each attempt: what has it a second time is a repetition."),
  parameter("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
  parameter(
    "webhook-signature",
    "Signatures of the id, the timestamp and the body, each `v1,` and base64, separated by spaces; two while a secret is rotated."
  )
]

const answers = {
  "2XX": { description: "The event was received. The body of the answer is not read." },
  "410": { description: "Nothing receives events here any more: the endpoint is paused at once." },
  default: {
    description:
      "The event was not received; redirects are not followed. It is sent again, ten times in a little over three days, and not before `Retry-After`."
  }
}

/** The section `webhooks` of the OpenAPI document: the request of each event, and the meaning of answers. */
export const webhookRequests = Record.fromEntries(
  Array.map(WebhookEventType.literals, (type) => [
    type,
    {
      post: {
        operationId: `on${schemaNameOf(type)}`,
        tags: ["Webhooks"],
        summary: type,
        description: sentenceOf(type),
        security: [],
        parameters: signatureHeaders,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: `#/components/schemas/${schemaNameOf(type)}` },
              examples: { example: { $ref: `#/components/examples/webhook.${type}` } }
            }
          }
        },
        responses: answers
      }
    }
  ])
)
