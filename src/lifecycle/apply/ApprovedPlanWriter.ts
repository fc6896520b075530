import { Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { ResolversUnavailable } from "../../dns/zone/Delegation.ts"
import type { Connection, Direction } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { Identifiers } from "../../domain/values/Identifiers.ts"
import type { Plan, PlanDigest } from "../../domain/plan/Plan.ts"
import {
  type JournalEntry,
  JournalStore,
  possiblyWrittenStatuses
} from "../../persistence/stores/phases/JournalStore.ts"
import { Transitions } from "../commit/Transitions.ts"
import { type ConsentedPlan, isCoveredBy } from "../state/ApprovalRefusal.ts"
import type { PlanImpossible } from "../plan/PlanImpossible.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import { findDelay } from "./ApplyDelayed.ts"
import { type ApplyError, type ApplyTarget, PlanApplier } from "./PlanApplier.ts"
import { type OpenZone, toProviderZone, ZoneAccess, type ZoneAccessDenied } from "./ZoneAccess.ts"
import { makeEntryStatusCheck } from "./entryStatus.ts"

/** The zone needs other changes than those that were approved, or they cost more by now; nothing was written. */
export class PlanChanged extends Data.TaggedError("PlanChanged") {}

export interface PlannedZone {
  readonly zone: OpenZone
  readonly plan: ConsentedPlan & Pick<Plan, "changes">
}

/** Writes the approved plan of a connection to its zone at the provider, in either direction. */
export class ApprovedPlanWriter extends Context.Tag("lifecycle/ApprovedPlanWriter")<
  ApprovedPlanWriter,
  {
    /** Plans anew from the provider's zone, unless just done, and writes or continues the plan if it is approved. */
    readonly write: (
      current: ConnectionRecord,
      planned?: Option.Option<PlannedZone>
    ) => Effect.Effect<void, PlanChanged | ZoneAccessDenied | ResolversUnavailable | PlanImpossible | ApplyError>
  }
>() {
  static readonly layer = Layer.effect(
    ApprovedPlanWriter,
    Effect.gen(function* () {
      const access = yield* ZoneAccess
      const applier = yield* PlanApplier
      const identifiers = yield* Identifiers
      const journal = yield* JournalStore
      const plans = yield* PlanMaker
      const { timeouts } = yield* Transitions

      /** The plan waits for its provider as long as the credential lasts, at most. */
      const computeLongestDelay = ({ progress: { authorizedAt, enteredAt } }: ConnectionRecord) =>
        Effect.map(DateTime.now, (now) =>
          Duration.subtract(timeouts.credential, Duration.millis(DateTime.distance(authorizedAt ?? enteredAt, now)))
        )

      const open = Effect.fnUntraced(function* ({ connection }: ConnectionRecord, longestDelay: Duration.Duration) {
        return yield* Effect.catchTag(access.open(connection), "ZoneAccessDenied", (denied) =>
          Effect.gen(function* () {
            const entries = yield* journal.findUnfinishedRun(connection.id)
            const isPartlyWritten = entries.some(({ status }) => possiblyWrittenStatuses.includes(status))
            const detail = denied.details?.[0]?.message ?? denied.code
            const delay = findDelay({ failure: { ...denied, detail }, isPartlyWritten, longestDelay })
            return yield* Option.isSome(delay) ? delay.value : denied
          })
        )
      })

      const planAnew = Effect.fnUntraced(function* (current: ConnectionRecord, longestDelay: Duration.Duration) {
        const opened = yield* open(current, longestDelay)
        const target = { ...toTarget(current.connection, opened), longestDelay }
        const zone = { ...opened, snapshot: yield* applier.removeDuplicates(target) }
        const { plan } = yield* plans.planFromProviderZone(current, toProviderZone(zone))
        return { zone, plan }
      })

      /** Whether a run of the approved plan has begun in the zone, which explains that the plan differs now. */
      const hasBegun = ({ connection }: ConnectionRecord, zone: OpenZone) =>
        Effect.map(journal.findUnfinishedRun(connection.id), (entries) =>
          isPartlyApplied(
            zone,
            entries.filter(
              (entry) =>
                entry.direction === directionOf(connection) &&
                entry.providerId === zone.providerId &&
                entry.zone === zone.location.zone &&
                entry.digest === connection.plan?.digest
            )
          )
        )

      return {
        write: Effect.fnUntraced(function* (current, planned = Option.none()) {
          const { connection } = current
          const longestDelay = yield* computeLongestDelay(current)
          const { plan, zone } = Option.isSome(planned) ? planned.value : yield* planAnew(current, longestDelay)
          const approved = connection.plan
          if (approved === undefined) return yield* new PlanChanged()
          if (!isCoveredBy(plan, approved, current.progress.consent) && !(yield* hasBegun(current, zone))) {
            const isApplied =
              plan.changes.length === 0 && endsWith(approved.digest, yield* journal.findByConnection(connection.id))
            return yield* isApplied ? Effect.void : new PlanChanged()
          }
          yield* applier.apply({
            ...toTarget(connection, zone),
            longestDelay,
            run: yield* identifiers.next("run"),
            direction: directionOf(connection),
            digest: approved.digest,
            changes: plan.changes
          })
        })
      }
    })
  )
}

const toTarget = ({ id }: Connection, zone: OpenZone): Omit<ApplyTarget, "longestDelay"> => ({
  ...zone,
  ...zone.location,
  connectionId: id
})

const directionOf = ({ direction = "connect" }: Connection): Direction => direction

/** Whether any change of an unfinished run is in the zone: only then does the run go on though the plan differs now. */
const isPartlyApplied = ({ location, snapshot }: OpenZone, unfinished: ReadonlyArray<JournalEntry>): boolean => {
  const statusOf = makeEntryStatusCheck(snapshot.zone, location.domain, { entries: unfinished, open: unfinished })
  return unfinished.some((entry) => statusOf(entry) === "applied")
}

/** Whether the latest run in a journal wrote every change of the plan with this digest. */
const endsWith = (digest: PlanDigest, entries: ReadonlyArray<JournalEntry>): boolean => {
  const latest = entries.filter(({ run }) => run === entries.at(-1)?.run)
  return latest.length > 0 && latest.every((entry) => entry.digest === digest && entry.status === "confirmed")
}
