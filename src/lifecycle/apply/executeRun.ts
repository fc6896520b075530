import { Array, Data, Effect, Either } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Change } from "../../domain/Plan.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  type JournalEntry,
  type JournalStatus,
  possiblyWrittenStatuses,
  unsettledStatuses
} from "../../persistence/stores/JournalStore.ts"
import { changeStatusIn, deletionsMakingRoomFor, isApplied } from "../../planning/changes/ChangeStatus.ts"
import { liveZone } from "../../planning/zone/LiveZone.ts"
import type { ZoneClient, ZoneSnapshot, ZoneWrite } from "../../providers/ProviderClient.ts"
import { OutcomeUnknown, ProviderFailure, ZoneChanged } from "../../providers/ProviderFailure.ts"
import { withRetry } from "../../providers/withRetry.ts"
import type { LeaseLost } from "./Leases.ts"
import type { RunJournal } from "./RunJournal.ts"

/** A run in the journal and the zone that it is for. */
export interface ActiveRun {
  readonly journal: RunJournal
  readonly domain: DomainName
  /** What the plan was made from. */
  readonly snapshot: ZoneSnapshot
  readonly client: ZoneClient
}

type Stopped = ZoneChanged | ApplyFailed | LeaseLost | StoreUnavailable

/** Brings a run to its end. Once anything of it may have been sent, only the zone itself can tell what is still to do. */
export const executeRun = (work: ActiveRun): Effect.Effect<void, Stopped> =>
  Effect.gen(function* () {
    const entries = yield* work.journal.entries
    yield* entries.every(({ status }) => status === "pending") ? write(work, work.snapshot, entries) : resume(work)
  }).pipe(
    Effect.catchTag("OutcomeUnknown", () => withRetry(OutcomeUnknown)(resume(work))),
    Effect.catchTag("OutcomeUnknown", (unknown) => failing(work, unknown))
  )

/** Ends a run of which nothing more is to be written: what of it is in the zone is found out, the rest fails. */
export const abandonRun = (work: ActiveRun): Effect.Effect<void, Stopped> =>
  Effect.gen(function* () {
    const sent = (yield* work.journal.entries).filter(({ status }) => status === "sent" || status === "unknown")
    if (sent.length > 0) yield* confirmed(work, yield* read(work), sent)
    yield* work.journal.abandon([])
  })

/** Reads the zone and writes what is neither there nor in the way of what somebody else did. */
const resume = (work: ActiveRun): Effect.Effect<void, Stopped | OutcomeUnknown> =>
  Effect.gen(function* () {
    const snapshot = yield* read(work)
    const unsure = (yield* work.journal.entries).filter(({ status }) => unsettledStatuses.includes(status))
    const { foreign, open } = yield* confirmed(work, snapshot, unsure)
    yield* Array.matchLeft(foreign, {
      onEmpty: () => write(work, snapshot, open),
      onNonEmpty: (first) => stop(work, first, { because: disturbed, mayHold: possiblyWrittenStatuses })
    })
  })

const disturbed = new ZoneChanged({ detail: "what is at these names is neither the plan's beginning nor its end" })

/** Confirms the entries that are there; gives those that can be written, and those where somebody else was. */
const confirmed = Effect.fnUntraced(function* (
  { domain, journal: ledger }: ActiveRun,
  { zone }: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
) {
  const progress = changeStatusIn(liveZone(zone, domain), changesOf(entries))
  const {
    applied = [],
    diverged = [],
    duplicated = [],
    pending = []
  } = Array.groupBy(entries, ({ change }) => progress(change))
  yield* ledger.mark([...applied, ...duplicated.filter(({ status }) => status !== "pending")], "confirmed")
  return { open: pending, foreign: [...duplicated, ...diverged] }
})

