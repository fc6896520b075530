import { expect } from "bun:test"
import { Data, Effect, Exit, Fiber } from "effect"
import { makeBatcher } from "../../src/persistence/batchStatement.ts"
import { effect } from "../support/effectTest.ts"

class RequestRefused extends Data.TaggedError("RequestRefused")<{ readonly parts: "halves" | "each" | undefined }> {}

const notANumber = new Error("not a number")
const negative = new Error("a negative number")

/** A batcher that doubles numbers, what it was asked at once, and how the batches under way are let go. */
const makeDoubler = (
  refuses: (ask: number, all: ReadonlyArray<number>) => RequestRefused | undefined = () => undefined
) =>
  Effect.sync(() => {
    const batches: Array<ReadonlyArray<number>> = []
    const answers: Array<() => void> = []
    const double = makeBatcher<number, number, number, RequestRefused>({
      prepare: (number) => {
        if (Number.isNaN(number)) throw notANumber
        return number
      },
      measure: () => 0,
      sendAll: (requests, onAnswered) => {
        batches.push(requests)
        answers.push(() => {
          const refusal = requests.map((ask) => refuses(ask, requests)).find((found) => found !== undefined)
          onAnswered(
            refusal === undefined
              ? Exit.succeed(requests.map((ask) => (ask < 0 ? Exit.die(negative) : Exit.succeed(2 * ask))))
              : Exit.fail(refusal)
          )
        })
      },
      partsAfter: ({ parts }) => parts
    })
    const ask = (from: number, to = from) =>
      Effect.zipLeft(
        Effect.fork(
          Effect.forEach(
            Array.from({ length: to - from + 1 }, (_, nth) => from + nth),
            (number) => Effect.exit(double(number)),
            { concurrency: "unbounded" }
          )
        ),
        settle
      )
    const letGo = (nth: number) =>
      Effect.zipRight(
        Effect.sync(() => answers[nth]?.()),
        settle
      )
    return { ask, batches, double, letGo }
  })

const endTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

const settle = Effect.repeatN(endTurn, 3)

effect("an ask waits for nobody while fewer than three batches are under way, and then gathers others", () =>
  Effect.gen(function* () {
    const { ask, batches, letGo } = yield* makeDoubler()
    const asked = [yield* ask(1), yield* ask(2), yield* ask(3), yield* ask(4, 6), yield* ask(7)]
    expect(batches).toEqual([[1], [2], [3]])
    yield* letGo(1)
    expect(batches).toEqual([[1], [2], [3], [4, 5, 6, 7]])
    yield* Effect.forEach([0, 2, 3], letGo)
    expect((yield* Effect.forEach(asked, Fiber.join)).flat()).toEqual([2, 4, 6, 8, 10, 12, 14].map(Exit.succeed))
  })
)

effect("what is asked in one turn goes together, at most 64 at once", () =>
  Effect.gen(function* () {
    const { ask, batches, letGo } = yield* makeDoubler()
    const asked = yield* ask(1, 200)
    expect(batches.map((requests) => requests.length)).toEqual([64, 64, 64])
    yield* Effect.forEach([0, 1, 2, 3], letGo)
    expect(batches.map((requests) => requests.length)).toEqual([64, 64, 64, 8])
    expect(yield* Fiber.join(asked)).toEqual(Array.from({ length: 200 }, (_, nth) => Exit.succeed(2 * (nth + 1))))
  })
)

effect("an ask at fault fails alone: its batch is sent again by halves, and halves of those", () =>
  Effect.gen(function* () {
    const refusal = new RequestRefused({ parts: "halves" })
    const { ask, batches, letGo } = yield* makeDoubler((number) => (number === 2 ? refusal : undefined))
    const asked = yield* ask(1, 8)
    yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6], letGo)
    expect(batches).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 5, 7], [2, 4, 6, 8], [2, 6], [2], [6], [4, 8]])
    const expected = [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
      number === 2 ? Exit.fail(refusal) : Exit.succeed(2 * number)
    )
    expect(yield* Fiber.join(asked)).toEqual(expected)
  })
)

