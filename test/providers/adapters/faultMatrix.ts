import { afterAll, describe, expect } from "bun:test"
import { Array, Duration, Effect, Option, type Scope, Struct } from "effect"
import { live } from "../../support/effectTest.ts"
import type { VendorFault } from "../../support/vendors/FakeVendor.ts"
import type { LoggedCall } from "../../support/vendors/VendorCall.ts"
import { type ForeignChange, foreignChanges, makeForeignChange } from "./foreignChanges.ts"
import {
  adapterFaults,
  adapterFaultsWithLag,
  madeLate,
  type MatrixFault,
  type MatrixFaultName,
  matrixFaults
} from "./matrixFaults.ts"
import {
  makeMatrixRun,
  type MatrixPlan,
  type MatrixRun,
  type MatrixSubject,
  plannedLinesOf,
  startLines
} from "./matrixRun.ts"

/**
 * Declares a test for each kind of fault: a plan with creations (one an alias at the apex, where the vendor stores one), an update beside a sibling, updates of the
 * type at two hosts and a deletion is applied once for each call that it takes, with the fault at that call, and once more by a process that
 * continues. No record may be lost or doubled. Prints the number of runs.
 */
export const faultMatrix = <S>(name: string, subject: MatrixSubject<S>, kinds: FaultKinds = adapterKinds): void =>
  describe(`the fault matrix of ${name}`, () => {
    let total = 0
    for (const [about, tryAll] of Object.entries(kinds))
      live(about, () =>
        Effect.gen(function* () {
          const { problems, runs } = yield* tryAll(subject)
          total += runs
          expect(runs).toBeGreaterThan(0)
          expect(problems).toEqual([])
        })
      )
    afterAll(() => console.log(`The fault matrix of ${name}: ${total} runs of a plan.`))
  })

/** The problems of the runs into which somebody else's changes fall, each with its change and call. */
export const findForeignChangeProblems = <S>(
  subject: MatrixSubject<S>
): Effect.Effect<ReadonlyArray<string>, never, Scope.Scope> =>
  Effect.map(
    Effect.forEach(Object.entries(foreignChanges), ([about, change]) =>
      Effect.map(tryForeignChange(change)(subject), ({ problems }) => problems.map((problem) => `${about}: ${problem}`))
    ),
    (problems) => problems.flat()
  )

interface TriedRuns {
  readonly runs: number
  readonly problems: ReadonlyArray<string>
}

type TryAll = <S>(subject: MatrixSubject<S>) => Effect.Effect<TriedRuns, never, Scope.Scope>

/** What is tried, by the words for it. */
export type FaultKinds = Readonly<Record<string, TryAll>>

/** Tries something at each of the calls, which count from 1, each with a fake and stores of its own. */
const tryAt = <Place>(
  places: ReadonlyArray<Place>,
  attempt: (place: Place) => Effect.Effect<ReadonlyArray<string>, never, Scope.Scope>
): Effect.Effect<TriedRuns> =>
  Effect.forEach(places, (place) =>
    Effect.map(Effect.scoped(attempt(place)), (problems) =>
      problems.map((problem) => `at call ${JSON.stringify(place)}: ${problem}`)
    )
  ).pipe(Effect.map((problems) => ({ runs: places.length, problems: problems.flat() })))

const tryFault =
  (fault: MatrixFault, lag: "3 seconds" | undefined): TryAll =>
  (subject) =>
    Effect.gen(function* () {
      const { calls, planned, start, writeCalls } = yield* observeFaultless(subject)
      return yield* tryAt(calls, (call) =>
        Effect.gen(function* () {
          const run = yield* makeMatrixRun(subject, { lag })
          if (fault.kills === true) run.fake.beforeCall({ nth: call }, run.kill)
          run.fake.injectFault({ nth: call }, fault)
          const first = yield* run.attempt("first")
          const isRepeatable = fault.change === "not_made" && fault.kills !== true && writeCalls.includes(call)
          const problems = [
            ...first.problems,
            ...findProblems(first, yield* run.dump, { start, planned: [planned] }),
            // The run reads that a write was not made, and sends it again.
            ...(isRepeatable ? Option.toArray(first.failure) : [])
          ]
          run.fake.heal()
          return [...problems, ...(yield* continueRun(run, planned))]
        })
      )
    })

/**
 * A write is made late, and the process is killed at one of the writes that follow, or in its final check. Then the same
 * plan is applied, or another one that has been approved instead.
 */
