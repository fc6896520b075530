import { expect } from "bun:test"
import { Effect } from "effect"
import { catalogAdapters } from "../../../../src/providers/catalog/catalogAdapters.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  addRecord,
  address,
  apiToken,
  applyDesired,
  createChange,
  deleteChange,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { ionos, unitedDomains, zoneId } from "./ionos.ts"

const records = `/zones/${zoneId}/records`

const storedAddress = (last: number, disabled = false) => ({
  name: `www.${zone}`,
  type: "A",
  ttl: 3600,
  data: { content: `192.0.2.${last}`, disabled }
})

const addressesIn = <Each extends { readonly type: string }>(all: ReadonlyArray<Each>) =>
  all.filter(({ type }) => type === "A")

/** Tests by the words of `vendor-facts.json`. */
testTraps(ionos, {
  'TXT written as token is read as "token"': Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(ionos)
    const texts = ["token", `v=DKIM1; p=${"k".repeat(400)}`, "ä; b c"]
    const desired = texts.map((text) => `here 3600 TXT ${text}`)
    expect(yield* applyDesired(ionos, fake, desired)).toEqual([])
    const written = writesTo(fake).map(({ body }: any) => body[0].content)
    expect(written.toSorted()).toEqual(texts.toSorted())
    expect(recordsIn(fake).map(({ data }) => data.content)).toContain('"token"')
  }),

  "records carry disabled": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(ionos, [storedAddress(1), storedAddress(2, true)])
    const disabled = recordsIn(fake).filter(({ data }) => data.disabled)
    expect(addressesIn(yield* readAt(ionos, fake)).map(({ value }) => value)).toEqual(["192.0.2.1"])
    yield* writeAt(ionos, fake, updateChange(address(1), address(3)))
    yield* writeAt(ionos, fake, deleteChange(address(3)))
    expect(addressesIn(recordsIn(fake))).toEqual(disabled)
  }),

  "mail and web records of the hosting are rewritten by IONOS when a feature is switched on": () =>
    Effect.sync(() => {
      for (const id of ["ionos", "unitedomains"])
        expect(catalogAdapters[id]?.limitations?.join(" ")).toContain("rewrites the records of its own mail and web")
    }),

  "PUT of a record cannot change its name or type": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(ionos, "www 3600 A 192.0.2.1")
    yield* writeAt(ionos, fake, updateChange(address(1), address(2)))
    yield* writeAt(ionos, fake, updateChange(address(2), recordAt("www", "CNAME", "shops.example.net")))
    const id = expect.stringContaining(`${records}/`)
    expect(writesTo(fake)).toEqual([
      { method: "PUT", path: id, body: { content: "192.0.2.2", ttl: 3600, disabled: false } },
      { method: "DELETE", path: id, body: undefined },
      {
        method: "POST",
        path: records,
        body: [{ name: `www.${zone}`, type: "CNAME", content: "shops.example.net", ttl: 3600, disabled: false }]
      }
    ])
  })
})

testTraps(unitedDomains, {})

describeIfPossible("at IONOS", missingVendorData, () => {
  live("a priority stands beside the rest of an MX and an SRV", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ionos)
      const mx = recordAt("@", "MX", "mail.example.net", { priority: 10 })
      const srv = recordAt("_sip._tcp", "SRV", "20 5060 sip.example.net", { priority: 5 })
      yield* writeAt(ionos, fake, createChange(mx), createChange(srv))
      expect(writesTo(fake).map(({ body }: any) => [body[0].prio, body[0].content])).toEqual([
        [10, "mail.example.net"],
        [5, "20 5060 sip.example.net"]
      ])
      yield* writeAt(ionos, fake, deleteChange(mx), deleteChange(srv))
      expect(recordsIn(fake).every(({ type }) => type === "NS")).toBe(true)
    })
  )

  live("a record that is created twice is stored once, with a new id", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ionos)
      fake.beforeCall({ method: "POST" }, () => addRecord(fake, { ...storedAddress(1), id: "first" }))
      yield* writeAt(ionos, fake, createChange(address(1)))
      const stored = addressesIn(recordsIn(fake))
      expect(stored).toHaveLength(1)
      expect(stored[0]?.id).not.toBe("first")
    })
  )

  live("a key without its prefix is refused before any call", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ionos)
      expect(yield* failureOf(openAt(ionos, fake, { credential: apiToken("ionossecret") }))).toBe("credential_invalid")
      expect(fake.calls()).toEqual([])
    })
  )

  live("a zone is found by its name among those that the account serves itself", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ionos)
      const zones = [
        { id: "1", name: `www.${zone}`, type: "NATIVE" },
        { id: "2", name: zone, type: "SLAVE" }
      ]
      fake.injectFault({ operation: "GET /zones" }, { change: "not_made", answer: { status: 200, body: zones } })
      expect(yield* failureOf(openAt(ionos, fake))).toBe("authorization_zone_mismatch")
    })
  )

  // What no vendor opens is in the contract.
  for (const [adapter, nameServers] of [
    [ionos, ["ns1045.ui-dns.biz", "ns.udag.de"]],
    [unitedDomains, ["ns1045.ui-dns.biz"]]
  ] as const)
    live(`a zone at ${adapter.name} that ${nameServers.join(" and ")} serves is not opened`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(adapter)
        expect(yield* failureOf(openAt(adapter, fake, { nameServers }))).toBe("authorization_zone_mismatch")
      })
    )
})