effect(
  "after a failure that took long each request is sent alone, so that only the one at fault takes long again",
  () =>
    Effect.gen(function* () {
      const refusal = new RequestRefused({ parts: "each" })
      const { ask, batches, letGo } = yield* makeDoubler((number) => (number === 2 ? refusal : undefined))
      const asked = yield* ask(1, 3)
      yield* Effect.forEach([0, 1, 2, 3], letGo)
      expect(batches).toEqual([[1, 2, 3], [1], [2], [3]])
      expect(yield* Fiber.join(asked)).toEqual([Exit.succeed(2), Exit.fail(refusal), Exit.succeed(6)])
    })
)

effect("neighbours that exclude each other are in different halves", () =>
  Effect.gen(function* () {
    const refusal = new RequestRefused({ parts: "halves" })
    const { ask, batches, letGo } = yield* makeDoubler((_, all) =>
      all.includes(1) && all.includes(2) ? refusal : undefined
    )
    const asked = yield* ask(1, 4)
    yield* Effect.forEach([0, 1, 2], letGo)
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [1, 3],
      [2, 4]
    ])
    expect(yield* Fiber.join(asked)).toEqual([2, 4, 6, 8].map(Exit.succeed))
  })
)

effect("a batch that was refused only once is answered when its halves are sent", () =>
  Effect.gen(function* () {
    const refusal = new RequestRefused({ parts: "halves" })
    let seen = 0
    const { ask, letGo } = yield* makeDoubler((number) => (number === 2 && (seen += 1) === 1 ? refusal : undefined))
    const asked = yield* ask(1, 3)
    yield* Effect.forEach([0, 1, 2], letGo)
    expect(yield* Fiber.join(asked)).toEqual([2, 4, 6].map(Exit.succeed))
  })
)

effect("an ask that cannot be prepared, or whose answer cannot be read, fails alone", () =>
  Effect.gen(function* () {
    const { ask, batches, double, letGo } = yield* makeDoubler()
    const unprepared = yield* Effect.fork(Effect.exit(double(Number.NaN)))
    const asked = yield* ask(-1, 1)
    yield* letGo(0)
    expect(yield* Fiber.join(unprepared)).toEqual(Exit.die(notANumber))
    expect(yield* Fiber.join(asked)).toEqual([Exit.die(negative), Exit.succeed(0), Exit.succeed(2)])
    expect(batches).toEqual([[-1, 0, 1]])
  })
)

effect("a failure whose effect is unknown is everybody's, and nothing is asked twice", () =>
  Effect.gen(function* () {
    const refusal = new RequestRefused({ parts: undefined })
    const { ask, batches, letGo } = yield* makeDoubler((number) => (number === 2 ? refusal : undefined))
    const asked = yield* ask(1, 3)
    yield* letGo(0)
    expect(yield* Fiber.join(asked)).toEqual([Exit.fail(refusal), Exit.fail(refusal), Exit.fail(refusal)])
    expect(batches).toEqual([[1, 2, 3]])
  })
)

effect("an asker that goes away takes no answer from the others", () =>
  Effect.gen(function* () {
    const { ask, double, letGo } = yield* makeDoubler()
    const leaving = yield* Effect.fork(double(1))
    const staying = yield* ask(2)
    yield* Fiber.interrupt(leaving)
    yield* Effect.forEach([0, 1], letGo)
    expect(yield* Fiber.join(staying)).toEqual([Exit.succeed(4)])
  })
)

effect("requests of more than a megabyte together go in several batches", () =>
  Effect.gen(function* () {
    const batches: Array<ReadonlyArray<number>> = []
    const echo = makeBatcher<number, number, number, never>({
      prepare: (kilobytes) => kilobytes,
      sendAll: (requests, onAnswered) => {
        batches.push(requests)
        onAnswered(Exit.succeed(requests.map(Exit.succeed)))
      },
      partsAfter: () => undefined,
      measure: (kilobytes) => kilobytes * 1024
    })
    const sizes = [500, 500, 500, 2_000, 10]
    expect(yield* Effect.forEach(sizes, echo, { concurrency: "unbounded" })).toEqual(sizes)
    expect(batches).toEqual([[500, 500], [500], [2_000], [10]])
  })
)
