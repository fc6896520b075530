import { Context, Effect, Layer } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import { type ConnectionRecord, hasRecordsInZone, type Progress } from "../../domain/ConnectionRecord.ts"
import type { Leftover } from "../../domain/Plan.ts"
import { canAuthorizeService } from "../../domain/Provider.ts"
import { type JournalEntry, JournalStore, possiblyWrittenStatuses } from "../../persistence/stores/JournalStore.ts"
import { traced } from "../../runtime/traced.ts"
import { ApprovedPlanWriter } from "../apply/ApprovedPlanWriter.ts"
import { recordPlanError } from "./recordPlanError.ts"
import type { PhaseDelayed, StepResult } from "../commit/Transitions.ts"
import type { PlanImpossible } from "../plan/PlanImpossible.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import type { ZoneSurveyFailed } from "../plan/ZoneSurvey.ts"
import { holdProviderZone } from "../slots/PhasesInFlight.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** Removes the records of a connection from its zone, or lists them for a customer who removes them by hand. */
export class RestorePhase extends Context.Tag("lifecycle/RestorePhase")<
  RestorePhase,
  {
    /** Ends a connection in `disconnecting`. */
    readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed>
  }
>() {
  static readonly layer = Layer.effect(
    RestorePhase,
    Effect.gen(function* () {
      const journal = yield* JournalStore
      const plans = yield* PlanMaker
      const writer = yield* ApprovedPlanWriter

      const writeRestore = (current: ConnectionRecord) =>
        Effect.as(
          holdProviderZone(writer.write(current)),
          LifecycleEvent.Restored({ leftovers: current.connection.leftovers ?? [] })
        )

      const listRestore = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const { leftovers = [], plan, provider } = yield* plans.planFromPublicZone(current)
        const isInheriting =
          !hasRecordsInZone(current.progress) && plan.changes.length > 0 && canAuthorizeService(provider)
        return isInheriting ? LifecycleEvent.RecordsInherited({ plan }) : LifecycleEvent.Restored({ leftovers, plan })
      })

      const endWithoutZone = ({ connection, progress }: ConnectionRecord) =>
        Effect.map(journal.findByConnection(connection.id), (entries) =>
          LifecycleEvent.Restored({ leftovers: listWrittenRecords(entries, progress) })
        )

      const restore = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const event =
          current.progress.hasWritten && !current.progress.isManual
            ? yield* writeRestore(current)
            : yield* Effect.catchIf(listRestore(current), isZoneGone, () => endWithoutZone(current))
        return { event }
      })

      return {
        run: traced("RestorePhase.run")((current) => recordPlanError(restore(current), current, journal))
      }
    })
  )
}

/** Whether no name server answers for the zone any more, so that there is nothing to restore. */
const isZoneGone = (error: PlanImpossible | ZoneSurveyFailed | PhaseDelayed): boolean =>
  error._tag === "ZoneSurveyFailed" && zoneGoneCodes.has(error.code)

const zoneGoneCodes: ReadonlySet<FailureCode> = new Set([
  "domain_not_registered",
  "domain_has_no_nameservers",
  "zone_not_found"
])

/** Every record that the service or the customer put into a zone that is gone: its owner can remove them. */
const listWrittenRecords = (entries: ReadonlyArray<JournalEntry>, { entered }: Progress): ReadonlyArray<Leftover> =>
  [
    ...entries.filter(({ direction, status }) => direction === "connect" && possiblyWrittenStatuses.includes(status)),
    ...entered
  ]
    .flatMap(({ change }) => (change.after === undefined ? [] : [change.after]))
    .map((record) => ({ record, reason: "zone_gone" }))