/** Writes what the entries say to the zone that was read, and looks whether the run is in the zone then. */
const write = (
  work: ActiveRun,
  snapshot: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<void, Stopped | OutcomeUnknown> =>
  Effect.gen(function* () {
    const writes = snapshot.planWrites(changesOf(entries))
    if (Either.isLeft(writes)) return yield* refused(work, entries, writes.left)
    yield* Effect.forEach(writes.right, (one) => send(work, one, entriesOf(one, entries)), { discard: true })
    yield* check(work, { before: snapshot, written: changesOf(entries) })
  })

const entriesOf = ({ changes }: ZoneWrite, entries: ReadonlyArray<JournalEntry>) =>
  entries.filter(({ change }) => changes.includes(change))

/** The journal knows of a call before the provider does. */
const send = (
  work: ActiveRun,
  one: ZoneWrite,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<void, Stopped | OutcomeUnknown> =>
  Effect.gen(function* () {
    if (entries.length !== one.changes.length)
      return yield* Effect.dieMessage("a write is not of the plan's own changes")
    yield* work.journal.mark(entries, "sent")
    const call = Effect.zipRight(work.journal.checkLease, one.send)
    yield* Effect.catchTags(withRetry(ProviderFailure)(call), {
      OutcomeUnknown: (unknown) => Effect.zipRight(work.journal.mark(entries, "unknown"), unknown),
      ProviderFailure: (failure) => refused(work, entries, failure),
      ZoneChanged: (changed) => refused(work, entries, changed)
    })
    yield* work.journal.mark(entries, "confirmed")
  })

const refused = (work: ActiveRun, [first]: ReadonlyArray<JournalEntry>, because: ProviderFailure | ZoneChanged) =>
  stop(work, first, { because, mayHold: ["confirmed"] })

interface Reason {
  readonly because: ProviderFailure | ZoneChanged
  /** The statuses of what may be in the zone in spite of it. */
  readonly mayHold: ReadonlyArray<JournalStatus>
}

/** Gives the run up. If part of it is in the zone, what only made room for the entry is put back. */
const stop = (
  work: ActiveRun,
  at: JournalEntry | undefined,
  { because, mayHold }: Reason
): Effect.Effect<never, Stopped> =>
  Effect.gen(function* () {
    const entries = yield* work.journal.entries
    if (!entries.some(({ status }) => mayHold.includes(status))) {
      yield* work.journal.abandon([])
      return yield* because._tag === "ZoneChanged" ? because : failing(work, because)
    }
    const cleared = deletionsMakingRoomFor(changesOf(entries), at?.step ?? 0)
    const lost = entries.filter(({ change, status }) => status === "confirmed" && cleared.includes(change))
    yield* work.journal.abandon(lost.flatMap(({ change }) => creationOf(change)))
    if (lost.length > 0) yield* executeRun(work)
    return yield* failing(work, { code: "apply_partial", detail: because.detail })
  })

const creationOf = ({ before }: Change): ReadonlyArray<Change> =>
  before === undefined ? [] : [{ action: "create", after: before, destructive: false }]

/** What the zone holds at the end has to be the plan's, siblings included. */
const check = Effect.fnUntraced(function* (
  work: ActiveRun,
  { before, written }: { readonly before: ZoneSnapshot; readonly written: ReadonlyArray<Change> }
) {
  const entries = yield* work.journal.entries
  if (entries.some(({ status }) => status === "failed")) return yield* failing(work, partly)
  const { zone } = yield* read(work)
  const isThere = changeStatusIn(liveZone(zone, work.domain), [])
  const areThere = entries.every(({ change }) => isThere(change) === "applied")
  if (!areThere || !isApplied(written, { before: before.zone, after: zone }, work.domain)) {
    return yield* failing(work, differing)
  }
})

const partly = { code: "apply_partial", detail: "part of the plan was refused" } as const

const differing = { code: "apply_partial", detail: "after the writing the zone is not what the plan says" } as const

const read = (work: ActiveRun) =>
  Effect.catchAll(withRetry(ProviderFailure)(work.client.read), (failure) => failing(work, failure))

const failing = ({ journal: ledger }: ActiveRun, { code, detail }: Pick<ApplyFailed, "code" | "detail">) =>
  Effect.gen(function* () {
    const written = (yield* ledger.entries).some(({ status }) => possiblyWrittenStatuses.includes(status))
    return yield* new ApplyFailed({ code, detail, written })
  })

const changesOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<Change> => entries.map(({ change }) => change)

/** A plan was not carried out; `written` says whether any of it may be in the zone. `detail` is for operators. */
export class ApplyFailed extends Data.TaggedError("ApplyFailed")<{
  readonly code: FailureCode
  readonly written: boolean
  readonly detail: string
}> {}
