import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { FailureCode } from "../../domain/connection/Connection.ts"
import {
  type ConnectionRecord,
  hasRecordsInZone,
  isRestoredByHand,
  type Progress
} from "../../domain/connection/ConnectionRecord.ts"
import { type ChangeRecord, isSameRecord, type Leftover, type Plan } from "../../domain/plan/Plan.ts"
import { canAuthorizeService } from "../../domain/provider/Provider.ts"
import type { RecordObservation } from "../../domain/plan/RecordObservation.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  type JournalEntry,
  JournalStore,
  possiblyWrittenStatuses
} from "../../persistence/stores/phases/JournalStore.ts"
import { ApprovedPlanWriter } from "../apply/ApprovedPlanWriter.ts"
import { recordPlanError } from "./recordPlanError.ts"
import { type PhaseDelayed, type StepResult, Transitions } from "../commit/Transitions.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import { holdProviderZone } from "../../limits/WorkSlots.ts"
import { LifecycleEvent, type ProposedPlan } from "../state/LifecycleEvent.ts"
import { encodeObservations } from "../verify/encodeObservations.ts"
import { makePreviousObservations } from "../verify/makePreviousObservations.ts"
import { isEnteredByHand } from "../verify/makeRecordDiagnosis.ts"
import { makeServedRecordCheck } from "../verify/makeServedRecordCheck.ts"
import { toVisibleRecords } from "../verify/observeRemovals.ts"

/** Removes the records of a connection from its zone, or waits until a customer has removed them by hand. */
export class RestorePhase extends Context.Tag("lifecycle/RestorePhase")<
  RestorePhase,
  {
    /** Ends a connection in `disconnecting`, once its zone is restored. */
    readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed>
  }
>() {
  static readonly layer = Layer.effect(
    RestorePhase,
    Effect.gen(function* () {
      const journal = yield* JournalStore
      const plans = yield* PlanMaker
      const writer = yield* ApprovedPlanWriter
      const observeServed = yield* makeServedRecordCheck
      const { timeouts } = yield* Transitions
      const readPrevious = yield* makePreviousObservations

      const writeRestore = (current: ConnectionRecord) =>
        Effect.map(holdProviderZone(writer.write(current)), () => ({
          event: LifecycleEvent.Restored({ leftovers: current.connection.leftovers ?? [] })
        }))

      const hasTimedOut = ({ progress }: ConnectionRecord) =>
        Effect.map(
          DateTime.now,
          DateTime.greaterThanOrEqualTo(DateTime.addDuration(progress.enteredAt, timeouts.awaitingManual))
        )

      /** The records still to remove come from a new plan, since another connection may desire one of them by now. */
      const checkRestore = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const planned = yield* plans.planFromPublicZone(current)
        const isInheriting =
          !hasRecordsInZone(current.progress) &&
          planned.plan.changes.length > 0 &&
          canAuthorizeService(planned.provider)
        if (isInheriting) return { event: LifecycleEvent.RecordsInherited(planned) }
        const { leftovers, plan } = chooseInstructions(current, planned)
        const toRemove = listRemovals(planned.plan)
        const returns = toVisibleRecords(listReturns(plan))
        const { removals, returns: restored } = yield* observeServed(
          { ...current.connection, plan },
          { returns, removals: toVisibleRecords(listRemovals(plan)) },
          {
            isByHand: isEnteredByHand(current),
            isAwaited: true,
            checks: current.progress.checks,
            previous: readPrevious(current.connection.id)
          }
        )
        const remaining = [...toRemove, ...restored.filter(isAwaited).map(({ expected }) => expected)]
        const isOpen = remaining.length > 0 || [...restored, ...removals].some(isPartlyUnknown)
        const event =
          isOpen && !(yield* hasTimedOut(current))
            ? LifecycleEvent.RestoreAwaited({ leftovers, plan })
            : LifecycleEvent.Restored({ leftovers: [...leftovers, ...remaining.map(toOverdueLeftover)], plan })
        return { event, observations: encodeObservations({ records: restored, removals }, Option.some(toRemove)) }
      })

      const endWithoutZone = ({
        connection,
        progress
      }: ConnectionRecord): Effect.Effect<StepResult, StoreUnavailable> =>
        Effect.map(journal.findByConnection(connection.id), (entries) => ({
          event: LifecycleEvent.Restored({
            leftovers: listWrittenRecords(entries, progress).map((record) => ({ record, reason: "zone_gone" }))
          })
        }))

      /** A zone that cannot be read is read again as long as its customer has time; then what may be there is left over. */
      const waitForZone = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const { leftovers = [], plan } = current.connection
        const shown = plan === undefined ? {} : { plan }
        if (!(yield* hasTimedOut(current))) return { event: LifecycleEvent.RestoreAwaited({ leftovers, ...shown }) }
        const remaining =
          plan === undefined
            ? listWrittenRecords(yield* journal.findByConnection(current.connection.id), current.progress)
            : [...listRemovals(plan), ...listReturns(plan)]
        return { event: LifecycleEvent.Restored({ leftovers: [...leftovers, ...remaining.map(toOverdueLeftover)] }) }
      })

      const restore = (current: ConnectionRecord) =>
        isRestoredByHand(current)
          ? Effect.catchTag(
              checkRestore(current),
              "ZoneSurveyFailed",
              ({ code }): Effect.Effect<StepResult, StoreUnavailable> =>
                zoneGoneCodes.has(code) ? endWithoutZone(current) : waitForZone(current)
            )
          : writeRestore(current)

      return {
        run: (current) => recordPlanError(restore(current), current, journal)
      }
    })
  )
}

