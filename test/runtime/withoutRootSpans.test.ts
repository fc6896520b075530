import { expect } from "bun:test"
import { Effect, Option, Tracer } from "effect"
import { traceIdOf, withoutRootSpans } from "../../src/runtime/withoutRootSpans.ts"
import { live } from "../support/effectTest.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"

/** The trace id that the log has in a span of this name. */
const loggedIn = (name: string, options: Tracer.SpanOptions = {}) =>
  Effect.map(Effect.option(Effect.currentSpan), (span) => traceIdOf(Option.getOrUndefined(span))).pipe(
    Effect.withSpan(name, options)
  )

const ofCaller = (sampled: boolean): Tracer.SpanOptions => ({
  parent: Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled })
})

live("the log names the trace of a caller, also of one that is not sampled, and none where nothing is traced", () =>
  Effect.gen(function* () {
    const tracer = withoutRootSpans(yield* Effect.tracer)
    const ids = yield* Effect.all([
      loggedIn("request", ofCaller(true)),
      loggedIn("request", ofCaller(false)),
      loggedIn("poll"),
      Effect.withTracerEnabled(loggedIn("request"), false)
    ]).pipe(Effect.withTracer(tracer), Effect.withTracerEnabled(true))
    expect(ids).toEqual([traceId, traceId, undefined, undefined])
  })
)
