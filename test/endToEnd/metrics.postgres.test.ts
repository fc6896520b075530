import { expect } from "bun:test"
import { Effect, Schedule } from "effect"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { freePort } from "../support/freePort.ts"
import { startService } from "../support/serviceProcess.ts"

const intent = { domain: "example.com", records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }

live("/metrics shows the counts of the process without a key, in the text format of Prometheus", () =>
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
        /dcs_phases_ended_total\{phase="discover",.*\} [1-9]/.test(text) &&
        text.includes('dcs_phases_waiting{environment="live"} 0'),
      schedule: Schedule.spaced("100 millis")
    })
    const lines = (yield* metrics).split("\n")
    for (const line of [
      /^dcs_phases_started_total\{phase="discover",environment="live"\} [1-9]/,
      /^dcs_phases_in_flight\{environment="live"\} \d/,
      /^dcs_phases_waiting_oldest_seconds\{environment="live"\} 0$/,
      /^dcs_phase_duration_seconds_count\{phase="discover",environment="live"\} [1-9]/,
      /^dcs_http_requests_total\{route="\/v1\/connections",method="POST",status="2xx",environment="live"\} 1$/,
      /^dcs_http_requests_total\{route="\/v1\/connections",method="POST",status="5xx",environment="live"\} 0$/,
      /^dcs_http_requests_total\{route="",method="",status="4xx",environment="live"\} 1$/,
      /^dcs_http_request_duration_seconds_bucket\{route="\/v1\/connections",method="POST",environment="live",le="\+Inf"\} 1$/,
      /^dcs_http_refusals_total\{status="401",environment="live"\} 0$/,
      /^dcs_dns_queries_total\{result="no_route",environment="live"\} \d/,
      /^dcs_webhook_attempts_total\{result="delivered",environment="live"\} 0$/,
      /^dcs_database_connections\{pool="requests",state="idle",environment="live"\} \d/,
      /^dcs_database_wait_max_seconds\{pool="phases",environment="live"\} 0$/,
      /^dcs_build_info\{version="[\d.]+",process=".+:\d+",environment="live"\} 1$/,
      /^dcs_process_resident_memory_bytes\{environment="live"\} \d{8}/
    ])
      expect(lines).toContainEqual(expect.stringMatching(line))
    expect(lines.filter((line) => line.startsWith("dcs_") && !line.includes('environment="live"'))).toEqual([])
    const answer = yield* send("/metrics")
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8"
    ])
  })
)

live("with METRICS_PORT /metrics has a port of its own, and the API has no such page", () =>
  Effect.gen(function* () {
    const port = freePort()
    const { url } = yield* startService({ DATA_DIR: temporaryDirectory(), METRICS_PORT: `${port}` })
    const statuses = yield* Effect.promise(() =>
      Promise.all(
        [`http://127.0.0.1:${port}/metrics`, `http://127.0.0.1:${port}/healthz`, `${url}/metrics`].map((address) =>
          fetch(address).then((answer) => answer.status)
        )
      )
    )
    expect(statuses).toEqual([200, 404, 404])
  })
)
