import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { Lab } from "../../../support/lab/Lab.ts"
import type { PowerDns } from "../../../support/lab/PowerDns.ts"
import { describeLab } from "../../../support/lab/describeLab.ts"
import { failureOf, openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { serverAdapterContract } from "../serverAdapterContract.ts"
import { powerDnsUnderTest } from "./powerDnsUnderTest.ts"

serverAdapterContract("PowerDNS", ({ pdns }) => powerDnsUnderTest(pdns))

const call = ({ key, url }: PowerDns, method: string, path: string, body: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/v1/servers/localhost${path}`, {
      method,
      headers: { "X-API-Key": key },
      body: JSON.stringify(body)
    })
  )

describeLab("PowerDNS keeps", (live) => {
  live("disabled records out of the zone and in their RRset, unless they are desired", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const adapter = powerDnsUnderTest(pdns)
      const domain = DomainName.make(`disabled.${adapter.zone}`)
      const records = [
        { content: '"on"', disabled: false },
        { content: '"off"', disabled: true },
        { content: '"wanted"', disabled: true }
      ]
      const set = { name: `${domain}.`, type: "TXT", ttl: 60, changetype: "REPLACE", records }
      yield* call(pdns, "PATCH", `/zones/${adapter.zone}.`, { rrsets: [set] })
      const opened = yield* openZone(adapter, { domain })
      const snapshot = yield* opened.read
      expect(snapshot.zone.records.map(({ value }) => value)).toEqual(["on"])

      const desired = ["@ 300 TXT wanted", "@ 300 TXT new"]
      yield* sendWrites(snapshot, planFrom(snapshot, resolvedIntentOf(domain, { desired }), opened).changes)
      expect((yield* adapter.dump).filter((line) => line.startsWith(domain))).toEqual([
        `${domain}. + 60 TXT "new"`,
        `${domain}. + 60 TXT "on"`,
        `${domain}. + 60 TXT "wanted"`,
        `${domain}. - 60 TXT "off"`
      ])
    })
  )

  live("an alias at the apex as ALIAS, if the operator declares CNAME flattening", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const adapter = powerDnsUnderTest(pdns, { cnameFlattening: "supported" })
      const opened = yield* openZone(adapter, {})
      const intent = resolvedIntentOf(adapter.zone, { desired: ["@ 300 CNAME web.hostprov.net"] })
      const before = yield* opened.read
      yield* sendWrites(before, planFrom(before, intent, opened).changes)
      expect(yield* adapter.dump).toContain(`${adapter.zone}. + 300 ALIAS web.hostprov.net.`)
      const after = yield* opened.read
      expect(planFrom(after, intent, opened).changes).toEqual([])

      const moved = resolvedIntentOf(adapter.zone, { desired: ["@ 300 A 192.0.2.20"] })
      yield* sendWrites(after, planFrom(after, moved, opened).changes)
      expect((yield* adapter.dump).filter((line) => line.includes(" ALIAS "))).toEqual([])
    })
  )

  live("copies of other servers' zones read-only", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const zone = DomainName.make("copied.com")
      const copy = { name: `${zone}.`, kind: "Slave", masters: ["127.10.9.9"], nameservers: [] }
      expect((yield* call(pdns, "POST", "/zones", copy)).status).toBe(201)
      expect(yield* failureOf(openZone(powerDnsUnderTest(pdns), { domain: zone, zone }))).toBe("provider_zone_locked")
    })
  )
})
