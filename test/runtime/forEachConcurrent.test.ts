import { expect, test } from "bun:test"
import {
  Array,
  Cause,
  Context,
  Deferred,
  Effect,
  Exit,
  FastCheck,
  Fiber,
  FiberId,
  FiberRef,
  Scheduler,
  Supervisor
} from "effect"
import { allConcurrent, forEachConcurrent } from "../../src/runtime/forEachConcurrent.ts"
import { effect } from "../support/effectTest.ts"
import { interruptAtStep } from "../support/interruptAtStep.ts"

effect("results are in the order of the items, whatever the order in which they end", () =>
  Effect.gen(function* () {
    const [first, second, third] = [yield* Deferred.make(), yield* Deferred.make(), yield* Deferred.make()]
    const ended: Array<number> = []
    const endAfter = (previous: Effect.Effect<unknown>, nth: number, own: Deferred.Deferred<unknown>) =>
      previous.pipe(
        Effect.zipRight(Effect.sync(() => ended.push(nth))),
        Effect.zipRight(Deferred.succeed(own, undefined)),
        Effect.as(`result ${nth}`)
      )
    const results = yield* allConcurrent([
      endAfter(Deferred.await(second), 0, first),
      endAfter(Deferred.await(third), 1, second),
      endAfter(Effect.void, 2, third)
    ])
    expect(ended).toEqual([2, 1, 0])
    expect(results).toEqual(["result 0", "result 1", "result 2"])
  })
)

effect("a tuple of effects gives the tuple of their results", () =>
  Effect.gen(function* () {
    const [name, count] = yield* allConcurrent([Effect.succeed("name"), Effect.as(Effect.yieldNow(), 2)])
    expect([name.toUpperCase(), count + 1]).toEqual(["NAME", 3])
  })
)

effect("no list is too short: there is a result for each of no items, of one and of undefined ones", () =>
  Effect.gen(function* () {
    expect(yield* forEachConcurrent([], Effect.succeed)).toEqual([])
    expect(yield* forEachConcurrent(["only"], Effect.succeed)).toEqual(["only"])
    expect(yield* forEachConcurrent([undefined, undefined], Effect.succeed)).toEqual([undefined, undefined])
  })
)

effect("at most as many items as the limit run at a time", () =>
  Effect.gen(function* () {
    const counts: Array<number> = []
    let running = 0
    yield* forEachConcurrent(
      Array.range(1, 7),
      () =>
        Effect.acquireUseRelease(
          Effect.sync(() => counts.push((running += 1))),
          () => Effect.yieldNow(),
          () => Effect.sync(() => (running -= 1))
        ),
      3
    )
    expect(counts).toHaveLength(7)
    expect(Math.max(...counts)).toBe(3)
  })
)

effect("a limit with which no item would run is a defect, however many items there are", () =>
  Effect.gen(function* () {
    for (const limit of [0, -1, NaN]) {
      for (const items of [[], [1], [1, 2]]) {
        const caller = yield* Effect.fork(forEachConcurrent(items, Effect.succeed, limit))
        yield* Effect.yieldNow()
        const exit = caller.unsafePoll()
        expect(exit !== null && Exit.isFailure(exit) && [...Cause.defects(exit.cause)].map(String)).toEqual([
          `RuntimeException: the limit of concurrent items is ${limit}, but must be at least 1`
        ])
      }
    }
  })
)

effect("the first failure interrupts the other items, whose finalizers have run before the result", () =>
  Effect.gen(function* () {
    const { ended, isOpen, waitForever } = yield* makeWaiting(["a", "b"])
    const failure = forEachConcurrent(["a", "fails", "b"], (name) =>
      name === "fails" ? Effect.zipRight(isOpen, Effect.fail("failure")) : waitForever(name)
    )
    expect(yield* Effect.exit(failure)).toEqual(Exit.fail("failure"))
    expect(ended).toEqual(["a", "b"])
  })
)

