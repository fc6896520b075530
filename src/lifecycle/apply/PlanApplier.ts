import { Context, Duration, Effect, Layer } from "effect"
import { toFqdn } from "../../domain/names/DomainName.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import { splitUpdates } from "../../domain/plan/RunChange.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  type JournalEntry,
  type JournalRun,
  JournalStore,
  possiblyWrittenStatuses
} from "../../persistence/stores/phases/JournalStore.ts"
import { findDuplicatedRecords, hostsOf } from "../../planning/changes/ChangeStatus.ts"
import { identityOf } from "../../planning/changes/computeResultingRecords.ts"
import { isEditable, normalizeData } from "../../planning/zone/LiveZone.ts"
import { inProviderSession, type ZoneClient, type ZoneSnapshot } from "../../providers/ProviderClient.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import { type LeaseLost, Leases, type LeaseTaken } from "../commit/Leases.ts"
import type { ApplyFailed } from "./ActiveRun.ts"
import type { ApplyDelayed } from "./ApplyDelayed.ts"
import { makeRecentWritesFinder } from "./RecentWrites.ts"
import { areApplied } from "./entryStatus.ts"
import { makeRunJournal } from "./RunJournal.ts"
import { abandonRun, executeRun } from "./executeRun.ts"
import { readUntil } from "./readUntil.ts"
import { readWithoutDuplicates } from "./readWithoutDuplicates.ts"

/** The zone of a connection as it was opened and read. */
export interface ApplyTarget extends Pick<JournalRun, "connectionId" | "providerId" | "zone" | "domain"> {
  readonly snapshot: ZoneSnapshot
  /** Read the snapshot, and reads the zone again after the writes. */
  readonly client: ZoneClient
  /** How long the plan may wait for its provider between two calls; the journal then has what was written. */
  readonly longestDelay: Duration.Duration
}

/** A plan to write, and its zone. `run` stays the same until the journal has the outcome, then is never reused. */
export interface ApplyRequest extends JournalRun, ApplyTarget {
  readonly changes: ReadonlyArray<Change>
}

/** Why a plan was not written completely; after `ZoneChanged` none of it is in the zone. */
export type ApplyError = ZoneChanged | ApplyFailed | ApplyDelayed | LeaseTaken | LeaseLost | StoreUnavailable

/** Writes a plan to its zone and journals every change, so that the next process can continue after a crash. */
export class PlanApplier extends Context.Tag("lifecycle/PlanApplier")<
  PlanApplier,
  {
    /** Writes the plan, or continues its unfinished run. That of another plan is ended first, without writing more. */
    readonly apply: (request: ApplyRequest) => Effect.Effect<void, ApplyError>
    /** Removes duplicates that late calls added and a dead process left. Returns the zone to plan from. */
    readonly removeDuplicates: (target: ApplyTarget) => Effect.Effect<ZoneSnapshot, ApplyError>
  }
