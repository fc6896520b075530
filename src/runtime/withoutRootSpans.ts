import { Context, Option, Tracer } from "effect"

/** Begins traces at requests, phases and webhook attempts only: the loops that look for work have none. */
export const withoutRootSpans = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: tracer.context,
    span: (name, parent, context, links, startTime, kind, options) => {
      const isRoot = Option.isNone(parent) && !/^(phase |webhook\.attempt$)/.test(name) && kind !== "server"
      return isRoot || (Option.isSome(parent) && !parent.value.sampled)
        ? { ...unsampled, name, parent, kind }
        : tracer.span(name, parent, context, links, startTime, kind, options)
    }
  })

const unsampled = {
  _tag: "Span",
  spanId: "0".repeat(16),
  traceId: "0".repeat(32),
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
