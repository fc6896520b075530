import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { Lab } from "../../support/lab/Lab.ts"
import type { PowerDns } from "../../support/lab/PowerDns.ts"
import { conforms } from "../conformance.ts"
import { failureOf, intentOf, open, planFrom, sendAll } from "../Subject.ts"
import { powerDnsSubject } from "./powerDnsSubject.ts"

conforms("PowerDNS", ({ pdns }) => powerDnsSubject(pdns))

const call = ({ key, url }: PowerDns, method: string, path: string, body: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/v1/servers/localhost${path}`, {
      method,
      headers: { "X-API-Key": key },
      body: JSON.stringify(body)
    })
  )

describeLab("PowerDNS keeps", (live) => {
  live("disabled records out of the zone and in their set, unless they are what is wanted", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const at = powerDnsSubject(pdns)
      const domain = DomainName.make(`disabled.${at.zone}`)
      const records = [
        { content: '"on"', disabled: false },
        { content: '"off"', disabled: true },
        { content: '"wanted"', disabled: true }
      ]
      const set = { name: `${domain}.`, type: "TXT", ttl: 60, changetype: "REPLACE", records }
      yield* call(pdns, "PATCH", `/zones/${at.zone}.`, { rrsets: [set] })
      const opened = yield* open(at, { domain })
      const snapshot = yield* opened.read
      expect(snapshot.zone.records.map(({ value }) => value)).toEqual(["on"])

      const wanted = ["@ 300 TXT wanted", "@ 300 TXT new"]
      yield* sendAll(snapshot, planFrom(snapshot, intentOf(domain, { wanted }), opened).changes)
      expect((yield* at.dump).filter((line) => line.startsWith(domain))).toEqual([
        `${domain}. + 60 TXT "new"`,
        `${domain}. + 60 TXT "on"`,
        `${domain}. + 60 TXT "wanted"`,
        `${domain}. - 60 TXT "off"`
      ])
    })
  )

  live("an alias at the apex as ALIAS, where its operator says that it flattens", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const at = powerDnsSubject(pdns, { cnameFlattening: "supported" })
      const opened = yield* open(at, {})
      const intent = intentOf(at.zone, { wanted: ["@ 300 CNAME web.hostprov.net"] })
      const before = yield* opened.read
      yield* sendAll(before, planFrom(before, intent, opened).changes)
      expect(yield* at.dump).toContain(`${at.zone}. + 300 ALIAS web.hostprov.net.`)
      const after = yield* opened.read
      expect(planFrom(after, intent, opened).changes).toEqual([])

      const moved = intentOf(at.zone, { wanted: ["@ 300 A 192.0.2.20"] })
      yield* sendAll(after, planFrom(after, moved, opened).changes)
      expect((yield* at.dump).filter((line) => line.includes(" ALIAS "))).toEqual([])
    })
  )

  live("its copies of other servers' zones from being written", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const zone = DomainName.make("copied.com")
      const copy = { name: `${zone}.`, kind: "Slave", masters: ["127.10.9.9"], nameservers: [] }
      expect((yield* call(pdns, "POST", "/zones", copy)).status).toBe(201)
      expect(yield* failureOf(open(powerDnsSubject(pdns), { domain: zone, zone }))).toBe("provider_zone_locked")
    })
  )
})
