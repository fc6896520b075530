import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { finalStates } from "../domain/Connection.ts"
import { ConnectionViews } from "../persistence/ConnectionViews.ts"
import { defaultLimit, partOf } from "./answers.ts"
import { Api } from "./Api.ts"
import { Caller } from "./CallerAuth.ts"
import { connectionStream, cursorOf } from "./connectionStream.ts"
import { observationsOf, timelineEntry } from "./observed.ts"
import { OpenStreams } from "./OpenStreams.ts"
import { visible } from "./visible.ts"

/** What has happened to a connection, and what the world shows of it. */
export const ObservationHandlers = HttpApiBuilder.group(
  Api,
  "observation",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* ConnectionViews
    const streams = yield* OpenStreams

    return handlers
      .handle("records", () =>
        Effect.gen(function* () {
          const stored = yield* visible
          return observationsOf(stored, yield* views.observations(stored.id))
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
      .handle("events", ({ urlParams: { cursor, limit = defaultLimit } }) =>
        Effect.gen(function* () {
          const { id } = yield* visible
          const found = yield* views.timeline(id, {
            limit: limit + 1,
            ...(cursor === undefined ? {} : { after: cursor })
          })
          const { nextCursor, shown } = partOf(found, limit)
          return {
            events: shown.map(timelineEntry),
            ...(Option.isNone(nextCursor) ? {} : { nextCursor: nextCursor.value })
          }
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
      .handle("stream", ({ headers }) =>
        Effect.gen(function* () {
          const first = yield* visible
          const { look } = yield* Caller
          const from = cursorOf(headers["last-event-id"])
          if (from.version === first.version && finalStates.includes(first.state)) {
            return HttpServerResponse.empty({ status: 204 })
          }
          const events = connectionStream(from, { look, views })
          return HttpServerResponse.raw(streams.open(first.id, events), {
            contentType: "text/event-stream",
            headers: { "x-accel-buffering": "no" }
          })
        })
      )
  })
)
