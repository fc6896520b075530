import { expect } from "bun:test"
import { Array, Cause, Data, Effect, Logger, TestClock } from "effect"
import { limitRepeatedLogs } from "../../src/runtime/limitRepeatedLogs.ts"
import { effect } from "../support/effectTest.ts"

class DescriptorsExhausted extends Data.TaggedError("DescriptorsExhausted")<{ readonly path: string }> {}

/** Runs an effect with the limited logger, and returns what it wrote by then: level, text and annotations. */
const recordLog = <E>(body: (written: ReadonlyArray<string>) => Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const recording = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
      const fields = [...annotations].map(([key, value]) => ` ${key}=${value}`)
      written.push(`${logLevel.label} ${Array.ensure(message)[0]}${fields.join("")}`)
    })
    yield* Effect.provide(body(written), Logger.replaceScoped(Logger.defaultLogger, limitRepeatedLogs(recording)))
    return written
  })

const repeat = (times: number, log: (index: number) => Effect.Effect<void>) =>
  Effect.forEach(Array.range(1, times), log, { discard: true })

effect("of one kind of entry ten a minute are written, and then how many more there were", () =>
  recordLog((written) =>
    Effect.gen(function* () {
      yield* repeat(5_773, (index) => Effect.annotateLogs(Effect.logWarning("Database unavailable"), { index }))
      const ten = Array.range(1, 10).map((index) => `WARN Database unavailable index=${index}`)
      expect(written).toEqual(ten)
      yield* TestClock.adjust("1 minute")
      expect(written).toEqual([...ten, "WARN 5763 more of: Database unavailable more=5763"])
      yield* TestClock.adjust("10 minutes")
      expect(written).toHaveLength(11)
      yield* repeat(10, () => Effect.logWarning("Database unavailable"))
      yield* TestClock.adjust("1 minute")
      expect(written.slice(11)).toEqual(Array.replicate("WARN Database unavailable", 10))
    })
  )
)

effect("an entry with another level, text or kind of error is written although others repeat themselves", () =>
  Effect.gen(function* () {
    const written = yield* recordLog((written) =>
      Effect.gen(function* () {
        yield* repeat(100, (index) => Effect.logError("Request failed", new DescriptorsExhausted({ path: `${index}` })))
        const before = written.length
        yield* Effect.logWarning("Request failed", new DescriptorsExhausted({ path: "" }))
        yield* Effect.logError("Response failed", new DescriptorsExhausted({ path: "" }))
        yield* Effect.logError("Request failed", new TypeError("none"))
        yield* Effect.logError("Request failed", Object.assign(new Error("none"), { code: "EMFILE" }))
        yield* Effect.logError("Request failed", Object.assign(new Error("none"), { code: "ENFILE" }))
        yield* Effect.logError("Request failed", Cause.die(new RangeError("none")))
        yield* Effect.logError("Request failed", Cause.fail("a text"))
        yield* Effect.logError("Request failed")
        yield* Effect.logError(`${"long ".repeat(100)} first`)
        yield* Effect.logError(`${"long ".repeat(100)} second`)
        expect([before, written.length - before]).toEqual([10, 10])
        yield* Effect.logError("Request failed", Cause.die(new DescriptorsExhausted({ path: "the same kind" })))
      })
    )
    // The end of the logger reports what it left out.
    expect(written.slice(20)).toEqual(["ERROR 91 more of: Request failed more=91"])
  })
)

effect("the first entry of every kind is written, however many kinds there are", () =>
  Effect.gen(function* () {
    const written = yield* recordLog((written) =>
      Effect.gen(function* () {
        yield* repeat(12, () => Effect.logInfo("oldest"))
        yield* repeat(10_000, (index) => Effect.logInfo(`kind ${index}`))
        expect(written.filter((line) => line.includes("kind"))).toHaveLength(10_000)
        yield* Effect.logInfo("oldest")
      })
    )
    expect(written.filter((line) => line.includes("oldest"))).toEqual([
      ...Array.replicate("INFO oldest", 10),
      "INFO 2 more of: oldest more=2",
      "INFO oldest"
    ])
  })
)
