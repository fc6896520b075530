import { DateTime, Effect, Option } from "effect"
import { type ConnectionAction, type ConnectionId, finalStates } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { ConnectionNotFound, ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import { ErasureStore } from "../../persistence/stores/erasure/ErasureStore.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { StateConflict } from "./commandErrors.ts"
import { type CommandOptions, nextStepsOf, versionChanged } from "./defineCommand.ts"

/** How an erasure is refused, and whether it counts. */
export type ErasureOptions = Pick<CommandOptions, "callableActions" | "ifVersion">

/** Makes the command that erases a connection that has ended: it is no transition, since nothing is left to be in a state. */
export const eraseConnection = Effect.gen(function* () {
  const connections = yield* ConnectionStore
  const erasures = yield* ErasureStore
  const signals = yield* ConnectionSignals

  return Effect.fnUntraced(function* (
    tenancy: Tenancy,
    id: ConnectionId,
    { callableActions, ifVersion }: ErasureOptions
  ) {
    if (Option.isSome(ifVersion) && !ifVersion.value((yield* connections.find(tenancy, id)).version))
      return yield* versionChanged
    const current = yield* connections.findRecord(tenancy, id)
    if (!finalStates.includes(current.connection.state)) {
      return yield* makeNotEnded(current, yield* DateTime.now, callableActions)
    }
    if (!(yield* erasures.eraseConnection(tenancy, id))) return yield* ConnectionNotFound.error
    yield* signals.notifyChanged(id)
  })
})

const makeNotEnded = (
  current: ConnectionRecord,
  now: DateTime.Utc,
  callableActions: ReadonlyArray<ConnectionAction>
): StateConflict => {
  const nextSteps = nextStepsOf(current, now, callableActions)
  const ends = (nextSteps.allowedActions ?? []).filter((action) => action === "cancel" || action === "disconnect")
  const { state } = current.connection
  return new StateConflict({
    code: "state_conflict",
    message: `only a connection that has ended can be erased, and this one is ${state}: ${
      ends.length === 0 ? "wait until it can be ended" : `${ends.join(" or ")} it first`
    }`,
    ...nextSteps
  })
}
