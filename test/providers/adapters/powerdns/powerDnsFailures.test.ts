import { describe, expect } from "bun:test"
import { Duration, Effect, Redacted } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { defaultTimeouts } from "../../../../src/providers/ProviderClient.ts"
import {
  makePowerDnsClient,
  powerDnsCapabilities
} from "../../../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClient } from "../../httpClient.ts"
import { silenceTimeouts } from "../AdapterUnderTest.ts"

const zone = DomainName.make("example.com")
const apiToken = "the-secret-key"

const set = (name: string, type: string, ...contents: ReadonlyArray<string>) => ({
  name,
  type,
  ttl: 300,
  records: contents.map((content) => ({ content, disabled: false }))
})
const healthy = { kind: "Native", rrsets: [set("example.com.", "NS", "ns1.acme-dns.net.")] }

type CallPhase = "opening" | "reading" | "writing"

const phaseOf = ({ method, url }: Request): CallPhase =>
  method === "PATCH" ? "writing" : url.includes("rrset_name") ? "opening" : "reading"

/** A healthy server with a fault in one phase. */
const serverWith = (phase: CallPhase, fault: () => Response | Promise<Response>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: (request) => {
          const current = phaseOf(request)
          if (current === phase) return fault()
          return current === "writing" ? new Response(null, { status: 204 }) : Response.json(healthy)
        }
      })
    ),
    (server) => Effect.promise(() => server.stop(true))
  )

const outcomeAt = (port: number, timeouts = defaultTimeouts) =>
  Effect.gen(function* () {
    const client = makePowerDnsClient({
      settings: { baseUrl: `http://127.0.0.1:${port}/`, serverId: "localhost" },
      capabilities: powerDnsCapabilities,
      http: httpClient,
      timeouts
    })
    const opened = yield* client.openZone({
      connectionId: "con_1",
      credential: { _tag: "api_token", apiToken: Redacted.make(apiToken) },
      domain: zone,
      zone,
      nameServers: ["ns1.acme-dns.net"]
    })
    const after = { host: "www", type: "A", value: "192.0.2.1", ttl: 300, optional: false }
    const writes = yield* (yield* opened.read).planWrites([{ action: "create", after, destructive: false }])
    yield* Effect.forEach(writes, ({ send }) => send)
  })

const status = (code: number, headers: Record<string, string> = {}) => ({
  about: `answers ${code} ${Object.values(headers).join()}`.trim(),
  fault: () => new Response(`no, ${apiToken}`, { status: code, headers })
})

/** A response without end, in chunks of `bytes` with a pause between them. */
const endless = (bytes: number, pauseMillis: number) => () =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        if (pauseMillis > 0) await Bun.sleep(pauseMillis)
        controller.enqueue(Buffer.alloc(bytes, " "))
      }
    })
  )

const unavailable = "provider_unavailable"
const unknown = "unknown: provider_unavailable"
const silent = [unavailable, "provider_snapshot_timeout", "unknown: apply_timeout"]
const malformed = [unavailable, "provider_snapshot_failed", unknown]
const allPhases = (code: string) => [code, code, code]

const faults = [
  { ...status(401), codes: allPhases("credential_invalid") },
  { ...status(403), codes: allPhases("authorization_insufficient_scope") },
  { ...status(404), codes: allPhases("authorization_zone_mismatch") },
  { ...status(422), codes: ["authorization_zone_mismatch", "provider_snapshot_failed", "apply_rejected"] },
  { ...status(423), codes: allPhases("provider_zone_locked") },
  { ...status(429), codes: allPhases("provider_rate_limited") },
  { ...status(500), codes: [unavailable, unavailable, unknown] },
  { ...status(502), codes: [unavailable, unavailable, unknown] },
  { ...status(302, { location: "/elsewhere" }), codes: malformed },
  {
    about: "answers HTML with 200",
    fault: () => new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } }),
    codes: malformed
  },
  {
    about: "answers JSON with wrong types",
    fault: () => Response.json({ kind: 1, rrsets: [{ name: null, records: {} }] }),
    codes: malformed
  },
  { about: "answers with an empty list", fault: () => Response.json([]), codes: malformed },
  {
    about: "answers without end",
    fault: endless(2 ** 20, 0),
    codes: [
      ["zone_too_large", unavailable],
      ["zone_too_large", silent[1]],
      [unknown, silent[2]]
    ]
  },
  { about: "answers byte by byte", fault: endless(1, 20), codes: silent },
  { about: "is silent", fault: () => new Promise<Response>(() => {}), codes: silent }
]

describe("PowerDNS", () => {
  for (const { about, codes, fault } of faults)
    for (const [index, phase] of (["opening", "reading", "writing"] as const).entries())
      concurrentTest(`${about} while ${phase}: ${codes[index]}`, () =>
        Effect.gen(function* () {
          const { port } = yield* serverWith(phase, fault)
          const timeouts = codes.flat().includes("provider_snapshot_timeout") ? silenceTimeouts : defaultTimeouts
          const failure = yield* Effect.flip(outcomeAt(port ?? 0, timeouts))
          const code =
            failure._tag === "OutcomeUnknown" ? `unknown: ${failure.code}` : "code" in failure && failure.code
          expect([codes[index]].flat()).toContain(code || failure._tag)
          expect(JSON.stringify(failure)).not.toContain(apiToken)
          expect(String(failure)).not.toContain(apiToken)
        })
      )

  for (const [header, seconds] of [
    ["7", 7],
    ["999999", 86_400],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Fri, 01 Jan 2100 00:00:00 GMT", 86_400],
    ["soon", undefined]
  ] as const)
    live(`reports the delay until a retry (Retry-After: ${header})`, () =>
      Effect.gen(function* () {
        const { fault } = status(429, { "retry-after": header })
        const { port } = yield* serverWith("reading", fault)
        const failure = yield* Effect.flip(outcomeAt(port ?? 0))
        const retryAfter = failure._tag === "ProviderFailure" ? failure.retryAfter : undefined
        expect(retryAfter && Duration.toSeconds(retryAfter)).toBe(seconds)
      })
    )
})
