import { Array, Data, Effect, Either } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  type JournalEntry,
  type JournalStatus,
  possiblyWrittenStatuses,
  unsettledStatuses
} from "../../persistence/stores/JournalStore.ts"
import { findDuplicatedRecords, findPrerequisiteDeletions, isApplied } from "../../planning/changes/ChangeStatus.ts"
import { findLockedRecord } from "../../planning/zone/findLockedRecord.ts"
import type { ZoneClient, ZoneSnapshot, ZoneWrite } from "../../providers/ProviderClient.ts"
import { OutcomeUnknown, ProviderFailure, ZoneChanged } from "../../providers/ProviderFailure.ts"
import { withRetry } from "../../providers/withRetry.ts"
import type { LeaseLost } from "../commit/Leases.ts"
import { describeLockedRecord } from "../state/failureDetails.ts"
import type { RunJournal } from "./RunJournal.ts"
import { areApplied, makeEntryStatusCheck } from "./entryStatus.ts"
import { readUntil } from "./readUntil.ts"

/** A run in the journal, and the zone that it writes. */
interface ActiveRun {
  readonly journal: RunJournal
  readonly domain: DomainName
  /** The zone as the plan was made from it. */
  readonly snapshot: ZoneSnapshot
  readonly client: ZoneClient
}

type RunError = ZoneChanged | ApplyFailed | LeaseLost | StoreUnavailable

/** Brings a run to its end. Once any change may have been sent, the zone itself decides which changes are still open. */
export const executeRun = (run: ActiveRun): Effect.Effect<void, RunError> =>
  Effect.flatMap(writeOpen(run), (written) => check(run, written))

/** Writes the open changes of a run. */
const writeOpen = (run: ActiveRun): Effect.Effect<Written, RunError> =>
  Effect.flatMap(run.journal.entries, (entries) =>
    entries.every(({ status }) => status === "pending") ? write(run, run.snapshot, entries) : resume(run)
  ).pipe(
    Effect.catchTag("OutcomeUnknown", () => withRetry(OutcomeUnknown)(resume(run))),
    Effect.catchTag("OutcomeUnknown", (unknown) => fail(run, unknown))
  )

/** The changes that were written last, and the zone before them. */
interface Written {
  readonly before: ZoneSnapshot
  readonly changes: ReadonlyArray<Change>
}

/** Ends a run without writing more of it: confirms the changes that are in the zone; the rest fails. */
export const abandonRun = (run: ActiveRun): Effect.Effect<void, RunError> =>
  Effect.gen(function* () {
    const sent = (yield* run.journal.entries).filter(({ status }) => status === "sent" || status === "unknown")
    if (sent.length > 0) yield* confirmApplied(run, yield* readAfterWrites(run), sent)
    yield* run.journal.abandon([])
  })

/** Reads the zone and writes the open changes, unless another client has changed the same names. */
const resume = (run: ActiveRun): Effect.Effect<Written, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    const snapshot = yield* readAfterWrites(run)
    const unsettled = (yield* run.journal.entries).filter(({ status }) => unsettledStatuses.includes(status))
    const { foreign, pending } = yield* confirmApplied(run, snapshot, unsettled)
    return yield* Array.matchLeft(foreign, {
      onEmpty: () => write(run, snapshot, pending),
      onNonEmpty: (first) => stop(run, first, { cause: changedByOthers, writtenStatuses: possiblyWrittenStatuses })
    })
  })

const changedByOthers = new ZoneChanged({
  detail: "the records at these names are neither those before the plan nor those after it"
})

/** Confirms the entries that are in the zone; returns those that can be written, and those that others interfered with. */
const confirmApplied = Effect.fnUntraced(function* (
  { domain, journal }: ActiveRun,
  { zone }: ZoneSnapshot,
  open: ReadonlyArray<JournalEntry>
) {
  const statusOf = makeEntryStatusCheck(zone, domain, { entries: yield* journal.entries, open })
  const { applied = [], diverged = [], duplicated = [], pending = [] } = Array.groupBy(open, statusOf)
  yield* journal.mark([...applied, ...duplicated.filter(({ status }) => status !== "pending")], "confirmed")
  return { pending, foreign: [...duplicated, ...diverged] }
})