const tryLateAndKilled =
  (plan: MatrixPlan, killedAt: (calls: ReadonlyArray<number>) => ReadonlyArray<number> = (calls) => calls): TryAll =>
  (subject) =>
    Effect.gen(function* () {
      const { changingCalls } = yield* observeFaultless(subject)
      const planned = yield* foresee(subject, plannedLinesOf(subject, plan))
      const places = yield* Effect.forEach(changingCalls, (late) =>
        Effect.map(findCallsAfterLate(subject, late), (calls) => killedAt(calls).map((killed) => ({ late, killed })))
      )
      return yield* tryAt(places.flat(), ({ killed, late }) =>
        Effect.gen(function* () {
          const run = yield* makeMatrixRun(subject, {})
          run.fake.injectFault({ nth: late }, madeLate)
          run.fake.beforeCall({ nth: killed }, run.kill)
          run.fake.injectFault({ nth: killed }, { change: "not_made", answer: "silence" })
          const first = yield* run.attempt("first")
          run.fake.heal()
          return [
            ...first.problems,
            ...(yield* plan === "first" ? continueRun(run, planned) : replaceRun(run, planned))
          ]
        })
      )
    })

/** The writes after a call that is made late, and the last call of that run. */
const findCallsAfterLate = <S>(subject: MatrixSubject<S>, late: number) =>
  Effect.gen(function* () {
    const run = yield* makeMatrixRun(subject, {})
    run.fake.injectFault({ nth: late }, madeLate)
    yield* run.attempt("first")
    const log = run.fake.calls()
    return log
      .filter(({ isWrite, number }) => number > late && (isWrite || number === log.length))
      .map(({ number }) => number)
  }).pipe(Effect.scoped)

/** The process ends with one plan, and the next one applies another; after a conflict it makes its plan anew. */
const replaceRun = <S>(run: MatrixRun<S>, planned: Lines, attempts = 3): Effect.Effect<Lines> =>
  Effect.gen(function* () {
    const { failure, hasWrites, problems } = yield* run.attempt(`larger ${attempts}`, "larger")
    if (Option.isSome(failure) && !hasWrites && attempts > 1) return yield* replaceRun(run, planned, attempts - 1)
    const failures = Option.match(failure, { onNone: () => [], onSome: (failure) => [`then fails: ${failure}`] })
    return [...problems, ...failures, ...findDifferences("then", yield* run.dump, [planned])]
  })

/** The next process continues the run, or makes a new one if nothing of it is open; then the zone is as planned. */
const continueRun = <S>(run: MatrixRun<S>, planned: Lines) =>
  Effect.gen(function* () {
    const isUnfinished = yield* run.isUnfinished
    if (!isUnfinished && isSame(yield* run.dump, planned)) return []
    const next = yield* run.attempt(isUnfinished ? "first" : "next")
    const problems = Option.match(next.failure, { onNone: () => [], onSome: (failure) => [`then fails: ${failure}`] })
    return [...next.problems, ...problems, ...findDifferences("then", yield* run.dump, [planned])]
  })

/** One write is refused: the hosts whose type changes have a record nevertheless, the old one or the new one. */
const tryRefused: TryAll = (subject) =>
  Effect.gen(function* () {
    const { changingCalls } = yield* observeFaultless(subject)
    return yield* tryAt(changingCalls, (call) =>
      Effect.gen(function* () {
        const run = yield* makeMatrixRun(subject, {})
        run.fake.injectFault({ nth: call }, { change: "not_made", answer: { status: 422 } })
        const { failure, problems } = yield* run.attempt("first")
        const zone = yield* run.dump
        const emptyHosts = ["www", "shop"].filter((host) => !zone.some((line) => line.startsWith(`${host}.`)))
        return [
          ...problems,
          ...(Option.isNone(failure) ? ["succeeds"] : []),
          ...emptyHosts.map((host) => `leaves ${host} without a record (${Option.getOrElse(failure, () => "")})`)
        ]
      })
    )
  })

/** At one write the vendor asks to wait for a minute; with `kills`, the process that goes on afterwards is killed, too. */
const tryDelayed =
  (kills: boolean): TryAll =>
  (subject) =>
    Effect.gen(function* () {
      const { firstWrite, planned, writeCalls } = yield* observeFaultless(subject)
      return yield* tryAt(writeCalls, (call) =>
        Effect.gen(function* () {
          const run = yield* makeMatrixRun(subject, { longestDelay: Duration.hours(1) })
          run.fake.injectFault({ nth: call }, rateLimitedFault)
          const { failure, problems } = yield* run.attempt("first")
          const isDelayed = !Option.exists(failure, (failure) => !failure.startsWith("ApplyDelayed"))
          const failures = isDelayed ? [] : [`fails: ${Option.getOrElse(failure, () => "")}`]
          run.fake.heal()
          if (!kills) return [...problems, ...failures, ...(yield* continueRun(run, planned))]
          const killed = { nth: run.fake.calls().length + firstWrite }
          run.fake.beforeCall(killed, run.kill)
          run.fake.injectFault(killed, { change: "made", answer: "silence" })
          yield* run.attempt("first")
          run.fake.heal()
          return [...problems, ...failures, ...(yield* continueRun(run, planned))]
        })
      )
    })

