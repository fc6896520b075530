import { Effect } from "effect"
import { createBenchDatabase } from "./BenchDatabase.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { startProcessorMeter } from "./ProcessorMeter.ts"
import { type Report, roundToThreeDigits } from "./Report.ts"
import { typicalIntent } from "./typicalConnection.ts"

const eventsPerSecond = 200
const seconds = 15

/** How long an event takes from its transition to the first attempt, measured by the receiver, while connections are created. */
export const webhooks: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    const subject = yield* startBenchSubject("httpApi", database, { OUTBOUND_ALLOW: "127.0.0.0/8" })
    const delays: Array<number> = []
    const receiver = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          hostname: "127.0.0.1",
          port: 0,
          fetch: async (request) => {
            const arrivedAt = Date.now()
            const { timestamp }: any = await request.json()
            delays.push(arrivedAt - Date.parse(timestamp))
            return new Response()
          }
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    )
    const post = async (path: string, body: object) => {
      const response = await fetch(`http://127.0.0.1:${subject.port}${path}`, {
        method: "POST",
        headers: { "x-api-key": database.key, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      await response.text()
      return response.status
    }
    const { created, use } = yield* Effect.promise(async () => {
      await post("/v1/webhook-endpoints", { url: `http://127.0.0.1:${receiver.port}/` })
      // A first event, so that nothing measured is the first of its kind.
      await post("/v1/connections", { intent: typicalIntent, allowDuplicate: true })
      while (delays.length < 1) await Bun.sleep(10)
      delays.length = 0
      const endUse = startProcessorMeter(subject)
      const total = eventsPerSecond * seconds
      const sent: Array<Promise<number>> = []
      const startedAt = performance.now()
      while (sent.length < total) {
        const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * eventsPerSecond)
        while (sent.length < due) sent.push(post("/v1/connections", { intent: typicalIntent, allowDuplicate: true }))
        await Bun.sleep(1)
      }
      const count = (await Promise.all(sent)).filter((status) => status === 201).length
      for (let waits = 0; delays.length < count && waits < 3_000; waits += 1) await Bun.sleep(10)
      return { created: count, use: endUse() }
    })
    const sorted = delays.toSorted((first, second) => first - second)
    const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
    const figures = {
      events: created,
      lost: created - delays.length,
      p50Millis: percentile(0.5),
      p99Millis: percentile(0.99),
      maxMillis: sorted.at(-1) ?? Number.NaN,
      serverMillisPerEvent: use.serverMicros / 1_000 / created,
      databaseMillisPerEvent: use.databaseMicros / 1_000 / created,
      foreignShare: use.foreignShare
    }
    return {
      title: `Webhooks: ${eventsPerSecond} events a second for ${seconds} s, from the transition to the receiver`,
      lines: [
        `${created} events; median ${roundToThreeDigits(figures.p50Millis)} ms, longest ${figures.maxMillis} ms`,
        `processor time of an event with its creation: service ${roundToThreeDigits(figures.serverMillisPerEvent)} ms, ` +
          `PostgreSQL ${roundToThreeDigits(figures.databaseMillisPerEvent)} ms`,
        `other processes took ${Math.round(100 * use.foreignShare)} % of the machine`
      ],
      figures,
      targets: [
        { kind: "gate", what: "events that did not arrive", value: figures.lost, atMost: 0 },
        { kind: "gate", what: "p99 of commit to first attempt, ms", value: figures.p99Millis, atMost: 1_000 }
      ]
    }
  })
)
