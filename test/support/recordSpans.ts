import { Effect, Tracer } from "effect"

/** A tracer, and the spans that it has made. */
export const recordSpans = Effect.map(Effect.tracer, ({ context, span }) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    context,
    span: (...options) => {
      const made = span(...options)
      spans.push(made)
      return made
    }
  })
  return { tracer, spans }
})
