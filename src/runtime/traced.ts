import { Effect, FiberRef } from "effect"
import { isGeneratorFunction } from "effect/Utils"

/**
 * As `Effect.fn`: a function whose runs are spans of this name. While no tracer is on it makes none; `Effect.fn` makes one
 * even then, and copies the context of the fiber for it, which took a tenth of the processor time of a connection.
 */
export const traced = (name: string): Effect.fn.Gen & Effect.fn.NonGen => {
  const define = (body: TracedFunction, ...steps: ReadonlyArray<Pipeable>): TracedFunction => {
    const run: TracedFunction = isGeneratorFunction(body)
      ? Reflect.apply(Effect.fnUntraced, undefined, [body, ...steps])
      : (...args) => steps.reduce((effect, step) => step(effect, ...args), body(...args))
    const runInSpan: TracedFunction = Reflect.apply(Effect.fn(name), undefined, [body, ...steps])
    return (...args) =>
      Effect.withFiberRuntime((fiber) =>
        fiber.getFiberRef(FiberRef.currentTracerEnabled) ? runInSpan(...args) : run(...args)
      )
  }
  return define as unknown as ReturnType<typeof traced>
}

type TracedFunction = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>
type Pipeable = (effect: Effect.Effect<unknown, unknown>, ...args: ReadonlyArray<unknown>) => ReturnType<TracedFunction>
