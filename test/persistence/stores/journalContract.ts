import { expect } from "bun:test"
import { Array, Duration, Effect, Option, Order } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { DomainName, toFqdn } from "../../../src/domain/names/DomainName.ts"
import { makeExactNames, type NameSet } from "../../../src/domain/names/NameSet.ts"
import { type Change, hostOfChange } from "../../../src/domain/plan/Plan.ts"
import {
  type JournalEntry,
  type JournalRun,
  JournalStatus,
  JournalStore
} from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, samplePlan } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `JournalStore`. */
export const journalContract = (test: StoreTest): void => {
  opening(test)
  marking(test)
  givingUp(test)
  guarding(test)
  reading(test)
}

const opening = (test: StoreTest) => {
  test("a run begins with all its changes pending, in their order", () =>
    Effect.gen(function* () {
      const { journal, run } = yield* opened
      const entries = yield* journal.findByRun(run.run)
      expect(entries).toEqual(
        changes.map((change, step) => ({
          ...run,
          position: expect.any(Number),
          step,
          change,
          status: "pending",
          plannedAt: expect.anything(),
          settledAt: Option.none()
        }))
      )
      const positions = entries.map(({ position }) => position)
      expect(positions).toEqual(Array.sort(positions, Order.number))
    }))

  test("a run that is opened again does not change", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      yield* journal.setStatus(guards, run.run, [0], "sent")
      const before = yield* journal.findByRun(run.run)
      expect(yield* journal.openRun(guards, run, [...changes, ...changes])).toEqual(Option.some(before))
      expect(yield* journal.findByRun(run.run)).toEqual(before)
    }))

  test("any value that a zone may contain is returned unchanged", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const odd = ['"{a,b}\\', "NUL \u0000", "ü", "", "null"].map((value) => createOf("odd", value))
      yield* journal.openRun(guards, { ...run, run: "odd" }, odd)
      expect((yield* journal.findByRun("odd")).map(({ change }) => change)).toEqual(odd)
    }))

  test("a deletion keeps the mark that the next step replaces its record", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const { after: before } = createOf("@", "old")
      const halves = [
        { action: "delete" as const, destructive: true, replacedByNext: true as const, ...(before && { before }) },
        createOf("@", "new")
      ]
      yield* journal.openRun(guards, { ...run, run: "split" }, halves)
      expect((yield* journal.findByRun("split")).map(({ change }) => change)).toEqual(halves)
    }))
}

const marking = (test: StoreTest) => {
  test("a change's status moves forward, or back to pending when its call was not made; confirmed, it stays so", () =>
    Effect.gen(function* () {
      const { guards, journal } = yield* opened
      const moves = yield* Effect.forEach(
        Array.cartesian(JournalStatus.literals, JournalStatus.literals),
        ([from, to]) =>
          Effect.gen(function* () {
            const run = yield* openUnder(guards, { run: `${from} ${to}` })
            yield* Effect.forEach(wayTo[from], (status) => journal.setStatus(guards, run.run, [0], status))
            const isMarked = yield* journal.setStatus(guards, run.run, [0], to)
            expect((yield* statuses(run))[0]).toBe(isMarked ? to : from)
            return isMarked ? [`${from} → ${to}`] : []
          })
      )
      expect(moves.flat()).toEqual([
        "pending → pending",
        "pending → sent",
        "pending → confirmed",
        "pending → failed",
        "sent → pending",
        "sent → sent",
        "sent → confirmed",
        "sent → unknown",
        "sent → failed",
        "confirmed → confirmed",
        "unknown → sent",
        "unknown → confirmed",
        "unknown → unknown",
        "unknown → failed",
        "failed → failed"
      ])
    }))

  test("a change is settled as confirmed, unknown or failed, with the time", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { guards, journal, run } = yield* opened
      const marks = [
        [0, "sent"],
        [1, "sent"],
        [1, "unknown"],
        [2, "failed"]
      ] as const
      yield* Effect.forEach(marks, ([step, status]) => journal.setStatus(guards, run.run, [step], status))
      const settled = Effect.map(
        journal.findByRun(run.run),
        Array.map(({ settledAt }) => Option.isSome(settledAt))
      )
      expect(yield* settled).toEqual([false, true, true])
      yield* journal.setStatus(guards, run.run, [1], "sent")
      expect(yield* settled).toEqual([false, false, true])
      yield* journal.setStatus(guards, run.run, [0], "confirmed")
      expect(yield* settled).toEqual([true, false, true])
      yield* advanceTime("5 seconds")
      const before = yield* journal.findByRun(run.run)
      expect(yield* journal.setStatus(yield* holding("owner"), run.run, [0], "confirmed")).toBe(true)
      expect(yield* journal.findByRun(run.run)).toEqual(before)
    }))

  test("several steps are updated together or not at all", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      yield* journal.setStatus(guards, run.run, [0], "confirmed")
      expect(yield* journal.setStatus(guards, run.run, [0, 1], "sent")).toBe(false)
      expect(yield* journal.setStatus(guards, run.run, [1, 7], "sent")).toBe(false)
      expect(yield* statuses(run)).toEqual(["confirmed", "pending", "pending"])
      expect(yield* journal.setStatus(guards, run.run, [1, 2], "sent")).toBe(true)
      expect(yield* statuses(run)).toEqual(["confirmed", "sent", "sent"])
    }))
}

