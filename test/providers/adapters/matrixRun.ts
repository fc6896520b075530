import type { HttpClient } from "@effect/platform"
import { Cause, Duration, Effect, Exit, Fiber, Layer, Option, type Scope } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../../src/domain/plan/Plan.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"
import { type ApplyError, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { Leases } from "../../../src/lifecycle/commit/Leases.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { makeServedKey } from "../../../src/planning/changes/ChangeStatus.ts"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { isEditable, normalizeData } from "../../../src/planning/zone/LiveZone.ts"
import type { ZoneClient } from "../../../src/providers/ProviderClient.ts"
import type { ProviderFailure } from "../../../src/providers/ProviderFailure.ts"
import { applyStores, connectionId } from "../../lifecycle/apply/applyFixtures.ts"
import type { FakeVendor, FakeVendorOptions } from "../../support/vendors/FakeVendor.ts"
import { httpClientWithin } from "../../support/vendors/httpClientWithin.ts"
import { makeVirtualTime } from "../../support/vendors/virtualTime.ts"
import { type AdapterUnderTest, loadRecords, openZone } from "./AdapterUnderTest.ts"

/** A vendor for the fault matrix. The lines of the adapter's `dump` must be those of a zone file. */
export interface MatrixSubject<S> {
  readonly makeFake: (options: FakeVendorOptions) => Effect.Effect<FakeVendor<S>, never, Scope.Scope>
  /** The adapter, with a client that reaches the fake. */
  readonly adapterFor: (fake: FakeVendor<S>, http: HttpClient.HttpClient) => AdapterUnderTest
  /** What a write names at the vendor: its records alone, or the set with the siblings, which the vendor may compare. */
  readonly writes: "records" | "sets" | "sets that are as they were read"
  /** The vendor stores an alias at the apex, which the plan then creates too; `dump` shows it as a CNAME. */
  readonly storesApexAlias?: true
  /** The operation without which no write is served; after a refusal, it is asked for again. */
  readonly servesAfter?: string
  /** So many records more give a zone two pages. */
  readonly recordsOfTwoPages?: number
}

/** A zone at a fake of its own, its journal, and the processes that apply the plan of the matrix to it. */
export interface MatrixRun<S> {
  readonly fake: FakeVendor<S>
  readonly adapter: AdapterUnderTest
  /**
   * A new process opens and reads the zone, and applies the plan as the run of this id; or, once it is approved instead,
   * the plan that also creates a record more.
   */
  readonly attempt: (run: string, plan?: MatrixPlan) => Effect.Effect<MatrixAttempt>
  /** Kills the process of the latest attempt. */
  readonly kill: () => Promise<void>
  /** Whether the journal has changes whose outcome is open. */
  readonly isUnfinished: Effect.Effect<boolean>
  /** The records of the zone, sorted. */
  readonly dump: Effect.Effect<ReadonlyArray<string>>
  /** How many writes the fake has received. */
  readonly writes: () => number
}

/** The plan of the matrix, or another one that makes the same zone with one record more. */
export type MatrixPlan = "first" | "larger"

/** How an attempt ended. */
interface MatrixAttempt {
  /** Absent after a success. */
  readonly failure: Option.Option<string>
  /** Whether the failure says that any of the plan may be in the zone. */
  readonly hasWrites: boolean
  /** Defects, which are no clear failures. */
  readonly problems: ReadonlyArray<string>
  /** How many calls the fake had received when the zone was read; 0 if it was not. */
  readonly read: number
}

/** The zone before the plan, and after that of every vendor, as lines of a zone file. */
export const startLines = `
  @    3600  TXT  "v=spf1 -all"
  @    3600  TXT  "kept beside it"
  @    3600  TXT  "not touched"
  www  3600  A    192.0.2.1
  shop 3600  A    192.0.2.1
  old  3600  A    192.0.2.2`
const plannedLines = `
  @    3600  TXT    "v=spf1 include:_spf.mailprov.net -all"
  @    3600  TXT    "kept beside it"
  @    3600  TXT    "not touched"
  www  3600  CNAME  web.hostprov.net.
  shop 3600  CNAME  web.hostprov.net.
  new  3600  A      192.0.2.9`
const addedLine = `
  more 3600  A      192.0.2.10`
const apexAliasLine = `
  @    3600  CNAME  web.hostprov.net.`

/** The zone after a plan, as lines of a zone file. */
export const plannedLinesOf = ({ storesApexAlias }: Pick<MatrixSubject<never>, "storesApexAlias">, plan: MatrixPlan) =>
  [plannedLines, storesApexAlias === true ? apexAliasLine : "", plan === "larger" ? addedLine : ""].join("")

const record = (host: string, type: string, value: string): ChangeRecord => ({
  host,
  type,
  value,
  ttl: 3600,
  optional: false
})

const toAlias = (host: string): Change => ({
  action: "update",
  before: record(host, "A", "192.0.2.1"),
  after: record(host, "CNAME", "web.hostprov.net"),
  destructive: true
})

const changes: ReadonlyArray<Change> = [
  { action: "create", after: record("new", "A", "192.0.2.9"), destructive: false },
  {
    action: "update",
    before: record("@", "TXT", "v=spf1 -all"),
    after: record("@", "TXT", "v=spf1 include:_spf.mailprov.net -all"),
    destructive: false
  },
  toAlias("www"),
  toAlias("shop"),
  { action: "delete", before: record("old", "A", "192.0.2.2"), destructive: true }
]

const apexAlias: Change = { action: "create", after: record("@", "CNAME", "web.hostprov.net"), destructive: false }

const addition: Change = { action: "create", after: record("more", "A", "192.0.2.10"), destructive: false }

/** What a zone still lacks of the changes. */
const findRemaining = ({ name, records }: Zone, all: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const servedKeyOf = makeServedKey({ name, domain: name })
  const served = new Set(records.filter(isEditable).map((live) => servedKeyOf({ ...live, ...normalizeData(live) })))
  const has = (record: ChangeRecord | undefined) => record !== undefined && served.has(servedKeyOf(record))
  return all.flatMap(({ action, after, before, ...rest }): ReadonlyArray<Change> => {
    if (has(after) || (after === undefined && !has(before))) return []
    if (after === undefined || has(before))
      return [{ ...rest, action, ...(after && { after }), ...(before && { before }) }]
    return [{ ...rest, action: "create", after }]
  })
}

/** Starts a fake whose zone has the records; its lists lag from then on. */
export const makeMatrixRun = <S>(
  subject: MatrixSubject<S>,
  {
    fillers = 0,
    lag,
    lines = startLines,
    longestDelay = Duration.zero
  }: {
    readonly fillers?: number
    readonly lag?: Duration.DurationInput | undefined
    readonly lines?: string
    /** How long the plan may wait for the vendor between two calls. */
    readonly longestDelay?: Duration.Duration
  }
): Effect.Effect<MatrixRun<S>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const time = makeVirtualTime()
    yield* time.trackCrypto
    const fake = yield* subject.makeFake({ clock: time.now, isServed: false })
    const adapter = subject.adapterFor(fake, time.track(httpClientWithin(fake), fake))
    const others = Array.from({ length: fillers }, (_, index) => `other${index} 3600 A 192.0.2.3`)
    yield* loadRecords(adapter, adapter.zone, [lines, ...others].join("\n"))
    if (lag !== undefined) fake.setListLag(lag)
    const stores = yield* Layer.build(applyStores)
    const newProcess = Layer.provideMerge(
      Layer.provideMerge(PlanApplier.layer, Leases.layer()),
      Layer.succeedContext(stores)
    )
    const domain = DomainName.make(adapter.zone)
    let read = 0
    let latest: Fiber.Fiber<unknown, unknown> = Fiber.void

    const applyPlan = (run: string, plan: MatrixPlan) =>
      Effect.gen(function* () {
        const opened = yield* openZone(adapter, { domain })
        // A vendor whose lists show every write at once has no `visibleWithin`; where they lag, the client knows the lag.
        const client = adapter.limitations?.showsWritesAtOnce === undefined ? opened : showLag(opened, lag)
        const applied = { connectionId, providerId: "matrix", domain, zone: domain, client, longestDelay }
        const before = yield* client.read
        read = fake.calls().length
        const applier = yield* PlanApplier
        const snapshot = yield* applier.removeDuplicates({ ...applied, snapshot: before })
        const first = subject.storesApexAlias === true ? [apexAlias, ...changes] : changes
        const approved = plan === "first" ? first : [...first, addition]
        const digest = computeDigest({ domain, zone: domain, changes: approved })
        const remaining = findRemaining(snapshot.zone, approved)
        const entries = yield* (yield* JournalStore).findByConnection(connectionId)
        const isWritten = entries.length > 0 && entries.every(({ status }) => status === "confirmed")
        if (plan === "first" && isWritten && remaining.length === 0) return
        yield* applier.apply({
          ...applied,
          run,
          digest,
          direction: "connect",
          changes: plan === "first" ? approved : remaining,
          snapshot
        })
      })
    return {
      fake,
      adapter,
      attempt: (run, plan = "first") =>
        Effect.gen(function* () {
          read = 0
          const fiber = yield* Effect.fork(time.run(Effect.provide(applyPlan(run, plan), newProcess)))
          latest = fiber
          return { ...describeExit(yield* Fiber.await(fiber)), read }
        }),
      kill: () => Effect.runPromise(Effect.asVoid(Fiber.interrupt(latest))),
      isUnfinished: Effect.orDie(
        Effect.provide(
          Effect.flatMap(JournalStore, (journal) => journal.findUnfinishedRun(connectionId)),
          stores
        )
      ).pipe(Effect.map((entries) => entries.length > 0)),
      dump: Effect.map(adapter.dump, (records) => records.toSorted()),
      writes: () => fake.calls().filter(({ isWrite }) => isWrite).length
    }
  })

const showLag = (client: ZoneClient, lag: Duration.DurationInput | undefined): ZoneClient =>
  lag === undefined ? client : { ...client, visibleWithin: Duration.decode(lag) }

const describeExit = (exit: Exit.Exit<void, ApplyError | ProviderFailure>): Omit<MatrixAttempt, "read"> => {
  if (Exit.isSuccess(exit)) return { failure: Option.none(), hasWrites: true, problems: [] }
  if (Cause.isInterruptedOnly(exit.cause)) return { failure: Option.some("killed"), hasWrites: true, problems: [] }
  return Option.match(Cause.failureOption(exit.cause), {
    onNone: () => ({ failure: Option.none(), hasWrites: true, problems: [`dies: ${Cause.pretty(exit.cause)}`] }),
    onSome: (failure) => ({
      failure: Option.some("detail" in failure ? `${failure._tag}: ${failure.detail}` : failure._tag),
      hasWrites: failure._tag === "ApplyFailed" && failure.hasWrites,
      problems: []
    })
  })
}
