import { expect } from "bun:test"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { Lab } from "../support/lab/Lab.ts"
import { makeUnbound } from "../support/lab/Unbound.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { delayMeanings } from "../../src/domain/connection/delayMeanings.ts"
import { freePort } from "../support/freePort.ts"
import { labService } from "../support/labService.ts"
import { get, issueKey, jsonOf, post, textOf } from "../support/testApi.ts"

const intent = { domain: "glued.com", records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }

describeLab("while no resolver of the operator answers", (live) => {
  live(
    "discovery waits and fails nobody, no tenant sees the resolver's address, and it goes on when one answers again",
    () =>
      Effect.gen(function* () {
        const port = freePort()
        yield* Effect.gen(function* () {
          const { key } = yield* issueKey()
          const created = yield* post("/v1/connections", key, { intent }, { prefer: "wait=5" })
          const creation = yield* textOf(created)
          const { connection } = JSON.parse(creation)
          expect([created.status, connection.state, connection.failure]).toEqual([201, "requested", undefined])
          const check = yield* post("/v1/domains/check", key, intent)
          const refusal = yield* textOf(check)
          expect([check.status, check.headers.get("retry-after"), JSON.parse(refusal).error.code]).toEqual([
            503,
            expect.stringMatching(/^\d+$/),
            "busy"
          ])
          const path = `/v1/connections/${connection.id}`
          const shown = yield* Effect.forEach([path, `${path}/events`], (one) => Effect.flatMap(get(one, key), textOf))
          for (const text of [creation, refusal, ...shown]) expect(text).not.toMatch(/127\.0\.0\.1/)
          const { connection: waiting } = yield* Effect.flatMap(get(path, key), jsonOf).pipe(
            Effect.delay("100 millis"),
            Effect.repeat({ until: ({ connection }) => connection.delay !== undefined })
          )
          expect(waiting.delay).toEqual({
            code: "resolver_unavailable",
            message: delayMeanings.resolver_unavailable,
            since: waiting.updatedAt
          })
          expect(Date.parse(waiting.nextCheckAt) - Date.parse(waiting.delay.since)).toBe(10_000)
          expect([waiting.state, waiting.failure]).toEqual(["requested", undefined])
          const counts = yield* Effect.flatMap(get("/metrics", key), textOf)
          expect(counts).toMatch(/^dcs_dns_resolvers_unavailable_total\{environment="live"\} [1-9]/m)
          expect((yield* get("/readyz", key)).status).toBe(200)

          yield* relay(port, (yield* Lab).resolver)
          const planned = yield* Effect.flatMap(get(path, key), jsonOf).pipe(
            Effect.delay("200 millis"),
            Effect.repeat({ until: ({ connection }) => connection.state !== "requested" })
          )
          const { delay, failure, state } = planned.connection
          expect([state, failure, delay]).toEqual(["awaiting_manual", undefined, undefined])
        }).pipe(
          Effect.provide(labService([], { environment: { DNS_RESOLVERS: `127.0.0.1:${port}`, LOG_LEVEL: "none" } }))
        )
      })
  )

  live("a plan also waits if its zone is found without a resolver, but the facts elsewhere are not", () =>
    Effect.gen(function* () {
      const address = "127.10.0.54"
      const unbound = yield* makeUnbound({
        name: "cut-off",
        address,
        directory: temporaryDirectory(),
        root: "127.10.9.9",
        isCaching: true,
        known: ["com. NS a.gtld.test.", "a.gtld.test. A 127.10.0.2"]
      })
      yield* unbound.start
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const spf = { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net ~all" }
        const body = { intent: { domain: "glued.com", records: [spf] } }
        const { connection } = yield* Effect.flatMap(post("/v1/connections", key, body), jsonOf)
        const { connection: waiting } = yield* Effect.flatMap(
          get(`/v1/connections/${connection.id}`, key),
          jsonOf
        ).pipe(
          Effect.delay("200 millis"),
          Effect.repeat({
            until: ({ connection }) => connection.delay !== undefined || connection.state !== "requested"
          })
        )
        expect([waiting.state, waiting.delay?.code]).toEqual(["requested", "resolver_unavailable"])
      }).pipe(Effect.provide(labService([], { environment: { DNS_RESOLVERS: address, LOG_LEVEL: "none" } })))
    })
  )
})

/** Forwards packets from a port of loopback to a resolver, and its answers back. */
const relay = (port: number, resolver: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const target = new URL(`udp://${resolver}`)
      const listener = createSocket("udp4")
      listener.on("message", (query, client) => {
        const upstream = createSocket("udp4")
        upstream.on("message", (answer) => {
          listener.send(answer, client.port, client.address)
          upstream.close()
        })
        upstream.send(query, Number(target.port === "" ? 53 : target.port), target.hostname)
      })
      await new Promise<void>((resolve) => listener.bind(port, "127.0.0.1", resolve))
      return listener
    }),
    (listener) => Effect.sync(() => listener.close())
  )