const rateLimitedFault: VendorFault = {
  change: "not_made",
  answer: { status: 429, headers: { "retry-after": "60" } }
}

type Lines = ReadonlyArray<string>

/** Where the zone is neither as planned nor, after a failure of which nothing was written, as before. */
const findProblems = (
  { failure, hasWrites }: { readonly failure: Option.Option<string>; readonly hasWrites: boolean },
  zone: Lines,
  { planned, start }: { readonly start: Lines; readonly planned: ReadonlyArray<Lines> }
): Lines => {
  if (Option.isNone(failure)) return findDifferences("succeeds", zone, planned)
  return hasWrites ? [] : findDifferences(`fails without writes (${failure.value})`, zone, [start])
}

const isSame = (zone: Lines, expected: Lines): boolean => zone.join("\n") === expected.join("\n")

const findDifferences = (about: string, zone: Lines, expected: ReadonlyArray<Lines>): Lines =>
  expected.some((lines) => isSame(zone, lines)) ? [] : [`${about}, but the zone is\n${zone.join("\n")}`]

/** At each call of a zone of one page, and between two pages of a larger one. */
const tryForeignChange =
  (change: ForeignChange): TryAll =>
  (subject) =>
    Effect.gen(function* () {
      const small = yield* tryForeignChangeIn(subject, change, 0)
      if (subject.recordsOfTwoPages === undefined) return small
      const large = yield* tryForeignChangeIn(subject, change, subject.recordsOfTwoPages)
      return { runs: small.runs + large.runs, problems: [...small.problems, ...large.problems] }
    })

const tryForeignChangeIn = <S>(subject: MatrixSubject<S>, change: ForeignChange, fillers: number) =>
  Effect.gen(function* () {
    const { calls, firstWrite, pageTurns, read } = yield* observeFaultless(subject, { fillers })
    const start = yield* foresee(subject, startLines, { fillers, change })
    const planned = yield* foresee(subject, plannedLinesOf(subject, "first"), { fillers, change })
    // Later than that, only a vendor that compares can see a conflict; and a set is written with its siblings.
    const mustNotice = change.conflicts || subject.writes === "sets"
    const lastNoticed =
      subject.writes === "sets that are as they were read" ? firstWrite : Math.min(read + 1, firstWrite)
    const meant = (fillers === 0 ? calls : pageTurns).filter((call) => !mustNotice || call <= lastNoticed)
    return yield* tryAt(meant, (call) =>
      Effect.gen(function* () {
        const run = yield* makeMatrixRun(subject, { fillers })
        run.fake.beforeCall({ nth: call }, () => Effect.runPromise(makeForeignChange(run.adapter, change)))
        const first = yield* run.attempt("first")
        const zone = yield* run.dump
        const isOverwritten = change.conflicts && change.host === "@" && !isSame(zone, start)
        const problems = [
          ...first.problems,
          ...findProblems(first, zone, { start, planned: [planned] }),
          ...findDifferences("ends", zone, [start, planned]),
          ...(isOverwritten ? ["overwrites what somebody else wrote"] : [])
        ]
        return change.conflicts ? problems : [...problems, ...(yield* continueRun(run, planned))]
      })
    )
  })

const tryTwice =
  (concurrency: 1 | 2): TryAll =>
  (subject) =>
    Effect.gen(function* () {
      const { planned, writes } = yield* observeFaultless(subject)
      return yield* tryAt([1], () =>
        Effect.gen(function* () {
          const run = yield* makeMatrixRun(subject, {})
          const both = yield* Effect.all([run.attempt("first"), run.attempt("first")], { concurrency })
          const failures = both.flatMap(({ failure, problems }) => [...problems, ...Option.toArray(failure)])
          const doubled = run.writes() === writes ? [] : [`${run.writes()} writes instead of ${writes}`]
          return [...failures, ...doubled, ...findDifferences("ends", yield* run.dump, [planned])]
        })
      )
    })

const faultKindsOf = (faults: ReadonlyArray<MatrixFaultName>, lag?: "3 seconds"): FaultKinds =>
  Object.fromEntries(
    faults.map((about) => [
      lag === undefined ? about : `${about}, and lists lag ${lag}`,
      tryFault(matrixFaults[about], lag)
    ])
  )