/** Writes the changes of the entries to the zone that was read. */
const write = (
  run: ActiveRun,
  snapshot: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<Written, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    const locked = findLockedRecord(snapshot.zone, changesOf(entries))
    if (locked !== undefined) return yield* rejected(run, entries, recordLocked(locked))
    const writes = snapshot.planWrites(changesOf(entries))
    if (Either.isLeft(writes)) return yield* rejected(run, entries, writes.left)
    yield* Effect.forEach(writes.right, (zoneWrite) => send(run, zoneWrite, entriesOf(zoneWrite, entries)), {
      discard: true
    })
    return { before: snapshot, changes: changesOf(entries) }
  })

const recordLocked = (locked: ZoneRecord) =>
  new ProviderFailure({ code: "provider_record_locked", detail: describeLockedRecord(locked) })

const entriesOf = ({ changes }: ZoneWrite, entries: ReadonlyArray<JournalEntry>) => {
  const sent = new Set(changes)
  return entries.filter(({ change }) => sent.has(change))
}

/**
 * Sends one write; the journal knows of the call before the provider does. Where a call is sent again and meets another
 * zone, the first one may have been made late: the zone itself decides.
 */
const send = (
  run: ActiveRun,
  zoneWrite: ZoneWrite,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<void, RunError | OutcomeUnknown> =>
  Effect.gen(function* () {
    if (entries.length !== zoneWrite.changes.length)
      return yield* Effect.dieMessage("a write contains changes that are not in the plan")
    yield* run.journal.mark(entries, "sent")
    const call = Effect.zipRight(run.journal.checkLease, zoneWrite.send)
    yield* Effect.catchTags(withRetry(ProviderFailure)(call), {
      OutcomeUnknown: (unknown) => Effect.zipRight(run.journal.mark(entries, "unknown"), unknown),
      ProviderFailure: (failure) => rejected(run, entries, failure),
      ZoneChanged: (changed) =>
        entries.some(({ status }) => status !== "pending")
          ? Effect.zipRight(run.journal.mark(entries, "unknown"), toUnknown(changed))
          : rejected(run, entries, changed)
    })
    yield* run.journal.mark(entries, "confirmed")
  })

const toUnknown = ({ detail }: ZoneChanged) => new OutcomeUnknown({ code: "provider_unavailable", detail })

const rejected = (run: ActiveRun, [first]: ReadonlyArray<JournalEntry>, cause: ProviderFailure | ZoneChanged) =>
  stop(run, first, { cause, writtenStatuses: ["confirmed"] })

interface StopReason {
  readonly cause: ProviderFailure | ZoneChanged
  /** The statuses of the changes that may be in the zone nevertheless. */
  readonly writtenStatuses: ReadonlyArray<JournalStatus>
}

/**
 * Gives the run up. If part of it is in the zone, the records that were deleted only to make room for `entry` come back;
 * if that was all of it, the zone is as before.
 */
const stop = (
  run: ActiveRun,
  entry: JournalEntry | undefined,
  { cause, writtenStatuses }: StopReason
): Effect.Effect<never, RunError> =>
  Effect.gen(function* () {
    const entries = yield* run.journal.entries
    const written = entries.filter(({ status }) => writtenStatuses.includes(status))
    const deletions = findPrerequisiteDeletions(changesOf(entries), entry?.step ?? 0)
    const lost = entries.filter(({ change, status }) => status === "confirmed" && deletions.includes(change))
    yield* run.journal.abandon(lost.flatMap(({ change }) => creationOf(change)))
    if (lost.length > 0) {
      const { changes } = yield* writeOpen(run)
      yield* readWithoutDuplicates(run, changes, () => true)
    }
    if (written.some((entry) => !lost.includes(entry))) {
      return yield* fail(run, { code: "apply_partial", detail: cause.detail })
    }
    return yield* cause._tag === "ZoneChanged" ? cause : fail(run, cause)
  })

const creationOf = ({ before }: Change): ReadonlyArray<Change> =>
  before === undefined ? [] : [{ action: "create", after: before, destructive: false }]

/** Fails unless the zone is what the plan says, including the other records of the changed RRsets. */
const check = Effect.fnUntraced(function* (run: ActiveRun, { before, changes }: Written) {
  const entries = yield* run.journal.entries
  if (entries.some(({ status }) => status === "failed")) return yield* fail(run, partlyWritten)
  const isAsPlanned = (after: ZoneSnapshot): boolean =>
    areApplied(after.zone, run.domain, entries) &&
    isApplied(changes, { before: before.zone, after: after.zone }, run.domain)
  const after = yield* readWithoutDuplicates(run, changesOf(entries), isAsPlanned)
  if (!isAsPlanned(after)) return yield* fail(run, zoneDiffers)
})

/**
 * Reads the zone once it is as expected, and removes what stands there twice: a creation without an answer may be made
 * after it was sent again.
 */
const readWithoutDuplicates = (
  run: ActiveRun,
  changes: ReadonlyArray<Change>,
  isExpected: (snapshot: ZoneSnapshot) => boolean,
  removals = 2
): Effect.Effect<ZoneSnapshot, RunError> =>
  Effect.gen(function* () {
    const findDuplicates = ({ zone }: ZoneSnapshot) => findDuplicatedRecords(changes, zone)
    const snapshot = yield* readUntil(
      run.client,
      read(run),
      (current) => findDuplicates(current).length === 0 && isExpected(current)
    )
    const duplicated = findDuplicates(snapshot)
    if (duplicated.length === 0) return snapshot
    if (removals === 0) return yield* failAsDuplicated(run, duplicated, "they are still there after their removal")
    yield* removeDuplicates(run, snapshot, duplicated)
    return yield* readWithoutDuplicates(run, changes, isExpected, removals - 1)
  })

/** Removes all but one of each record. The journal need not know: before and after, the record is there. */
const removeDuplicates = (run: ActiveRun, snapshot: ZoneSnapshot, duplicated: ReadonlyArray<ChangeRecord>) =>
  Effect.flatMap(
    snapshot.planWrites(
      duplicated.map((record) => ({ action: "update", before: record, after: record, destructive: false }))
    ),
    Effect.forEach(({ send }) => withRetry(ProviderFailure)(Effect.zipRight(run.journal.checkLease, send)), {
      discard: true
    })
  ).pipe(
    Effect.catchTags({
      OutcomeUnknown: () => Effect.void,
      ZoneChanged: () => Effect.void,
      ProviderFailure: ({ detail }) => failAsDuplicated(run, duplicated, detail)
    })
  )

const failAsDuplicated = (run: ActiveRun, duplicated: ReadonlyArray<ChangeRecord>, detail: string) => {
  const records = duplicated.map(({ host, type, value }) => `${host} ${type} ${value}`)
  return fail(run, { code: "apply_partial", detail: `the zone has more than once: ${records.join(", ")}; ${detail}` })
}

const partlyWritten = { code: "apply_partial", detail: "part of the plan was rejected" } as const

const zoneDiffers = { code: "apply_partial", detail: "after the writes the zone is not what the plan says" } as const

/** Reads the zone once it shows every change that was or may have been made, or must show it if it was made. */
const readAfterWrites = (run: ActiveRun): Effect.Effect<ZoneSnapshot, RunError> =>
  Effect.flatMap(run.journal.entries, (entries) => {
    const written = entries.filter(({ status }) => possiblyWrittenStatuses.includes(status))
    return readUntil(run.client, read(run), ({ zone }) => areApplied(zone, run.domain, written))
  })

const read = (run: ActiveRun) =>
  Effect.catchAll(withRetry(ProviderFailure)(run.client.read), (failure) => fail(run, failure))

const fail = ({ journal }: ActiveRun, { code, detail }: Pick<ApplyFailed, "code" | "detail">) =>
  Effect.gen(function* () {
    const hasWrites = (yield* journal.entries).some(({ status }) => possiblyWrittenStatuses.includes(status))
    return yield* new ApplyFailed({ code, detail, hasWrites })
  })

const changesOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<Change> => entries.map(({ change }) => change)

/** A plan was not written completely; `hasWrites` says whether any of it may be in the zone. `detail` is for operators. */
export class ApplyFailed extends Data.TaggedError("ApplyFailed")<{
  readonly code: FailureCode
  readonly hasWrites: boolean
  readonly detail: string
}> {}
