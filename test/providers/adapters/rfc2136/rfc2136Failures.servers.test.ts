import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { makeCallHealth } from "../../../../src/providers/CallHealth.ts"
import { makeMeasureCall } from "../../../../src/providers/measureCalls.ts"
import { defaultTimeouts } from "../../../../src/providers/ProviderClient.ts"
import { Lab } from "../../../support/lab/Lab.ts"
import { tcpProxy } from "../../../support/lab/TcpProxy.ts"
import { describeLab } from "../../../support/lab/describeLab.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites, silenceTimeouts } from "../AdapterUnderTest.ts"
import { rfc2136UnderTest } from "./rfc2136UnderTest.ts"

/** An unsigned response over TCP; `counts` are the record counts of the four sections. */
const unsigned =
  (rcode: number, { idShift = 0, counts = [0, 0, 0, 0] } = {}) =>
  (request: Uint8Array): Uint8Array => {
    const [, , high = 0, low = 0, flags = 0] = request
    const sections = counts.flatMap((count) => [count >> 8, count & 0xff])
    return Uint8Array.from([0, 12, high, (low + idShift) & 0xff, 0x80 | (flags & 0x78), rcode, ...sections])
  }

const unavailable = "provider_unavailable"
const unknown = "unknown: provider_unavailable"
const nonsense = [unavailable, "provider_snapshot_failed", unknown]

const faults = [
  { about: "SERVFAIL", answer: unsigned(2), codes: [unavailable, unavailable, unknown] },
  {
    about: "REFUSED",
    answer: unsigned(5),
    codes: ["authorization_zone_mismatch", "authorization_insufficient_scope", unknown]
  },
  {
    about: "NOTAUTH",
    answer: unsigned(9),
    codes: ["authorization_zone_mismatch", "authorization_zone_mismatch", unknown]
  },
  { about: "an unsigned NXRRSET", answer: unsigned(8), codes: nonsense },
  { about: "an unsigned NOERROR", answer: unsigned(0), codes: nonsense },
  { about: "the response to another query", answer: unsigned(0, { idShift: 1 }), codes: nonsense },
  {
    about: "counts of missing records",
    answer: unsigned(0, { counts: [1, 65_535, 0, 1] }),
    codes: nonsense
  },
  { about: "an empty message", answer: () => Uint8Array.of(0, 0), codes: nonsense },
  { about: "the query itself", answer: (request: Uint8Array) => request, codes: nonsense },
  {
    about: "another protocol",
    answer: () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
    codes: [unavailable, "provider_snapshot_timeout", "unknown: apply_timeout"]
  }
]

describeLab("RFC 2136, answered with", (live) => {
  for (const { about, answer, codes } of faults)
    for (const [index, phase] of ["opening", "reading", "writing"].entries())
      live(`${about} while ${phase}: ${codes[index]}`, () =>
        Effect.gen(function* () {
          const adapter = rfc2136UnderTest((yield* Lab).bind, "bindzone.com", "ns1.bindprov.net")
          const proxy = yield* tcpProxy(adapter.target)
          const timeouts = codes.includes("provider_snapshot_timeout") ? silenceTimeouts : defaultTimeouts
          const domain = DomainName.make(`faults.${adapter.zone}`)
          const injectFaultIn = (current: string) =>
            current === phase ? proxy.injectFault(answer, () => true) : Effect.void
          const failure = yield* Effect.flip(
            Effect.gen(function* () {
              yield* injectFaultIn("opening")
              const opened = yield* openZone(adapter, { domain }, adapter.clientAt(proxy, timeouts))
              yield* injectFaultIn("reading")
              const snapshot = yield* opened.read
              yield* injectFaultIn("writing")
              const intent = resolvedIntentOf(domain, { desired: ["www 300 A 192.0.2.1"] })
              yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes)
            })
          )
          const code = failure._tag === "ZoneChanged" ? failure._tag : failure.code
          expect(failure._tag === "OutcomeUnknown" ? `unknown: ${code}` : code).toBe(codes[index] ?? "")
        })
      )

  live("SERVFAIL for three customers opens the circuit, and refused keys do not", () =>
    Effect.gen(function* () {
      const health = makeCallHealth()
      const { bind } = yield* Lab
      const measure = makeMeasureCall("bind-in-bad-health", health)
      const adapter = rfc2136UnderTest(bind, "bindzone.com", "ns1.bindprov.net", measure)
      const proxy = yield* tcpProxy(adapter.target)
      const domain = DomainName.make(`health.${adapter.zone}`)
      const openFor = (connectionId: string, credential = adapter.credential) =>
        Effect.annotateLogs(Effect.exit(openZone({ ...adapter, credential }, { domain }, adapter.clientAt(proxy))), {
          connectionId
        })
      for (const [index, credential] of adapter.wrongCredentials.entries()) yield* openFor(`con_${index}`, credential)
      yield* openFor("con_a")
      const sound = Option.getOrThrow(yield* health.read)
      expect(sound).toMatchObject({ errorRate: 0, circuit: "closed" })
      yield* proxy.injectFault(unsigned(2), () => true)
      for (const connectionId of ["con_a", "con_b", "con_c"]) yield* openFor(connectionId)
      const failing = Option.getOrThrow(yield* health.read)
      expect(failing.calls).toBe(sound.calls + 3)
      expect(failing).toMatchObject({ circuit: "open" })
    })
  )
})