>() {
  static readonly layer = Layer.effect(
    PlanApplier,
    Effect.gen(function* () {
      const journal = yield* JournalStore
      const leases = yield* Leases
      const holdLease = ({ connectionId, providerId, zone }: ApplyTarget) =>
        leases.hold([`connection:${connectionId}`, `zone:${providerId}/${zone}`], maxWait)

      const findRecentWrites = makeRecentWritesFinder(journal)

      const findEntries = (target: ApplyTarget) =>
        Effect.map(journal.findByConnection(target.connectionId), (entries) =>
          entries.filter((entry) => isSameZone(entry, target) && possiblyWrittenStatuses.includes(entry.status))
        )

      /** Waits until the provider's list shows others' writes at the plan's names: the first comparison reads it. */
      const waitForOthers = Effect.fnUntraced(function* (request: ApplyRequest) {
        const { changes, client, domain, snapshot } = request
        const recent = yield* findRecentWrites({
          ...request,
          names: [...hostsOf(changes)].map((host) => toFqdn(host, domain)),
          visibleWithin: client.visibleWithin
        })
        const others = recent.entries.filter(({ connectionId }) => connectionId !== request.connectionId)
        const isShown = ({ zone }: ZoneSnapshot) => areApplied(zone, domain, others)
        if (isShown(snapshot)) return
        yield* Effect.catchAll(readUntil(recent, client.read, isShown), () => Effect.sleep(recent.visibleWithin))
      })

      return {
        apply: Effect.fnUntraced(function* (request) {
          const lease = yield* holdLease(request)
          yield* waitForOthers(request)
          const unfinished = (yield* journal.findUnfinishedRun(request.connectionId)).find((entry) =>
            isSameZone(entry, request)
          )
          const isContinued = unfinished !== undefined && isSamePlan(unfinished, request)
          const abandoned =
            unfinished === undefined || isContinued
              ? []
              : yield* abandonRun({ ...request, journal: makeRunJournal(journal, lease, unfinished) })
          const runJournal = makeRunJournal(journal, lease, isContinued ? unfinished : request)
          const noted = noteAutomaticTtls(request.snapshot.zone, request.changes)
          const changes =
            request.direction === "restore"
              ? disableAgain(
                  (yield* findEntries(request)).map(({ change }) => change),
                  noted
                )
              : noteDisabled(request.snapshot.zone, noted)
          yield* runJournal.open(splitUpdates(changes, request.client.canUpdate ?? (() => true)))
          yield* executeRun({ ...request, journal: runJournal }, { abandoned })
        }, endLeaseBeforeSlot),
        removeDuplicates: Effect.fnUntraced(function* (target) {
          const entries = yield* findEntries(target)
          const written = entries.map(({ change }) => change)
          const latest = entries.at(-1)
          if (latest === undefined || findDuplicatedRecords(written, target.snapshot.zone, target.domain).length === 0)
            return target.snapshot
          const run = { ...target, journal: makeRunJournal(journal, yield* holdLease(target), latest) }
          return yield* readWithoutDuplicates(run, written)
        }, endLeaseBeforeSlot)
      }
    })
  )
}

/** Notes which replaced or removed records have a TTL chosen by the provider, for a restore to leave to it again. */
const noteAutomaticTtls = (
  { records }: Pick<Zone, "records">,
  changes: ReadonlyArray<Change>
): ReadonlyArray<Change> => {
  const automatic = new Set(
    records
      .filter((record) => record.automaticTtl === true && isEditable(record))
      .map((record) => identityOf({ ...normalizeData(record), host: record.host.toLowerCase() }))
  )
  return automatic.size === 0
    ? changes
    : changes.map((change) => {
        const { before } = change
        return before !== undefined && automatic.has(identityOf(before))
          ? { ...change, before: { ...before, automaticTtl: true } }
          : change
      })
}

/** Notes in the changes which records the provider stored before without serving them, so that a restore can leave them so. */
const noteDisabled = ({ disabled = [] }: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<Change> =>
  withDisabledTtls(
    "after",
    new Map(
      disabled.map((record) => [identityOf({ ...normalizeData(record), host: record.host.toLowerCase() }), record.ttl])
    ),
    changes
  )

/** Carries that note from the changes that a connection wrote over to those that remove its records. */
const disableAgain = (written: ReadonlyArray<Change>, changes: ReadonlyArray<Change>): ReadonlyArray<Change> =>
  withDisabledTtls(
    "before",
    new Map(
      written.flatMap(({ after }) =>
        after?.disabledTtl === undefined ? [] : [[identityOf(after), after.disabledTtl] as const]
      )
    ),
    changes
  )

/** Notes the TTLs in seconds, by `identityOf`, in the records on one side of the changes. */
const withDisabledTtls = (
  side: "before" | "after",
  ttls: ReadonlyMap<string, number>,
  changes: ReadonlyArray<Change>
): ReadonlyArray<Change> =>
  changes.map((change) => {
    const record = change[side]
    const disabledTtl = record === undefined ? undefined : ttls.get(identityOf(record))
    return record === undefined || disabledTtl === undefined
      ? change
      : { ...change, [side]: { ...record, disabledTtl } }
  })

/** Works outside the slots, and does not keep its lease while it waits for a slot afterwards. */
const endLeaseBeforeSlot = <A, E, R>(work: Effect.Effect<A, E, R>) => inProviderSession(Effect.scoped(work))

/** How long a plan waits for another plan that is being written to the same zone. */
const maxWait = Duration.seconds(30)

/** The zone at a provider that the domain has left is neither read nor written any more. */
const isSameZone = (entry: JournalEntry, { providerId, zone }: ApplyTarget): boolean =>
  entry.providerId === providerId && entry.zone === zone

const isSamePlan = (entry: JournalEntry, run: JournalRun): boolean =>
  entry.digest === run.digest && entry.direction === run.direction
