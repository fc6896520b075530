import { Context, Effect, Layer } from "effect"
import type { ConnectionId } from "../domain/Connection.ts"

/** The phases that this process has started and not seen end: the engine itself reads its messages without a limit. */
export class PhasesInFlight extends Context.Tag("lifecycle/PhasesInFlight")<
  PhasesInFlight,
  {
    /** How many more may be started. */
    readonly free: Effect.Effect<number>
    readonly add: (id: ConnectionId) => Effect.Effect<void>
    readonly remove: (id: ConnectionId) => Effect.Effect<void>
  }
>() {
  static readonly layer = (settings: { readonly capacity: number }) =>
    Layer.sync(PhasesInFlight, () => {
      const ids = new Set<ConnectionId>()
      return {
        free: Effect.sync(() => Math.max(0, settings.capacity - ids.size)),
        add: (id) => Effect.sync(() => ids.add(id)),
        remove: (id) => Effect.sync(() => ids.delete(id))
      }
    })
}
