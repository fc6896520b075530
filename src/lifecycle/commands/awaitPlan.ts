import { Duration, Effect } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"

/** Returns the connection when no plan is being made for it, or as it is after `atMost`. */
export const awaitPlan = Effect.gen(function* () {
  const signals = yield* ConnectionSignals
  const store = yield* ConnectionStore

  return Effect.fn("Connections.awaitPlan")(function* (tenancy: Tenancy, id: ConnectionId, atMost: Duration.Duration) {
    const isPlanned = Effect.map(store.findRecord(tenancy, id), (current) => !isBeingPlanned(current))
    yield* Effect.timeoutOption(signals.waitUntil(id, readEvery, isPlanned), atMost)
    return yield* store.find(tenancy, id)
  })
})

/** Whether the domain is being read to make a plan. A survey that has failed is repeated later, and not waited for. */
const isBeingPlanned = ({ connection: { failure, state }, progress: { surveying } }: ConnectionRecord): boolean =>
  state === "requested" || state === "authorized" || (surveying && failure === undefined)

/** Another process may make the plan, and its signal may not reach this one. */
const readEvery = Duration.seconds(1)
