import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../../support/effectTest.ts"
import { zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkJudge, sdkSets, testSdkRecords } from "../sdkTests.ts"
import { hetzner, type HetznerData, readOnlyToken, validToken } from "./hetzner.ts"

const judge: SdkJudge<HetznerData> = {
  adapter: hetzner,
  program: "hetzner.js",
  package: "@distilled.cloud/hetzner",
  environment: (isRefused) => ({ HCLOUD_TOKEN: isRefused ? "wrong" : validToken })
}

const inZone = (operation: string, input: object = {}) => [operation, { id_or_name: zone, ...input }]
const create = (set: object) => inZone("zoneRrsets.createZoneRrset", set)
const list = inZone("zoneRrsets.listZoneRrsets", { per_page: 100 })

const values = (...all: ReadonlyArray<string>) => ({ records: all.map((value) => ({ value })) })

const set = (name: string, type: string, ...all: ReadonlyArray<string>) => ({
  name,
  type,
  ttl: 300,
  ...values(...all)
})

/** The sets of a list but those that every zone has. */
const ownSets = (items: ReadonlyArray<any>) => items.filter(({ ttl }) => ttl !== null)

describeSdk(judge, () => {
  live("finds the zone, and creates, lists, changes and deletes a set", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const mx = { name: "@", type: "MX", ttl: 600, ...values("10 mail.example.net.") }
      const [found, created, sets] = yield* sdk(inZone("zones.getZone"), create(mx), list)
      expect(found.zone).toMatchObject({ name: zone, mode: "primary", ttl: 86_400 })
      expect(created).toMatchObject({ rrset: mx, action: { command: "create_rrset", status: "success", error: null } })
      expect(ownSets(sets)).toMatchObject([mx])

      const named = { rr_name: "@", rr_type: "MX" }
      const [, , , exchanged, , replaced] = yield* sdk(
        inZone("zoneRrsetActions.changeZoneRrsetTtl", { ...named, ttl: 300 }),
        inZone("zoneRrsetActions.addZoneRrsetRecords", { ...named, ...values("20 mail2.example.net.") }),
        inZone("zoneRrsetActions.removeZoneRrsetRecords", { ...named, ...values("10 mail.example.net.") }),
        list,
        inZone("zoneRrsetActions.setZoneRrsetRecords", { ...named, ...values("30 mail3.example.net.") }),
        list
      )
      expect(ownSets(exchanged)).toMatchObject([{ ...mx, ttl: 300, ...values("20 mail2.example.net.") }])
      expect(ownSets(replaced)).toMatchObject([{ ...mx, ttl: 300, ...values("30 mail3.example.net.") }])

      const before = fake.state()
      expect(yield* refusalOf(create(mx))).toContain("the set exists already")
      expect(yield* refusalOf(inZone("zones.getZone"), { isStranger: true })).toContain("Unauthorized")
      expect(yield* refusalOf(["zones.getZone", { id_or_name: "absent.example" }])).toContain("NotFound")
      const reader = yield* makeSdk({ ...judge, environment: () => ({ HCLOUD_TOKEN: readOnlyToken }) })
      expect(yield* reader.refusalOf(create(mx))).toContain("Forbidden")
      expect(fake.state()).toEqual(before)

      const [, left] = yield* sdk(inZone("zoneRrsets.deleteZoneRrset", named), list)
      expect(ownSets(left)).toEqual([])
    })
  )

  // Hetzner lists the values of a set in their order.
  const { created, listed } = sdkSets((host, type, ...all) => set(host, type, ...all.toSorted()))
  const others = [
    set("*", "A", "192.0.2.7"),
    set("www", "CNAME", "web.example.net."),
    set("post", "MX", "10 mx.example.net.")
  ]

  testSdkRecords(judge, {
    creates: [...created, ...others].map(create),
    reads: [
      { host: "*", type: "A", value: "192.0.2.7" },
      { host: "www", type: "CNAME", value: "web.example.net" },
      { host: "post", type: "MX", value: "mx.example.net" }
    ],
    desired: [
      "*.web 300 A 192.0.2.8",
      "mail6 300 AAAA 2001:db8::2",
      "crew 300 NS ns3.example.net",
      "_xmpp._tcp 300 SRV 5 0 5222 xmpp.example.net"
    ],
    list,
    listed: [
      ...listed,
      ...others,
      set("*.web", "A", "192.0.2.8"),
      set("mail6", "AAAA", "2001:db8::2"),
      set("crew", "NS", "ns3.example.net."),
      set("_xmpp._tcp", "SRV", "5 0 5222 xmpp.example.net.")
    ].map(({ records, ...shown }) => ({ ...shown, records: records.map((record) => expect.objectContaining(record)) }))
  })
})
