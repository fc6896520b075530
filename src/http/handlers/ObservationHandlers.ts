import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { finalStates } from "../../domain/Connection.ts"
import { ConnectionViews } from "../../persistence/stores/ConnectionViews.ts"
import { Api } from "../contract/Api.ts"
import { Caller, requireConnection } from "../contract/securitySchemes.ts"
import { EventStreams } from "./EventStreams.ts"
import { connectionEvents, parseStreamCursor } from "./connectionEvents.ts"
import { observationBody, timelineEntryBody } from "./observationBody.ts"
import { defaultPageLimit, paginate } from "../contract/pagination.ts"

/** What has happened to a connection, and what the world shows of it. */
export const ObservationHandlers = HttpApiBuilder.group(
  Api,
  "observation",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* ConnectionViews
    const streams = yield* EventStreams

    return handlers
      .handle("records", () =>
        Effect.gen(function* () {
          const stored = yield* requireConnection
          return observationBody(stored, yield* views.findObservations(stored.id))
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
      .handle("events", ({ urlParams: { cursor, limit = defaultPageLimit } }) =>
        Effect.gen(function* () {
          const { id } = yield* requireConnection
          const found = yield* views.listTimeline(id, {
            limit: limit + 1,
            ...(cursor === undefined ? {} : { after: cursor })
          })
          const { nextCursor, page } = paginate(found, limit)
          return {
            events: page.map(timelineEntryBody),
            ...(Option.isNone(nextCursor) ? {} : { nextCursor: nextCursor.value })
          }
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
      .handle("stream", ({ headers }) =>
        Effect.gen(function* () {
          const first = yield* requireConnection
          const { reread: look } = yield* Caller
          const from = parseStreamCursor(headers["last-event-id"])
          if (from.version === first.version && finalStates.includes(first.state)) {
            return HttpServerResponse.empty({ status: 204 })
          }
          const events = connectionEvents(from, { reread: look, views })
          return HttpServerResponse.raw(streams.open(first.id, events), {
            contentType: "text/event-stream",
            headers: { "x-accel-buffering": "no" }
          })
        })
      )
  })
)