const givingUp = (test: StoreTest) => {
  test("unsettled changes fail, and their replacements are pending after them", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      yield* journal.setStatus(guards, run.run, [0, 1], "sent")
      yield* journal.setStatus(guards, run.run, [0], "confirmed")
      const instead = [{ ...createOf("back", "192.0.2.9"), putsBack: 0 }, createOf("back", "192.0.2.10")]
      expect(yield* journal.replaceUnsettled(guards, run, instead)).toBe(true)
      expect(yield* statuses(run)).toEqual(["confirmed", "failed", "failed", "pending", "pending"])
      const entries = yield* journal.findByRun(run.run)
      expect(entries.map(({ change, step }) => [step, change])).toEqual(
        [...changes, ...instead].map((change, step) => [step, change])
      )
      expect(yield* journal.replaceUnsettled(guards, run, [])).toBe(true)
      expect((yield* statuses(run)).slice(3)).toEqual(["failed", "failed"])
    }))
}

const guarding = (test: StoreTest) => {
  for (const [when, lose] of [
    ["has expired", () => Effect.flatMap(StoreFixture, ({ advanceTime }) => advanceTime("5 seconds"))],
    ["was released", ([guard]: FencingTokens) => Effect.flatMap(LeaseStore, ({ release }) => release(guard))],
    ["belongs to another claim", () => Effect.flatMap(LeaseStore, ({ acquire }) => acquire("zone:a", "owner", 5))]
  ] as const)
    test(`nothing is written under a lease that ${when}`, () =>
      Effect.gen(function* () {
        const { guards, journal, run } = yield* opened
        const [other] = yield* holding("owner", "connection:b")
        yield* lose(guards)
        const before = yield* journal.findByConnection(run.connectionId)
        for (const named of [guards, [other, ...guards]] as const) {
          expect(yield* journal.setStatus(named, run.run, [0], "sent")).toBe(false)
          expect(yield* journal.replaceUnsettled(named, run, changes)).toBe(false)
          expect(yield* journal.openRun(named, { ...run, run: "another" }, changes)).toEqual(Option.none())
        }
        expect(yield* journal.findByConnection(run.connectionId)).toEqual(before)
      }))

  test("several leases guard a write if all of them are held", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const [other] = yield* holding("owner", "connection:b")
      expect(yield* journal.setStatus([other, ...guards], run.run, [0], "sent")).toBe(true)
    }))
}

