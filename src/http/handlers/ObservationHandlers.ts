import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { finalStates } from "../../domain/Connection.ts"
import { ConnectionViews } from "../../persistence/stores/ConnectionViews.ts"
import { Api } from "../contract/Api.ts"
import { defaultPageLimit, paginate } from "../contract/requestSchemas.ts"
import { Caller, requireConnection } from "../contract/securitySchemes.ts"
import { EventStreams } from "./EventStreams.ts"
import { parseStreamCursor, readConnectionEvents } from "./readConnectionEvents.ts"
import { toObservationsBody, toTimelineEntryBody } from "./responses.ts"

/** Handles the observed records of a connection, its timeline, and the stream of both. */
export const ObservationHandlers = HttpApiBuilder.group(
  Api,
  "observation",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* ConnectionViews
    const streams = yield* EventStreams

    return handlers
      .handle(
        "records",
        Effect.fnUntraced(function* () {
          const stored = yield* requireConnection
          return toObservationsBody(stored, yield* views.findObservations(stored.id))
        })
      )
      .handle(
        "events",
        Effect.fnUntraced(function* ({ urlParams: { cursor, limit = defaultPageLimit } }) {
          const { id } = yield* requireConnection
          const rows = yield* views.listTimeline(id, {
            limit: limit + 1,
            ...(cursor === undefined ? {} : { after: cursor })
          })
          const { nextCursor, page } = paginate(rows, limit)
          return {
            events: page.map(toTimelineEntryBody),
            ...(Option.isNone(nextCursor) ? {} : { nextCursor: nextCursor.value })
          }
        })
      )
      .handle(
        "stream",
        Effect.fnUntraced(function* ({ headers }) {
          const stored = yield* requireConnection
          const { reread } = yield* Caller
          const cursor = parseStreamCursor(headers["last-event-id"])
          if (cursor.version === stored.version && finalStates.includes(stored.state)) {
            return HttpServerResponse.empty({ status: 204 })
          }
          return HttpServerResponse.raw(streams.open(stored.id, readConnectionEvents(cursor, { reread, views })), {
            contentType: "text/event-stream",
            headers: { "x-accel-buffering": "no" }
          })
        })
      )
  })
)
