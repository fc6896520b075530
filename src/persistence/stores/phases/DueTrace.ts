import { Effect, FiberRef, HashMap, Option, Tracer } from "effect"
import { currentActor } from "../../../domain/access/Actor.ts"

/** The cause of a due phase: a span, and the request in which its trace began. */
export interface DueTrace {
  readonly span: Tracer.ExternalSpan
  readonly requestId: string
}

/** Encodes the span and the request of the current fiber, as a column keeps it; null if nothing is traced. */
export const encodeDueTrace: Effect.Effect<string | null> = Effect.withFiberRuntime((fiber) => {
  const span = fiber.getFiberRef(FiberRef.currentTracerEnabled) ? fiber.currentSpan : undefined
  if (span?.sampled !== true) return Effect.succeed(null)
  const ofPhase = HashMap.get(fiber.getFiberRef(FiberRef.currentLogAnnotations), "requestId")
  const requestId = fiber.getFiberRef(currentActor).requestId ?? Option.getOrElse(ofPhase, () => "")
  return Effect.succeed(`${span.traceId} ${span.spanId} ${requestId}`)
})

/** Decodes what `encodeDueTrace` has encoded. */
export const decodeDueTrace = (text: string | null): Option.Option<DueTrace> => {
  const [, traceId = "", spanId = "", requestId = ""] = /^([0-9a-f]{32}) ([0-9a-f]{16}) (.*)$/.exec(text ?? "") ?? []
  return traceId === ""
    ? Option.none()
    : Option.some({
        span: Tracer.externalSpan({ traceId, spanId }),
        requestId
      })
}
