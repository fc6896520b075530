import { Array, Effect, Either } from "effect"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Change } from "../../domain/Plan.ts"
import { type JournalEntry, type JournalStatus, perhapsWritten, unsettled } from "../../persistence/Journal.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { isCarriedOut } from "../../planning/changes/isCarriedOut.ts"
import { madeRoomFor } from "../../planning/changes/madeRoomFor.ts"
import { progressIn } from "../../planning/changes/progress.ts"
import { liveZone } from "../../planning/zone/LiveZone.ts"
import type { Write, ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { patiently } from "../../providers/patiently.ts"
import { OutcomeUnknown, ProviderFailure, ZoneChanged } from "../../providers/ProviderFailure.ts"
import { ApplyFailed } from "./ApplyFailed.ts"
import type { LeaseLost } from "./Leases.ts"
import type { Ledger } from "./Ledger.ts"

/** A run in the journal and the zone that it is for. */
export interface Work {
  readonly ledger: Ledger
  readonly domain: DomainName
  /** What the plan was made from. */
  readonly snapshot: ZoneSnapshot
  readonly client: ZoneClient
}

type Stopped = ZoneChanged | ApplyFailed | LeaseLost | StoreUnavailable

/** Brings a run to its end. Once anything of it may have been sent, only the zone itself can tell what is still to do. */
export const carryOut = (work: Work): Effect.Effect<void, Stopped> =>
  Effect.gen(function* () {
    const entries = yield* work.ledger.entries
    yield* entries.every(({ status }) => status === "pending") ? write(work, work.snapshot, entries) : resume(work)
  }).pipe(
    Effect.catchTag("OutcomeUnknown", () => patiently(OutcomeUnknown)(resume(work))),
    Effect.catchTag("OutcomeUnknown", (unknown) => failing(work, unknown))
  )

/** Ends a run of which nothing more is to be written: what of it is in the zone is found out, the rest fails. */
export const putAside = (work: Work): Effect.Effect<void, Stopped> =>
  Effect.gen(function* () {
    const sent = (yield* work.ledger.entries).filter(({ status }) => status === "sent" || status === "unknown")
    if (sent.length > 0) yield* confirmed(work, yield* read(work), sent)
    yield* work.ledger.giveUp([])
  })

/** Reads the zone and writes what is neither there nor in the way of what somebody else did. */
const resume = (work: Work): Effect.Effect<void, Stopped | OutcomeUnknown> =>
  Effect.gen(function* () {
    const snapshot = yield* read(work)
    const unsure = (yield* work.ledger.entries).filter(({ status }) => unsettled.includes(status))
    const { foreign, open } = yield* confirmed(work, snapshot, unsure)
    yield* Array.matchLeft(foreign, {
      onEmpty: () => write(work, snapshot, open),
      onNonEmpty: (first) => stop(work, first, { because: disturbed, mayHold: perhapsWritten })
    })
  })

const disturbed = new ZoneChanged({ detail: "what is at these names is neither the plan's beginning nor its end" })

/** Confirms the entries that are there; gives those that can be written, and those where somebody else was. */
const confirmed = Effect.fnUntraced(function* (
  { domain, ledger }: Work,
  { zone }: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
) {
  const progress = progressIn(liveZone(zone, domain), changesOf(entries))
  const { beside = [], done = [], open = [], other = [] } = Array.groupBy(entries, ({ change }) => progress(change))
  yield* ledger.mark([...done, ...beside.filter(({ status }) => status !== "pending")], "confirmed")
  return { open, foreign: [...beside, ...other] }
})

/** Writes what the entries say to the zone that was read, and looks whether the run is in the zone then. */
const write = (
  work: Work,
  snapshot: ZoneSnapshot,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<void, Stopped | OutcomeUnknown> =>
  Effect.gen(function* () {
    const writes = snapshot.writesFor(changesOf(entries))
    if (Either.isLeft(writes)) return yield* refused(work, entries, writes.left)
    yield* Effect.forEach(writes.right, (one) => send(work, one, entriesOf(one, entries)), { discard: true })
    yield* check(work, { before: snapshot, written: changesOf(entries) })
  })

const entriesOf = ({ changes }: Write, entries: ReadonlyArray<JournalEntry>) =>
  entries.filter(({ change }) => changes.includes(change))

/** The journal knows of a call before the provider does. */
const send = (
  work: Work,
  one: Write,
  entries: ReadonlyArray<JournalEntry>
): Effect.Effect<void, Stopped | OutcomeUnknown> =>
  Effect.gen(function* () {
    if (entries.length !== one.changes.length)
      return yield* Effect.dieMessage("a write is not of the plan's own changes")
    yield* work.ledger.mark(entries, "sent")
    const call = Effect.zipRight(work.ledger.mayCall, one.send)
    yield* Effect.catchTags(patiently(ProviderFailure)(call), {
      OutcomeUnknown: (unknown) => Effect.zipRight(work.ledger.mark(entries, "unknown"), unknown),
      ProviderFailure: (failure) => refused(work, entries, failure),
      ZoneChanged: (changed) => refused(work, entries, changed)
    })
    yield* work.ledger.mark(entries, "confirmed")
  })

const refused = (work: Work, [first]: ReadonlyArray<JournalEntry>, because: ProviderFailure | ZoneChanged) =>
  stop(work, first, { because, mayHold: ["confirmed"] })

interface Reason {
  readonly because: ProviderFailure | ZoneChanged
  /** The statuses of what may be in the zone in spite of it. */
  readonly mayHold: ReadonlyArray<JournalStatus>
}

/** Gives the run up. If part of it is in the zone, what only made room for the entry is put back. */
const stop = (work: Work, at: JournalEntry | undefined, { because, mayHold }: Reason): Effect.Effect<never, Stopped> =>
  Effect.gen(function* () {
    const entries = yield* work.ledger.entries
    if (!entries.some(({ status }) => mayHold.includes(status))) {
      yield* work.ledger.giveUp([])
      return yield* because._tag === "ZoneChanged" ? because : failing(work, because)
    }
    const cleared = madeRoomFor(changesOf(entries), at?.step ?? 0)
    const lost = entries.filter(({ change, status }) => status === "confirmed" && cleared.includes(change))
    yield* work.ledger.giveUp(lost.flatMap(({ change }) => creationOf(change)))
    if (lost.length > 0) yield* carryOut(work)
    return yield* failing(work, { code: "apply_partial", detail: because.detail })
  })

const creationOf = ({ before }: Change): ReadonlyArray<Change> =>
  before === undefined ? [] : [{ action: "create", after: before, destructive: false }]

/** What the zone holds at the end has to be the plan's, siblings included. */
const check = Effect.fnUntraced(function* (
  work: Work,
  { before, written }: { readonly before: ZoneSnapshot; readonly written: ReadonlyArray<Change> }
) {
  const entries = yield* work.ledger.entries
  if (entries.some(({ status }) => status === "failed")) return yield* failing(work, partly)
  const { zone } = yield* read(work)
  const isThere = progressIn(liveZone(zone, work.domain), [])
  const areThere = entries.every(({ change }) => isThere(change) === "done")
  if (!areThere || !isCarriedOut(written, { before: before.zone, after: zone }, work.domain)) {
    return yield* failing(work, differing)
  }
})

const partly = { code: "apply_partial", detail: "part of the plan was refused" } as const

const differing = { code: "apply_partial", detail: "after the writing the zone is not what the plan says" } as const

const read = (work: Work) =>
  Effect.catchAll(patiently(ProviderFailure)(work.client.read), (failure) => failing(work, failure))

const failing = ({ ledger }: Work, { code, detail }: Pick<ApplyFailed, "code" | "detail">) =>
  Effect.gen(function* () {
    const written = (yield* ledger.entries).some(({ status }) => perhapsWritten.includes(status))
    return yield* new ApplyFailed({ code, detail, written })
  })

const changesOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<Change> => entries.map(({ change }) => change)
