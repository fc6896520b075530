import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../../support/effectTest.ts"
import { zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkJudge, sdkSets, testSdkRecords } from "../sdkTests.ts"
import { hetzner, type HetznerData, validToken } from "./hetzner.ts"

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
const set = (name: string, type: string, ...all: ReadonlyArray<string>) => ({ name, type, ttl: 300, ...values(...all) })

describeSdk(judge, () => {
  live("finds the zone, and creates, lists, changes and deletes a set", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const mx = { name: "@", type: "MX", ttl: 600, ...values("10 mail.example.net.") }
      const [found, created] = yield* sdk(inZone("zones.getZone"), create(mx))
      expect(found.zone).toMatchObject({ name: zone, mode: "primary", ttl: 86_400 })
      expect(created).toMatchObject({ rrset: mx, action: { command: "create_rrset", status: "success", error: null } })

      const act = (action: string, body: object) =>
        inZone(`zoneRrsetActions.${action}`, { rr_name: "@", rr_type: "MX", ...body })
      const [, , , exchanged, , replaced] = yield* sdk(
        act("changeZoneRrsetTtl", { ttl: 300 }),
        act("addZoneRrsetRecords", values("20 mail2.example.net.")),
        act("removeZoneRrsetRecords", values("10 mail.example.net.")),
        list,
        act("setZoneRrsetRecords", values("30 mail3.example.net.")),
        list
      )
      // Every zone has two sets: its start, and its name servers.
      expect(exchanged).toMatchObject([{ ...mx, ttl: 300, ...values("20 mail2.example.net.") }, {}, {}])
      expect(replaced).toMatchObject([{ ...mx, ttl: 300, ...values("30 mail3.example.net.") }, {}, {}])

      const before = fake.state()
      expect(yield* refusalOf(create(mx))).toContain("the set exists already")
      expect(yield* refusalOf(inZone("zones.getZone"), { isStranger: true })).toContain("Unauthorized")
      expect(yield* refusalOf(["zones.getZone", { id_or_name: "absent.example" }])).toContain("NotFound")
      expect(fake.state()).toEqual(before)

      const [, left] = yield* sdk(inZone("zoneRrsets.deleteZoneRrset", { rr_name: "@", rr_type: "MX" }), list)
      expect(left).toHaveLength(2)
    })
  )

  // Hetzner lists the values of a set in their order, and a comment with each.
  const { created, listed } = sdkSets((host, type, ...all) => set(host, type, ...all.toSorted()))
  const others = [
    set("*", "A", "192.0.2.7"),
    set("www", "CNAME", "web.example.net."),
    set("post", "MX", "10 mx.a.net.")
  ]

  testSdkRecords(judge, {
    creates: [...created, ...others].map(create),
    reads: [
      { host: "*", type: "A", value: "192.0.2.7" },
      { host: "www", type: "CNAME", value: "web.example.net" },
      { host: "post", type: "MX", value: "mx.a.net" }
    ],
    list,
    listed: [...listed, ...others].map(({ records, ...shown }) => {
      return { ...shown, records: records.map((record) => expect.objectContaining(record)) }
    })
  })
})
