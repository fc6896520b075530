import { Array, Effect, Either, Option } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import {
  type JournalEntry,
  type JournalStatus,
  possiblyWrittenStatuses,
  unsettledStatuses
} from "../../persistence/stores/phases/JournalStore.ts"
import { hostsOf, isApplied } from "../../planning/changes/ChangeStatus.ts"
import { holdsPolicyChange } from "../../planning/restore/revertPolicy.ts"
import { toLiveZoneAt } from "../../planning/zone/LiveZone.ts"
import { findLockedRecord } from "../../planning/zone/findLockedRecord.ts"
import type { ZoneSnapshot, ZoneWrite } from "../../providers/ProviderClient.ts"
import { OutcomeUnknown, ProviderFailure, ZoneChanged } from "../../providers/ProviderFailure.ts"
import { withRetry } from "../../providers/withRetry.ts"
import { describeLockedRecord } from "../state/failureDetails.ts"
import { type ActiveRun, failRun, readZone, type RunError } from "./ActiveRun.ts"
import { findDelay } from "./ApplyDelayed.ts"
import { areApplied, makeEntryStatusCheck } from "./entryStatus.ts"
import { findOpenPutBacks, findPutBackSteps, findDeletionsToUndo, isPutBack, undoDeletion } from "./putBack.ts"
import { readUntil } from "./readUntil.ts"
import { readWithoutDuplicates } from "./readWithoutDuplicates.ts"

/** Brings a run to its end. After a possible send, the zone decides what is open; `abandoned` may be made late too. */
export const executeRun = (
  run: ActiveRun,
  { abandoned }: { readonly abandoned: ReadonlyArray<Change> }
): Effect.Effect<void, RunError> => Effect.flatMap(writeOpen(run), (written) => check(run, { ...written, abandoned }))

const writeOpen = (run: ActiveRun): Effect.Effect<WrittenChanges, RunError> =>
  Effect.flatMap(run.journal.entries, (entries) =>
    entries.every(({ status }) => status === "pending") ? write(run, run.snapshot, entries) : resume(run)
  ).pipe(
    Effect.catchTag("OutcomeUnknown", (failure) =>
      Option.getOrElse(
        findDelay({ failure, isPartlyWritten: true, longestDelay: run.longestDelay }),
        (): ReturnType<typeof resume> => withRetry(OutcomeUnknown)(resume(run))
      )
    ),
    Effect.catchTag("OutcomeUnknown", (unknown) => failRun(run, unknown))
  )

interface WrittenChanges {
  readonly before: ZoneSnapshot
  readonly changes: ReadonlyArray<Change>
}

/** Confirms the changes in the zone and fails the rest, without writing. Returns those that were sent. */
export const abandonRun = (run: ActiveRun): Effect.Effect<ReadonlyArray<Change>, RunError> =>
  Effect.gen(function* () {
    const entries = yield* run.journal.entries
    const sent = entries.filter(({ status }) => status === "sent" || status === "unknown")
    if (sent.length > 0)
      yield* Effect.catchTag(confirmApplied(run, yield* readAfterWrites(run), sent), "OutcomeUnknown", (unknown) =>
        failRun(run, unknown)
      )
    yield* run.journal.abandon([])
    return changesOf(entries.filter(({ status }) => possiblyWrittenStatuses.includes(status)))
  })

/** Reads the zone and writes the open changes, unless another writer has changed the same names. */
const resume = (run: ActiveRun): Effect.Effect<WrittenChanges, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    const snapshot = yield* readAfterWrites(run)
    const unsettled = (yield* run.journal.entries).filter(({ status }) => unsettledStatuses.includes(status))
    const { foreign, pending } = yield* confirmApplied(run, snapshot, unsettled)
    return yield* Array.matchLeft(foreign, {
      onEmpty: () => write(run, snapshot, pending),
      onNonEmpty: () => stop(run, foreign, { cause: changedByOthers, writtenStatuses: possiblyWrittenStatuses })
    })
  })

const changedByOthers = new ZoneChanged({
  detail: "the records at these names are neither those before the plan nor those after it"
})