const reading = (test: StoreTest) => {
  test("the latest unsettled run is unfinished, with all its entries", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const later = yield* openUnder(guards, { ...run, run: "later" })
      expect(yield* journal.findUnfinishedRun(run.connectionId)).toEqual(yield* journal.findByRun("later"))
      yield* journal.replaceUnsettled(guards, later, [])
      expect(yield* journal.findUnfinishedRun(run.connectionId)).toEqual(yield* journal.findByRun(run.run))
      yield* journal.setStatus(guards, run.run, [0], "confirmed")
      expect(yield* journal.findUnfinishedRun(run.connectionId)).toEqual(yield* journal.findByRun(run.run))
      yield* journal.replaceUnsettled(guards, run, [])
      expect(yield* journal.findUnfinishedRun(run.connectionId)).toEqual([])
    }))

  test("possible records of a zone are listed for all its connections, oldest first, without other zones and names", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const other = yield* openUnder(guards, { run: "other", providerId: "other" })
      const elsewhere = yield* openUnder(guards, { ...run, run: "elsewhere", zone: DomainName.make("example.org") })
      for (const { run: id } of [elsewhere, other, run]) {
        yield* journal.setStatus(guards, id, [0, 1], "sent")
        yield* journal.setStatus(guards, id, [0], "confirmed")
        yield* journal.setStatus(guards, id, [2], "failed")
      }
      yield* journal.setStatus(guards, run.run, [1], "unknown")
      const [first, second] = changes.map((change) => toFqdn(hostOfChange(change), run.domain))
      const find = (scope: Partial<NameSet>) =>
        Effect.map(journal.findInZone(run.zone, { at: [], below: [], ...scope }), summaryOf)
      expect(yield* find({ below: [run.zone] })).toEqual([
        ["run", 0, "confirmed"],
        ["run", 1, "unknown"],
        ["other", 0, "confirmed"],
        ["other", 1, "sent"]
      ])
      expect(yield* find({ at: Array.getSomes([Option.fromNullable(second)]) })).toEqual([
        ["run", 1, "unknown"],
        ["other", 1, "sent"]
      ])
      expect(yield* find({ below: Array.getSomes([Option.fromNullable(first)]) })).toEqual([])
      expect(summaryOf(yield* journal.findByConnection(other.connectionId))).toEqual([
        ["other", 0, "confirmed"],
        ["other", 1, "sent"],
        ["other", 2, "failed"]
      ])
    }))

  test("recent writes are those that are sent, and those that were settled within the time, each with its age", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const { advanceTime } = yield* StoreFixture
      const recentWithin = (minutes: number) =>
        Effect.map(
          journal.findRecentWrites({ ...run, names: makeExactNames([]), within: Duration.minutes(minutes) }),
          (entries) =>
            entries.map(({ settledAgo, status, step }) => {
              const minutesAgo = Option.map(settledAgo, (ago) => Math.floor(Duration.toMinutes(ago)))
              return `${step} ${status} ${Option.getOrElse(minutesAgo, () => "not settled")}`
            })
        )
      expect(yield* recentWithin(60)).toEqual([])
      yield* journal.setStatus(guards, run.run, [0, 1, 2], "sent")
      yield* journal.setStatus(guards, run.run, [0], "confirmed")
      yield* advanceTime("10 minutes")
      const laterGuards = yield* holding("owner")
      yield* journal.setStatus(laterGuards, run.run, [1], "unknown")
      expect(yield* recentWithin(60)).toEqual(["0 confirmed 10", "1 unknown 0", "2 sent not settled"])
      expect(yield* recentWithin(10)).toEqual(["1 unknown 0", "2 sent not settled"])
      yield* journal.setStatus(laterGuards, run.run, [1], "failed")
      expect(yield* recentWithin(10)).toEqual(["2 sent not settled"])
    }))

  test("recent writes are those of all connections in the zone at the names, and where the connection has written", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const shared = yield* openUnder(guards, { run: "shared" })
      const atOtherProvider = yield* openUnder(guards, { run: "at other provider", providerId: "other" })
      const elsewhere = yield* openUnder(guards, { run: "elsewhere", zone: DomainName.make("example.org") })
      const apart = { ...shared, run: "apart" }
      yield* journal.openRun(guards, apart, [createOf("apart", "one")])
      for (const { run: id } of [run, shared, atOtherProvider, elsewhere, apart])
        yield* journal.setStatus(guards, id, [0], "sent")
      const find = (connectionId: JournalRun["connectionId"], ...names: ReadonlyArray<DomainName>) =>
        Effect.map(
          journal.findRecentWrites({ ...run, connectionId, names: makeExactNames(names), within: Duration.hours(1) }),
          (entries) => entries.map((entry) => entry.run)
        )
      const stranger = ConnectionId.make("con_stranger")
      expect(yield* find(run.connectionId)).toEqual(["run", "shared"])
      expect(yield* find(stranger)).toEqual([])
      expect(yield* find(stranger, toFqdn("apart", run.domain))).toEqual(["apart"])
    }))

  test("a connection has writes after a change was sent, unless the change is known to have failed", () =>
    Effect.gen(function* () {
      const { guards, journal, run } = yield* opened
      const has = [yield* journal.hasWrites(run.connectionId)]
      for (const status of ["sent", "unknown", "failed"] as const) {
        yield* journal.setStatus(guards, run.run, [0], status)
        has.push(yield* journal.hasWrites(run.connectionId))
      }
      yield* journal.setStatus(guards, run.run, [1], "confirmed")
      expect([...has, yield* journal.hasWrites(run.connectionId)]).toEqual([false, true, true, false, true])
    }))
}