/**
 * The plan to follow by hand. A shown one stays, since a new one does not know what the gone records replaced; a new one
 * is shown if something else must be removed.
 */
const chooseInstructions = ({ connection }: ConnectionRecord, planned: ProposedPlan): Instructions => {
  const { leftovers = [], plan } = connection
  const shown = plan?.basis === "public_dns" ? listRemovals(plan) : []
  return plan?.basis === "public_dns" &&
    listRemovals(planned.plan).every((record) => shown.some((other) => isSameRecord(other, record)))
    ? { leftovers, plan }
    : { leftovers: planned.leftovers ?? [], plan: planned.plan }
}

interface Instructions {
  readonly plan: Plan
  readonly leftovers: ReadonlyArray<Leftover>
}

/** The records that a plan removes, or replaces by another value. */
const listRemovals = ({ changes }: Pick<Plan, "changes">): ReadonlyArray<ChangeRecord> =>
  changes.flatMap(({ after, before }) => (before === undefined || after?.value === before.value ? [] : [before]))

/** The records that a plan brings back. */
const listReturns = ({ changes }: Pick<Plan, "changes">): ReadonlyArray<ChangeRecord> =>
  changes.flatMap(({ after }) => after ?? [])

/** Whether a server has not answered, which may still have records that others do not show. */
const isPartlyUnknown = ({ observed }: RecordObservation): boolean =>
  observed.length === 0 || observed.some(({ status }) => status === "unknown")

/** Whether a server lacks the record, or none has answered. */
const isAwaited = ({ status }: RecordObservation): boolean => status !== "present"

const toOverdueLeftover = (record: ChangeRecord): Leftover => ({ record, reason: "manual_setup_timeout" })

/** No name server answers for the zone any more, so that there is nothing to restore. */
const zoneGoneCodes: ReadonlySet<FailureCode> = new Set([
  "domain_not_registered",
  "domain_has_no_nameservers",
  "zone_not_found"
])

/** Every record that the service or the customer put into a zone that cannot be read: its owner can remove them. */
const listWrittenRecords = (entries: ReadonlyArray<JournalEntry>, { entered }: Progress): ReadonlyArray<ChangeRecord> =>
  [
    ...entries.filter(({ direction, status }) => direction === "connect" && possiblyWrittenStatuses.includes(status)),
    ...entered
  ].flatMap(({ change }) => change.after ?? [])