/** Confirms the entries that are in the zone; returns the writable entries, and those that others interfered with. */
const confirmApplied = Effect.fnUntraced(function* (
  { client, domain, journal }: ActiveRun,
  { zone }: ZoneSnapshot,
  open: ReadonlyArray<JournalEntry>
) {
  const statusOf = makeEntryStatusCheck(zone, domain, { entries: yield* journal.entries, open })
  const { applied = [], diverged = [], duplicated = [], pending = [] } = Array.groupBy(open, statusOf)
  const live = toLiveZoneAt(zone, domain, hostsOf(changesOf(diverged)))
  // A policy that others edited since is reverted with the connection.
  const edited = diverged.filter(({ change }) => holdsPolicyChange(live, change))
  const written = [...applied, ...[...duplicated, ...edited].filter(({ status }) => status !== "pending")]
  // The process may have ended between a write and its publication.
  if (written.length > 0 && client.publish !== undefined) yield* client.publish
  yield* journal.mark(written, "confirmed")
  return { pending, foreign: [...duplicated, ...diverged] }
})

const write = (
  run: ActiveRun,
  snapshot: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<WrittenChanges, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    const writes = planWrites(snapshot, entries)
    if (Either.isLeft(writes)) return yield* stopAfterRefusal(run, findUnwritable(snapshot, entries), writes.left)
    yield* Effect.forEach(writes.right, (zoneWrite) => send(run, zoneWrite, entriesOf(zoneWrite, entries)), {
      discard: true
    })
    return { before: snapshot, changes: changesOf(entries) }
  })

const planWrites = (
  { planWrites, zone }: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
): Either.Either<ReadonlyArray<ZoneWrite>, ProviderFailure | ZoneChanged> => {
  const locked = findLockedRecord(zone, changesOf(entries))
  return Either.mapLeft(
    locked === undefined ? planWrites(changesOf(entries)) : Either.left(recordLocked(locked)),
    (cause) => (cause._tag === "ProviderFailure" ? new ProviderFailure({ ...cause, isLocal: true }) : cause)
  )
}

/** The entries to refuse if some cannot be written: a plan as a whole, but records to put back one by one. */
const findUnwritable = (snapshot: ZoneSnapshot, entries: ReadonlyArray<JournalEntry>): ReadonlyArray<JournalEntry> => {
  const unwritable = entries.filter((entry) => isPutBack(entry.change) && Either.isLeft(planWrites(snapshot, [entry])))
  return unwritable.length > 0 ? unwritable : entries
}

const recordLocked = (locked: ZoneRecord) =>
  new ProviderFailure({ code: "provider_record_locked", detail: describeLockedRecord(locked) })

const entriesOf = ({ changes }: ZoneWrite, entries: ReadonlyArray<JournalEntry>) => {
  const sent = new Set(changes)
  return entries.filter(({ change }) => sent.has(change))
}

/** Journals, then sends one write. A repeated call that fails may have been made late: the zone itself decides. */
const send = (
  run: ActiveRun,
  zoneWrite: ZoneWrite,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<void, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    if (entries.length !== zoneWrite.changes.length)
      return yield* Effect.dieMessage("a write contains changes that are not in the plan")
    const isRepeated = entries.some(({ status }) => status !== "pending")
    yield* run.journal.mark(entries, "sent")
    const call = Effect.zipRight(run.journal.checkLease, zoneWrite.send)
    yield* Effect.catchTags(withRetry(ProviderFailure)(call), {
      OutcomeUnknown: (unknown) => Effect.zipRight(run.journal.mark(entries, "unknown"), unknown),
      ProviderFailure: (failure) =>
        Effect.zipRight(
          delayIfAsked(run, entries, { failure, isRepeated }),
          isRepeated ? checkRefusedRepetition(run, entries, failure) : stopAfterRefusal(run, entries, failure)
        ),
      ZoneChanged: (changed) =>
        isRepeated ? resumeLater(run, entries, changed) : stopAfterRefusal(run, entries, changed)
    })
    yield* run.journal.mark(entries, "confirmed")
  })

/** Delays the rest of the run for as long as the provider asks; the entries that were not made are sent again then. */
const delayIfAsked = (
  run: ActiveRun,
  entries: ReadonlyArray<JournalEntry>,
  { failure, isRepeated }: { readonly failure: ProviderFailure; readonly isRepeated: boolean }
): Effect.Effect<void, RunError> =>
  Effect.gen(function* () {
    const steps = new Set(entries.map(({ step }) => step))
    const isPartlyWritten = (yield* run.journal.entries).some(
      ({ status, step }) => possiblyWrittenStatuses.includes(status) && (isRepeated || !steps.has(step))
    )
    const delay = findDelay({ failure, isPartlyWritten, longestDelay: run.longestDelay })
    if (Option.isNone(delay)) return
    // An earlier call of the same entries may have been made.
    yield* run.journal.mark(entries, isRepeated ? "unknown" : "pending")
    return yield* delay.value
  })