const createOf = (host: string, value: string): Change => ({
  action: "create",
  after: { host, type: "TXT", value, ttl: 300, optional: false },
  destructive: false
})

const changes: ReadonlyArray<Change> = [createOf("a", "one"), ...samplePlan.changes, createOf("c", "three")]

/** The statuses through which a pending change reaches a status. */
const wayTo: { readonly [_ in JournalStatus]: ReadonlyArray<JournalStatus> } = {
  pending: [],
  sent: ["sent"],
  confirmed: ["sent", "confirmed"],
  unknown: ["sent", "unknown"],
  failed: ["failed"]
}

/** Acquires a lease and returns it as the guard of a write. */
const holding = (owner: string, key = "zone:a") =>
  Effect.gen(function* () {
    const { acquire } = yield* LeaseStore
    return [{ key, claim: yield* Effect.flatten(acquire(key, owner, 5)) }] as const
  })

type FencingTokens = Effect.Effect.Success<ReturnType<typeof holding>>

/** A run of three changes, by default of a connection of its own. */
const openUnder = (guards: FencingTokens, of: Partial<JournalRun> = {}) =>
  Effect.gen(function* () {
    const journal = yield* JournalStore
    const run: JournalRun = {
      run: "run",
      connectionId: of.connectionId ?? (yield* createConnection()).id,
      providerId: "acme-dns",
      zone: DomainName.make("example.com"),
      domain: DomainName.make("shop.example.com"),
      direction: "connect",
      digest: samplePlan.digest,
      ...of
    }
    expect(yield* journal.openRun(guards, run, changes)).toEqual(Option.some(yield* journal.findByRun(run.run)))
    return run
  })

/** The journal with one run. */
const opened = Effect.gen(function* () {
  const journal = yield* JournalStore
  const guards = yield* holding("owner")
  return { journal, guards, run: yield* openUnder(guards) }
})

const statuses = ({ run }: JournalRun) =>
  Effect.flatMap(JournalStore, ({ findByRun: ofRun }) =>
    Effect.map(
      ofRun(run),
      Array.map(({ status }) => status)
    )
  )

const summaryOf = (entries: ReadonlyArray<JournalEntry>) => entries.map(({ run, status, step }) => [run, step, status])
