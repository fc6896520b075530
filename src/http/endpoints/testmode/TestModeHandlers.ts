import { HttpApiBuilder } from "@effect/platform"
import { DateTime, Effect, Option } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { ConnectionStore } from "../../../persistence/stores/connections/ConnectionStore.ts"
import { TestMode } from "../../../testmode/TestMode.ts"
import { Api } from "../Api.ts"
import { dieOnStoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { ServerCaller } from "../../contract/securitySchemes.ts"
import { Drain } from "../../pipeline/Drain.ts"
import { releasePermit } from "../../../limits/ConcurrencyLimiter.ts"
import { Exchange } from "../../pipeline/Exchange.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { OpenStreams } from "../../../limits/OpenStreams.ts"
import { respondWithConnection, toCurrent } from "../responses.ts"

/** Handles test mode's calls. One that changes something returns the connection after the check that follows. */
export const TestModeHandlers = HttpApiBuilder.group(
  Api,
  "testMode",
  Effect.fnUntraced(function* (handlers) {
    const testMode = yield* TestMode
    const store = yield* ConnectionStore
    const drain = yield* Drain
    const streams = yield* OpenStreams

    /** Waits until nothing is due; not at all if the connection or the tenant may have no other waiting request. */
    const waitUntilIdle = (tenancy: Tenancy, id: ConnectionId) =>
      Effect.acquireUseRelease(
        Effect.option(streams.open({ id, tenancy })),
        (release) =>
          Option.isNone(release) ? Effect.void : drain.orElseOnDrain(testMode.waitUntilIdle(tenancy, id), Effect.void),
        (release) => Effect.sync(() => Option.getOrUndefined(release)?.())
      )

    const play = <E>(id: ConnectionId, call: (tenancy: Tenancy) => Effect.Effect<void, E>) =>
      Effect.gen(function* () {
        const caller = yield* ServerCaller
        yield* call(caller.tenancy)
        releasePermit(yield* Exchange)
        yield* waitUntilIdle(caller.tenancy, id)
        const stored = yield* store.find(caller.tenancy, id)
        return respondWithConnection(toCurrent(stored, yield* DateTime.now), caller, 200)
      }).pipe(dieOnStoreUnavailable)

    return yield* handlers
      .handle("readZone", ({ path: { connectionId } }) =>
        Effect.flatMap(ServerCaller, ({ tenancy }) => testMode.readZone(tenancy, connectionId)).pipe(
          dieOnStoreUnavailable
        )
      )
      .handle("enterRecords", ({ path: { connectionId }, payload: { hosts } }) =>
        play(connectionId, (tenancy) => testMode.enterRecords(tenancy, connectionId, Option.fromNullable(hosts)))
      )
      .handle("changeRecords", ({ path: { connectionId }, payload: { records } }) =>
        play(connectionId, (tenancy) => testMode.changeRecords(tenancy, connectionId, records))
      )
      .handle("advance", ({ path: { connectionId }, payload: { seconds } }) =>
        play(connectionId, (tenancy) => testMode.advance(tenancy, connectionId, seconds))
      )
      .pipe(serveEndpoints)
  })
)