effect("no item starts after a failure", () =>
  Effect.gen(function* () {
    for (const limit of [1, 2]) {
      const started: Array<number> = []
      const run = (nth: number) =>
        Effect.zipRight(
          Effect.sync(() => started.push(nth)),
          nth === 2 ? Effect.fail("failure") : Effect.yieldNow()
        )
      expect(yield* Effect.exit(forEachConcurrent([1, 2, 3, 4], run, limit))).toEqual(Exit.fail("failure"))
      expect(started).toEqual([1, 2])
    }
  })
)

effect("an interruption of the caller interrupts the items and waits for their finalizers", () =>
  Effect.gen(function* () {
    const { ended, isOpen, waitForever } = yield* makeWaiting(["a", "b"])
    const caller = yield* Effect.fork(forEachConcurrent(["a", "b", "c"], waitForever, 2))
    yield* isOpen
    expect(Exit.isInterrupted(yield* Fiber.interrupt(caller))).toBeTrue()
    expect(ended).toEqual(["a", "b"])
  })
)

effect("an interruption of the caller leaves no item running, at whichever of its steps it comes", () =>
  Effect.gen(function* () {
    const supervisor = yield* Supervisor.track
    for (const step of Array.range(1, 40)) {
      const caller = yield* forEachConcurrent([1, 2], () => Effect.never).pipe(
        Effect.withScheduler(interruptAtStep(step)),
        Effect.supervised(supervisor),
        Effect.fork
      )
      // Interrupts it in its last step too, where it waits.
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(caller)
      const left = (yield* supervisor.value).length
      expect({ step, left }).toEqual({ step, left: 0 })
    }
  })
)

effect("a defect of an item is the defect of the whole", () =>
  Effect.gen(function* () {
    const defect = new Error("defect")
    const die = (): Effect.Effect<never> => {
      throw defect
    }
    expect(yield* Effect.exit(forEachConcurrent([1], die))).toEqual(Exit.die(defect))
    expect(yield* Effect.exit(forEachConcurrent([1, 2], die))).toEqual(Exit.die(defect))
    const dieOnce = forEachConcurrent([1, 2], (nth) => (nth === 1 ? Effect.never : Effect.die(defect)))
    expect(yield* Effect.exit(dieOnce)).toEqual(Exit.die(defect))
  })
)

effect("a finalizer that dies while its item is stopped is reported beside the failure", () =>
  Effect.gen(function* () {
    const isOpen = yield* Deferred.make<void>()
    const stopped = Deferred.succeed(isOpen, undefined).pipe(
      Effect.zipRight(Effect.never),
      Effect.ensuring(Effect.die("finalizer"))
    )
    const failing = Effect.zipRight(Deferred.await(isOpen), Effect.fail("failure"))
    const cause = yield* Effect.flip(Effect.sandbox(allConcurrent([stopped, failing])))
    expect([...Cause.failures(cause)]).toEqual(["failure"])
    expect([...Cause.defects(cause)]).toEqual(["finalizer"])
  })
)

effect("items have the services, the values of references and the priority of the caller", () =>
  Effect.gen(function* () {
    const seen = Effect.all([SomeService, FiberRef.get(reference), FiberRef.get(FiberRef.currentSchedulingPriority)])
    const both = forEachConcurrent([1, 2], () => seen).pipe(
      Effect.provideService(SomeService, "service"),
      Effect.locally(reference, "value"),
      Effect.withSchedulingPriority(7)
    )
    expect(yield* both).toEqual(Array.replicate(["service", "value", 7], 2))
  })
)

