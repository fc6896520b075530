import { Context, Effect, Layer, Option } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { JournalStore } from "../../persistence/stores/phases/JournalStore.ts"
import { ApprovedPlanWriter, type PlannedZone } from "../apply/ApprovedPlanWriter.ts"
import { toProviderZone, ZoneAccess } from "../apply/ZoneAccess.ts"
import { recordPlanError } from "./recordPlanError.ts"
import type { PhaseDelayed, StepResult } from "../commit/Transitions.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import { holdProviderZone } from "../../limits/WorkSlots.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** Plans a connection from its zone at the provider, in either direction; writes the approved plan of one that connects. */
export class ProvisionPhase extends Context.Tag("lifecycle/ProvisionPhase")<
  ProvisionPhase,
  {
    /** Makes the plan of a connection in `authorized`, and writes the plan of one in `applying`. */
    readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed>
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
        const hasWrites = yield* journal.hasWrites(connection.id)
        const event = LifecycleEvent.Planned({ ...proposed, hasWrites })
        // After earlier writes the zone may hold their duplicates, which are removed before a plan is made to be written.
        return hasWrites || zone.snapshot.zone.records.length > keptRecords
          ? { event }
          : { event, nextStep: (next: ConnectionRecord) => write(next, Option.some({ zone, plan: proposed.plan })) }
      })

      const write = (current: ConnectionRecord, planned: Option.Option<PlannedZone>) =>
        recordPlanError(
          Effect.as(holdProviderZone(writer.write(current, planned)), { event: LifecycleEvent.Applied() }),
          current,
          journal
        )

      return {
        run: (current) =>
          current.connection.state === "authorized"
            ? recordPlanError(holdProviderZone(plan(current)), current, journal)
            : write(current, Option.none())
      }
    })
  )
}

/** A larger zone is read again for its write: the process keeps few of them at the same time (see `holdProviderZone`). */
const keptRecords = 1_000
