import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ConnectionState, FailureCode, ReplanCode } from "../../../domain/connection/Connection.ts"
import { ConnectionDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { ObservationsDocument } from "../../../domain/plan/ObservationsDocument.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import { connectionNotFound, streamLimited, streamUnavailable, unavailable } from "../../contract/operationErrors.ts"
import { listPage, NextPageCursor } from "../../contract/listParameters.ts"
import { connectionPath } from "../../contract/requestSchemas.ts"
import { allowServersAndBrowsers } from "../../contract/securitySchemes.ts"
import { boundedString } from "../../../domain/values/boundedSchemas.ts"

const TimelineEntryDocument = Schema.Struct({
  id: Schema.String,
  from: Schema.optionalWith(ConnectionState, { exact: true }),
  to: ConnectionState,
  failure: Schema.optionalWith(FailureCode, { exact: true }),
  replan: Schema.optionalWith(ReplanCode, { exact: true }),
  occurredAt: Timestamp
}).annotations({ identifier: "TimelineEntry" })

/** The events of the stream, each as a client has it that has parsed the JSON of its `data`. */
export const StreamEvents = [
  Schema.Struct({ event: Schema.Literal("timeline"), data: TimelineEntryDocument }).annotations({
    identifier: "TimelineEvent",
    description: "The connection has entered a state."
  }),
  Schema.Struct({ event: Schema.Literal("records"), data: ObservationsDocument }).annotations({
    identifier: "RecordsEvent",
    description: "The observed records have changed since the last event of this kind."
  }),
  Schema.Struct({
    event: Schema.Literal("connection"),
    id: Schema.String.annotations({ description: "The `Last-Event-ID` with which the stream continues here." }),
    data: ConnectionDocument
  }).annotations({ identifier: "ConnectionEvent", description: "The connection as it now is." })
] as const

/** OpenAPI 3.1 has no schema for the items of a stream: this one is for each event. */
const streamEventSchema = {
  oneOf: ["TimelineEvent", "RecordsEvent", "ConnectionEvent"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  discriminator: {
    propertyName: "event",
    mapping: {
      timeline: "#/components/schemas/TimelineEvent",
      records: "#/components/schemas/RecordsEvent",
      connection: "#/components/schemas/ConnectionEvent"
    }
  }
}

const records = HttpApiEndpoint.get("records", "/v1/connections/:connectionId/records")
  .setPath(connectionPath)
  .addSuccess(ObservationsDocument)
  .addError(oneOf(connectionNotFound, unavailable))
  .pipe(allowServersAndBrowsers("connections:read"))
  .annotate(OpenApi.Identifier, "listRecords")
  .annotate(OpenApi.Summary, "Read the observed records")
  .annotate(
    OpenApi.Description,
    "Each desired record with what every authoritative server and every public resolver answered, and the time of the next check."
  )

const events = HttpApiEndpoint.get("events", "/v1/connections/:connectionId/events")
  .setPath(connectionPath)
  .setUrlParams(Schema.Struct(listPage("asc")))
  .addSuccess(
    Schema.Struct({ events: Schema.Array(TimelineEntryDocument), nextCursor: NextPageCursor }).annotations({
      identifier: "TimelineBody",
      description: "The timeline."
    })
  )
  .addError(oneOf(connectionNotFound, unavailable))
  .pipe(allowServersAndBrowsers("connections:read"))
  .annotate(OpenApi.Identifier, "listEvents")
  .annotate(OpenApi.Summary, "Read the timeline of a connection")
  .annotate(OpenApi.Description, "Every state that the connection entered, newest last.")

const LastEventId = Schema.optionalWith(
  boundedString(1_000).annotations({
    description: "The id of the last event that the client received: the stream continues after it."
  }),
  { exact: true }
)

const stream = HttpApiEndpoint.get("stream", "/v1/connections/:connectionId/stream")
  .setPath(connectionPath)
  .setHeaders(Schema.Struct({ "last-event-id": LastEventId }))
  .addSuccess(
    HttpApiSchema.Text({ contentType: "text/event-stream" }).annotations({
      description: "Server-sent events: `timeline`, `records` and, with an id, `connection`.",
      jsonSchema: streamEventSchema
    })
  )
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "The connection has ended: no more events." }))
  .addError(oneOf(connectionNotFound, streamLimited, streamUnavailable))
  .pipe(allowServersAndBrowsers("connections:read"))
  .annotate(OpenApi.Identifier, "streamEvents")
  .annotate(OpenApi.Summary, "Follow a connection")
  .annotate(
    OpenApi.Description,
    "Server-sent events as they happen, with a comment every 15 seconds. The end of the connection is the last event, also for a browser, whose token ends with it; afterwards 204. A browser reads the stream by `fetch`, since the token is sent in a header."
  )

/** The observed records of a connection, its timeline, and a stream of both. */
export class ObservationApi extends HttpApiGroup.make("observation")
  .add(records)
  .add(events)
  .add(stream)
  .annotate(OpenApi.Title, "Observation")
  .annotate(OpenApi.Description, "The observed records of a connection, its timeline, and a stream of both.") {}