effect("items of an uninterruptible caller end by themselves after a failure and an interruption", () =>
  Effect.gen(function* () {
    const ended: Array<string> = []
    const [isStarted, isOpen] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const slow = Effect.zipRight(
      Deferred.await(isOpen),
      Effect.sync(() => ended.push("slow"))
    )
    const failing = Effect.zipRight(Deferred.succeed(isStarted, undefined), Effect.fail("failure"))
    const exits: Array<Exit.Exit<unknown, string>> = []
    const caller = yield* allConcurrent([slow, failing]).pipe(
      Effect.exit,
      Effect.map((exit) => exits.push(exit)),
      Effect.uninterruptible,
      Effect.fork
    )
    yield* Deferred.await(isStarted)
    yield* Fiber.interruptFork(caller)
    yield* Effect.yieldNow()
    yield* Deferred.succeed(isOpen, undefined)
    yield* Fiber.await(caller)
    expect(exits).toEqual([Exit.fail("failure")])
    expect(ended).toEqual(["slow"])
  })
)

test("the items that start, the results and the first failure are those of Effect.forEach", () => {
  const outcome = FastCheck.constantFrom(...outcomes)
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(FastCheck.tuple(outcome, FastCheck.double({ noNaN: true })), { maxLength: 8 }),
      FastCheck.integer({ min: 1, max: 9 }),
      (items, limit) => {
        const ofLibrary = endInOrder(items, (all, run) => Effect.forEach(all, run, { concurrency: limit }))
        expect(endInOrder(items, (all, run) => forEachConcurrent(all, run, limit))).toEqual(ofLibrary)
      }
    ),
    { numRuns: 500 }
  )
})

/** Failures are rare, so that many items start. */
const outcomes = ["succeeds", "succeeds", "succeeds", "fails", "dies"] as const

type ItemOutcome = (typeof outcomes)[number]

const exitOf = (outcome: ItemOutcome, nth: number): Exit.Exit<number, string> => {
  if (outcome === "succeeds") return Exit.succeed(nth)
  return outcome === "fails" ? Exit.fail(`failure ${nth}`) : Exit.die(`defect ${nth}`)
}

/** Lets items end in the order of their places, each when all fibers wait; those that start later end at once. */
const endInOrder = (
  items: ReadonlyArray<readonly [outcome: ItemOutcome, place: number]>,
  forEach: <A>(
    all: ReadonlyArray<A>,
    run: (one: A) => Effect.Effect<number, string>
  ) => Effect.Effect<ReadonlyArray<number>, string>
) => {
  const scheduler = new Scheduler.ControlledScheduler()
  const settle = () => {
    while (scheduler.tasks.buckets.length > 0) scheduler.step()
  }
  const all = items.map(([outcome, place], nth) => ({
    nth,
    place,
    exit: exitOf(outcome, nth),
    end: Deferred.unsafeMake<number, string>(FiberId.none)
  }))
  const started: Array<number> = []
  const run = ({ end, nth }: (typeof all)[number]) => {
    started.push(nth)
    return Deferred.await(end)
  }
  const fiber = Effect.runFork(forEach(all, run), { scheduler })
  settle()
  for (const { end, exit } of all.toSorted((one, other) => one.place - other.place)) {
    Deferred.unsafeDone(end, exit)
    settle()
  }
  const exit = fiber.unsafePoll()
  if (exit === null) return { started, exit }
  return { started, exit: Exit.mapErrorCause(exit, (cause) => Cause.fail(Cause.squash(cause))) }
}

class SomeService extends Context.Tag("test/SomeService")<SomeService, string>() {}

const reference = FiberRef.unsafeMake("initial")

/** Items that wait until they are interrupted, and then take several steps to end; `isOpen` waits until all have begun. */
const makeWaiting = (names: ReadonlyArray<string>) =>
  Effect.map(Deferred.make<void>(), (allBegun) => {
    const begun = new Set<string>()
    const ended: Array<string> = []
    const begin = (name: string) =>
      Effect.suspend(() =>
        begun.add(name).size === names.length ? Deferred.succeed(allBegun, undefined) : Effect.void
      )
    const end = (name: string) =>
      Effect.zipRight(
        Effect.repeatN(Effect.yieldNow(), 5),
        Effect.sync(() => ended.push(name))
      )
    return {
      ended,
      isOpen: Deferred.await(allBegun),
      waitForever: (name: string) => Effect.ensuring(Effect.zipRight(begin(name), Effect.never), end(name))
    }
  })
