import { Context, Option, Tracer } from "effect"

/** Begins traces at requests, phases and webhook attempts only: the loops that look for work have none. */
export const withoutRootSpans = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: tracer.context,
    span: (name, parent, context, links, startTime, kind, options) => {
      const isRoot = Option.isNone(parent) && !/^(phase |webhook\.attempt$)/.test(name) && kind !== "server"
      return isRoot || (Option.isSome(parent) && !parent.value.sampled)
        ? { ...unsampled, name, parent, kind, traceId: Option.match(parent, { onNone: () => noTrace, onSome: idOf }) }
        : tracer.span(name, parent, context, links, startTime, kind, options)
    }
  })

const idOf = ({ traceId }: Tracer.AnySpan): string => traceId

/** The id of no trace (W3C Trace Context, section 3.2.2.3). */
const noTrace = "0".repeat(32)

/** The id by which the trace of a span is found; `undefined` where there is none. */
export const traceIdOf = (span: Tracer.AnySpan | undefined): string | undefined =>
  span === undefined || span.traceId === noTrace || span.traceId === idWithoutTracer ? undefined : span.traceId

/** Of a span that Effect makes while tracing is off. */
const idWithoutTracer = "noop"

const unsampled = {
  _tag: "Span",
  spanId: "0".repeat(16),
  traceId: noTrace,
  context: Context.empty(),
  status: { _tag: "Started", startTime: 0n },
  attributes: new Map<string, unknown>(),
  links: [],
  sampled: false,
  end: () => {},
  attribute: () => {},
  event: () => {},
  addLinks: () => {}
} as const
