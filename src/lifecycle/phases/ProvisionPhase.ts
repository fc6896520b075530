import { Context, Effect, Layer } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { JournalStore } from "../../persistence/stores/JournalStore.ts"
import { ApprovedPlanWriter } from "../apply/ApprovedPlanWriter.ts"
import { toProviderZone, ZoneAccess } from "../apply/ZoneAccess.ts"
import { recordPlanError } from "./recordPlanError.ts"
import type { LeaseLost, LeaseTaken } from "../commit/Leases.ts"
import type { StepResult } from "../commit/Transitions.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** Plans a connection from its zone at the provider, in either direction; writes the approved plan of one that connects. */
export class ProvisionPhase extends Context.Tag("lifecycle/ProvisionPhase")<
  ProvisionPhase,
  {
    /** Makes the plan of a connection in `authorized`, and writes the plan of one in `applying`. */
    readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, LeaseLost | LeaseTaken | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ProvisionPhase,
    Effect.gen(function* () {
      const access = yield* ZoneAccess
      const journal = yield* JournalStore
      const plans = yield* PlanMaker
      const writer = yield* ApprovedPlanWriter

      const plan = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const { connection } = current
        const zone = yield* access.open(connection)
        const proposed = yield* plans.planFromProviderZone(current, toProviderZone(zone))
        return LifecycleEvent.Planned({ ...proposed, hasWrites: yield* journal.hasWrites(connection.id) })
      })

      const write = (current: ConnectionRecord) => Effect.as(writer.write(current), LifecycleEvent.Applied())

      return {
        run: Effect.fn("ProvisionPhase.run")((current) =>
          recordPlanError(current.connection.state === "authorized" ? plan(current) : write(current), current, journal)
        )
      }
    })
  )
}
