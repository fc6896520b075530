import { expect } from "bun:test"
import { Effect, Schedule } from "effect"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { startService } from "../support/serviceProcess.ts"

const intent = { domain: "example.com", records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }

live(
  "/metrics shows the counts of the process without a key, in the text format of Prometheus",
  () =>
    Effect.gen(function* () {
      // Nothing listens at the resolver's port: a run of discovery ends soon, and another one begins ten seconds later.
      const { key, url } = yield* startService({ DATA_DIR: temporaryDirectory(), DNS_RESOLVERS: "127.0.0.1:9" })
      const send = (path: string, more: RequestInit = {}) => Effect.promise(() => fetch(`${url}${path}`, more))
      const metrics = Effect.flatMap(send("/metrics"), (answer) => Effect.promise(() => answer.text()))

      const headers = { "x-api-key": key, "content-type": "application/json" }
      const created = yield* send("/v1/connections", { method: "POST", headers, body: JSON.stringify({ intent }) })
      const missing = yield* send("/v1/nothing")
      expect([created.status, missing.status]).toEqual([201, 404])

      yield* Effect.repeat(metrics, {
        until: (text) =>
          text.includes('dcs_phases_ended_total{phase="discover"}') && text.includes("dcs_phases_waiting 0"),
        schedule: Schedule.spaced("100 millis")
      })
      const lines = (yield* metrics).split("\n")
      expect(lines).toContainEqual(expect.stringMatching(/^dcs_phases_started_total\{phase="discover"\} [1-9]/))
      expect(lines).toContainEqual(expect.stringMatching(/^dcs_phases_in_flight \d/))
      expect(lines).toContain("dcs_phases_waiting_oldest_seconds 0")
      expect(lines).toContain('dcs_http_requests_total{status="4xx"} 1')
      expect(lines.filter((line) => line.startsWith('dcs_http_requests_total{status="2xx"}'))).toHaveLength(1)
      const answer = yield* send("/metrics")
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        "text/plain; version=0.0.4; charset=utf-8"
      ])
    }),
  180_000
)
