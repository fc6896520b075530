import { expect } from "bun:test"
import { Array, Clock, Effect, Option } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { Lab } from "../../../support/lab/Lab.ts"
import { tcpProxy } from "../../../support/lab/TcpProxy.ts"
import { describeLab } from "../../../support/lab/describeLab.ts"
import { failureOf, openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { serverAdapterContract } from "../serverAdapterContract.ts"
import { rfc2136UnderTest } from "./rfc2136UnderTest.ts"

const bindIn = ({ bind }: typeof Lab.Service) => rfc2136UnderTest(bind, "bindzone.com", "ns1.bindprov.net")
const knotIn = ({ knot }: typeof Lab.Service) => rfc2136UnderTest(knot, "knotzone.com", "ns1.knotprov.net")

serverAdapterContract("RFC 2136 (BIND)", bindIn)
serverAdapterContract("RFC 2136 (Knot)", knotIn)
serverAdapterContract("RFC 2136 (Knot with signing)", ({ knot }) =>
  rfc2136UnderTest(knot, "signed.com", "ns1.knotprov.net")
)

describeLab("RFC 2136", (live) => {
  live("splits changes that do not fit in one message", () =>
    Effect.gen(function* () {
      const adapter = bindIn(yield* Lab)
      const domain = DomainName.make(`large.${adapter.zone}`)
      const opened = yield* openZone(adapter, { domain })
      const desired = Array.makeBy(50, (index) => `h${index} 300 TXT ${"x".repeat(4_000)}${index}`)
      const intent = resolvedIntentOf(domain, { desired })
      const snapshot = yield* opened.read
      const { changes } = planFrom(snapshot, intent, opened)
      const writes = yield* snapshot.planWrites(changes)
      expect(writes.length).toBeGreaterThan(1)
      expect(writes.flatMap((write) => write.changes)).toEqual([...changes])

      yield* sendWrites(snapshot, changes)
      expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
    })
  )

  live("rejects an alias at the apex before any write", () =>
    Effect.gen(function* () {
      const adapter = bindIn(yield* Lab)
      const opened = yield* openZone(adapter, {})
      const after = { host: "@", type: "CNAME", value: "web.hostprov.net", ttl: 300, optional: false }
      expect(Option.map(opened.checkRecord(after), ({ code }) => code)).toEqual(Option.some("apex_cname_unsupported"))
      expect(opened.checkRecord({ ...after, host: "www" })).toEqual(Option.none())
      const address = { ...after, host: "www", type: "A", value: "192.0.2.1" }
      const changes = [address, after].map((after) => ({ action: "create" as const, after, destructive: false }))
      expect(yield* failureOf((yield* opened.read).planWrites(changes))).toBe("apex_cname_unsupported")
    })
  )

  live("distinguishes a wrong clock from a wrong key", () =>
    Effect.gen(function* () {
      const lab = yield* Lab
      const clock = Clock.make()
      const late = Object.assign(Object.create(clock), {
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + 3_600_000)
      })
      for (const adapter of [bindIn(lab), knotIn(lab)])
        expect(yield* Effect.withClock(failureOf(openZone(adapter, {})), late)).toBe("provider_unavailable")
    })
  )

  for (const [name, subjectIn] of [
    ["BIND", bindIn],
    ["Knot", knotIn]
  ] as const)
    live(`rejects responses from ${name} that were altered in transit`, () =>
      Effect.gen(function* () {
        const adapter = subjectIn(yield* Lab)
        const proxy = yield* tcpProxy(adapter.target)
        const domain = DomainName.make(`garbled.${adapter.zone}`)
        const opened = yield* openZone(adapter, { domain }, adapter.clientAt(proxy))
        const snapshot = yield* opened.read
        const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: ["www 300 A 192.0.2.1"] }), opened)
        yield* proxy.injectFault("garble", () => true)
        expect(yield* failureOf(openZone(adapter, {}, adapter.clientAt(proxy)))).toBe("provider_unavailable")
        expect(yield* failureOf(opened.read)).toBe("provider_snapshot_failed")
        const failure = yield* Effect.flip(sendWrites(snapshot, changes))
        expect(failure).toMatchObject({ _tag: "OutcomeUnknown", code: "provider_unavailable" })
      })
    )
})