const otherKinds: FaultKinds = {
  ...Object.fromEntries(Object.entries(foreignChanges).map(([about, change]) => [about, tryForeignChange(change)])),
  refused: tryRefused,
  "asked to wait": tryDelayed(false),
  "asked to wait, and killed after that": tryDelayed(true),
  "the same command twice": tryTwice(1),
  "the same command twice at once": tryTwice(2)
}

/** For an adapter on the shared clients, which the subjects of `everyKind` try. */
const adapterKinds: FaultKinds = {
  ...faultKindsOf(adapterFaults),
  ...faultKindsOf(adapterFaultsWithLag, "3 seconds"),
  ...otherKinds,
  "done late, and killed at the next write or in the final check": tryLateAndKilled("first", (calls) =>
    Array.dedupe([...calls.slice(0, 1), ...calls.slice(-1)])
  )
}

/** For the vendors that stand for all others: of single records, of batches, of sets, and of sets that it compares. */
export const everyKind: FaultKinds = {
  ...faultKindsOf(Struct.keys(matrixFaults)),
  ...faultKindsOf(Struct.keys(matrixFaults), "3 seconds"),
  ...otherKinds,
  "done late, and killed after that": tryLateAndKilled("first"),
  "done late, killed after that, and another plan is approved": tryLateAndKilled("larger")
}

/** A run without faults: its calls, and the zone before and after it, which must be the planned one. */
interface FaultlessRun {
  readonly calls: ReadonlyArray<number>
  readonly firstWrite: number
  /** The calls for a further page of a list. */
  readonly pageTurns: ReadonlyArray<number>
  readonly planned: Lines
  /** How many calls had been made when the zone was read. */
  readonly read: number
  readonly start: Lines
  readonly writeCalls: ReadonlyArray<number>
  /** The writes that change records, and do not only have them served. */
  readonly changingCalls: ReadonlyArray<number>
  readonly writes: number
}

/** Observed once for each subject and number of records, because every kind of fault begins with it. */
const faultlessRuns = new WeakMap<object, Map<number, FaultlessRun>>()

const observeFaultless = <S>(subject: MatrixSubject<S>, { fillers = 0 }: { readonly fillers?: number } = {}) =>
  Effect.gen(function* () {
    const observed = faultlessRuns.get(subject) ?? new Map<number, FaultlessRun>()
    faultlessRuns.set(subject, observed)
    const run = observed.get(fillers) ?? (yield* runFaultless(subject, fillers))
    observed.set(fillers, run)
    return run
  })

const runFaultless = <S>(subject: MatrixSubject<S>, fillers: number) =>
  Effect.gen(function* () {
    const run = yield* makeMatrixRun(subject, { fillers })
    const start = yield* run.dump
    const { failure, problems, read } = yield* run.attempt("first")
    const planned = yield* run.dump
    expect([...problems, ...Option.toArray(failure)]).toEqual([])
    expect(planned).toEqual(yield* foresee(subject, plannedLinesOf(subject, "first"), { fillers }))
    const log = run.fake.calls()
    const isSingleRead = (index: number) =>
      log[index]?.operation === log[index - 1]?.operation && isQuietRead(log[index])
    // Single records that are read one after the other fail alike: the first and the last stand for those between.
    const calls = log.flatMap(({ number }, index) => (isSingleRead(index) && isSingleRead(index + 1) ? [] : number))
    const firstWrite = log.findIndex(({ isWrite }) => isWrite) + 1
    const writeCalls = log.map(({ number }) => number).filter((call) => log[call - 1]?.isWrite !== false)
    const changingCalls = writeCalls.filter((call) => log[call - 1]?.operation !== (subject.servesAfter ?? ""))
    const pageTurns = log.map(({ number }) => number).filter((call) => isNextPage(log[call - 1], log[call - 2]))
    return { calls, changingCalls, firstWrite, pageTurns, planned, read, start, writeCalls, writes: run.writes() }
  }).pipe(Effect.scoped)

const isQuietRead = (call: LoggedCall | undefined): boolean => call?.isWrite === false && call.query === ""

const isNextPage = (call: LoggedCall | undefined, previous: LoggedCall | undefined): boolean =>
  call?.isWrite === false && call.operation === previous?.operation && call.query !== previous?.query

/** The zone that holds these records without any plan, also after somebody else's change. */
const foresee = <S>(
  subject: MatrixSubject<S>,
  lines: string,
  { change, fillers = 0 }: { readonly fillers?: number; readonly change?: ForeignChange } = {}
) =>
  Effect.gen(function* () {
    const { adapter, dump } = yield* makeMatrixRun(subject, { fillers, lines })
    if (change !== undefined) yield* makeForeignChange(adapter, change)
    return yield* dump
  }).pipe(Effect.scoped)
