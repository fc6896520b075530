import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { finalStates } from "../../../domain/connection/Connection.ts"
import { toTenantKey } from "../../../domain/access/Tenancy.ts"
import { ConnectionReads } from "../../../lifecycle/commit/ConnectionReads.ts"
import type { StoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { ConnectionViews } from "../../../persistence/stores/connections/ConnectionViews.ts"
import type { StoredConnection } from "../../../persistence/stores/connections/StoredConnection.ts"
import { Providers } from "../../../providers/Providers.ts"
import { Api } from "../Api.ts"
import { Caller } from "../../contract/securitySchemes.ts"
import { requireConnection } from "../../pipeline/authenticate.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { EventStreams } from "./EventStreams.ts"
import { type NewEvents, parseStreamCursor, readConnectionEvents, readNewEvents } from "./readConnectionEvents.ts"
import { respondWithJson, toObservationsJson, toTimelineEntryBody } from "../responses.ts"
import { toPage, toPageRequest } from "../../contract/listParameters.ts"

export const ObservationHandlers = HttpApiBuilder.group(
  Api,
  "observation",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* ConnectionViews
    const providers = yield* Providers
    const streams = yield* EventStreams
    const reads = yield* ConnectionReads
    const accessReads = reads.makeSharedReads<boolean, StoreUnavailable>()
    const newEventReads = reads.makeSharedReads<NewEvents, StoreUnavailable>()

    return yield* handlers
      .handle(
        "records",
        Effect.fnUntraced(function* () {
          const stored = yield* requireConnection
          return respondWithJson(toObservationsJson(stored, yield* views.findObservations(stored.id), providers))
        })
      )
      .handle(
        "events",
        Effect.fnUntraced(function* ({ urlParams }) {
          const { id } = yield* requireConnection
          const { page, ...next } = toPage(yield* views.listTimeline(id, toPageRequest(urlParams)), urlParams)
          return { events: page.map(toTimelineEntryBody), ...next }
        })
      )
      .handle(
        "stream",
        Effect.fnUntraced(function* ({ headers }) {
          const { doc, id, state, version } = yield* requireConnection
          const { callableActions, credentialId, hasAccess, tenancy } = yield* Caller
          const { method } = yield* HttpServerRequest.HttpServerRequest
          const cursor = parseStreamCursor(headers["last-event-id"])
          if (cursor.version === version && finalStates.includes(state)) {
            return HttpServerResponse.empty({ status: 204 })
          }
          if (method === "HEAD")
            return HttpServerResponse.empty({ status: 200, headers: { "content-type": "text/event-stream" } })
          const tenant = toTenantKey(tenancy)
          const source = {
            callableActions,
            findVersion: reads.findVersion(tenancy, id),
            find: reads.find(tenancy, id),
            hasAccess: accessReads.read({ tenant, key: credentialId, item: undefined }, () => hasAccess),
            readNewEvents: (current: StoredConnection, entry: string) =>
              newEventReads.read({ tenant, key: `${id} ${current.version} ${entry}`, item: undefined }, () =>
                readNewEvents({ providers, views }, current, entry)
              )
          }
          const body = yield* streams.open({ id, tenancy, bytes: doc.length }, readConnectionEvents(cursor, source))
          return HttpServerResponse.raw(body, {
            contentType: "text/event-stream",
            headers: { "x-accel-buffering": "no" }
          })
        })
      )
      .pipe(serveEndpoints)
  })
)
