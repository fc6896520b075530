import { Effect } from "effect"

/** A span as OTLP carries it. */
export interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

/** A collector of OTLP over HTTP in JSON: everything that it received, and the spans among it. */
export const startCollector = Effect.acquireRelease(
  Effect.sync(() => {
    const bodies: Array<string> = []
    const spans: Array<ExportedSpan> = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const text = await request.text()
        bodies.push(text)
        if (new URL(request.url).pathname === "/v1/traces") spans.push(...spansOf(JSON.parse(text)))
        return Response.json({})
      }
    })
    return { url: `http://127.0.0.1:${server.port}`, bodies, spans, server }
  }),
  ({ server }) => Effect.promise(() => server.stop(true))
)

const spansOf = (body: any): ReadonlyArray<ExportedSpan> =>
  body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        ...span,
        links: span.links ?? [],
        attributes: toRecord(span.attributes),
        resource: toRecord(resource.attributes)
      }))
    )
  )

const toRecord = (attributes: ReadonlyArray<any> = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