/** A repeated call was refused: if the zone shows its changes, only because the first one was made late. */
const checkRefusedRepetition = (
  run: ActiveRun,
  entries: ReadonlyArray<JournalEntry>,
  failure: ProviderFailure
): Effect.Effect<never, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    const { zone } = yield* readAfterWrites(run)
    return yield* areApplied(zone, run.domain, entries)
      ? resumeLater(run, entries, failure)
      : stopAfterRefusal(run, entries, failure)
  })

/** Ends the attempt; the next read of the zone shows which changes are still to be made. */
const resumeLater = (
  run: ActiveRun,
  entries: ReadonlyArray<JournalEntry>,
  { detail }: { readonly detail: string }
): Effect.Effect<never, RunError | OutcomeUnknown> =>
  Effect.zipRight(run.journal.mark(entries, "unknown"), new OutcomeUnknown({ code: "provider_unavailable", detail }))

const stopAfterRefusal = (run: ActiveRun, entries: ReadonlyArray<JournalEntry>, cause: ProviderFailure | ZoneChanged) =>
  stop(run, entries, { cause, writtenStatuses: ["confirmed"] })

interface StopReason {
  readonly cause: ProviderFailure | ZoneChanged
  /** The statuses of the changes that may be in the zone nevertheless. */
  readonly writtenStatuses: ReadonlyArray<JournalStatus>
}

/** Gives the run up because of the refused entries, and puts back records that were deleted in vain to make room. */
const stop = (
  run: ActiveRun,
  refused: ReadonlyArray<JournalEntry>,
  { cause, writtenStatuses }: StopReason
): Effect.Effect<never, RunError> =>
  Effect.gen(function* () {
    const entries = yield* run.journal.entries
    const written = entries.filter(({ status }) => writtenStatuses.includes(status))
    const lost = findDeletionsToUndo(entries)
    const putBacks = [...findOpenPutBacks(entries, refused), ...lost.flatMap(undoDeletion)]
    yield* run.journal.abandon(putBacks)
    if (putBacks.length > 0) {
      const { changes } = yield* writeOpen(run)
      yield* readWithoutDuplicates(run, changes)
    }
    const refusal = refusalOf(cause, refused)
    if (written.some((entry) => !lost.includes(entry)))
      return yield* failRun(run, { code: "apply_partial", detail: cause.detail, ...refusal })
    return yield* cause._tag === "ZoneChanged" ? cause : failRun(run, { ...cause, ...refusal })
  })

/** Whether the provider was asked, and for which changes where it refused just those. */
const refusalOf = (cause: ProviderFailure | ZoneChanged, refused: ReadonlyArray<JournalEntry>) => {
  if (cause._tag === "ZoneChanged") return {}
  const { code, isLocal = false } = cause
  return { isLocal, refused: code === "apply_rejected" && !isLocal ? changesOf(refused) : [] }
}

/** Fails unless the zone is as the plan expects, including the other records of the changed RRsets. */
const check = Effect.fnUntraced(function* (
  run: ActiveRun,
  { abandoned, before, changes }: WrittenChanges & { readonly abandoned: ReadonlyArray<Change> }
) {
  const entries = yield* run.journal.entries
  if (entries.some(({ status }) => status === "failed")) return yield* failRun(run, partlyWritten)
  const isAsPlanned = (after: ZoneSnapshot): boolean =>
    areApplied(after.zone, run.domain, entries) &&
    isApplied(changes, { before: before.zone, after: after.zone }, run.domain)
  const after = yield* readWithoutDuplicates(run, [...abandoned, ...changesOf(entries)], isAsPlanned)
  if (!isAsPlanned(after)) return yield* failRun(run, zoneDiffers)
})

const partlyWritten = {
  code: "apply_partial",
  detail: "part of the plan was rejected in an earlier run",
  isOwnFinding: true
} as const

const zoneDiffers = {
  code: "apply_partial",
  detail: "after the writes the zone is not what the plan says",
  isOwnFinding: true
} as const

/** Reads the zone once it shows every change that was or may have been made, or must show it if it was made. */
const readAfterWrites = (run: ActiveRun): Effect.Effect<ZoneSnapshot, RunError> =>
  Effect.flatMap(run.journal.entries, (entries) => {
    const putBackSteps = findPutBackSteps(entries)
    const written = entries.filter(
      ({ status, step }) => possiblyWrittenStatuses.includes(status) && !putBackSteps.has(step)
    )
    return readUntil(run.client, readZone(run), ({ zone }) => areApplied(zone, run.domain, written))
  })

const changesOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<Change> => entries.map(({ change }) => change)
