import { expect } from "bun:test"
import { Effect, type Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { VendorCall } from "../../../support/vendors/VendorCall.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  createChange,
  deleteChange,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  updateChange,
  writeAt,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { azure, type AzureData } from "./azure.ts"
import { principal, servicePrincipal } from "./azureTokens.ts"

const stored = (host: string, type: string, data: AzureData) => ({ name: `${host}.${zone}`, type, ttl: 3600, data })

const storedAddress = (last: number, more: Partial<AzureData> = {}) =>
  stored("www", "A", { stored: { ipv4Address: `192.0.2.${last}` }, ...more })

const inOtherGroup = ({ path }: VendorCall) => path.includes("/resourceGroups/other/")

const isFirstPage = ({ path, query }: VendorCall) => path.endsWith("/recordsets") && !query.has("$skipToken")

const shown = (properties: object) => ({ status: 200, body: { location: "global", properties } })

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  "PUT without If-Match overwrites": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(azure, [storedAddress(1)])
      yield* writeAt(azure, fake, createChange(recordAt("new", "A", "192.0.2.1")))
      yield* writeAt(azure, fake, updateChange(address(1), address(2)))
      yield* writeAt(azure, fake, deleteChange(address(2)))
      const writes = fake.calls().filter(({ isWrite }) => isWrite)
      expect(writes.map(({ conditions, method }) => [method, Object.keys(conditions ?? {})])).toEqual([
        ["PUT", ["if-none-match"]],
        ["PUT", ["if-match"]],
        ["DELETE", ["if-match"]]
      ])
    }),

  "metadata and targetResource of a set are lost if not sent back": () =>
    Effect.gen(function* () {
      const metadata = { owner: "shop", note: "do not remove" }
      const target = `/subscriptions/${principal.subscriptionId}/resourceGroups/x/providers/Microsoft.Network/frontDoors/y`
      const alias = stored("cdn", "A", { stored: {}, target })
      const fake = yield* makeFakeOf(azure, [storedAddress(1, { metadata }), alias])
      yield* writeAt(azure, fake, createChange(address(2)))
      expect(recordsIn(fake).slice(-2)).toMatchObject([
        { data: { stored: { ipv4Address: "192.0.2.1" }, metadata } },
        { data: { stored: { ipv4Address: "192.0.2.2" }, metadata } }
      ])

      const cdn = (yield* readAt(azure, fake)).find(({ host }) => host === "cdn")
      expect(cdn).toMatchObject({ value: target, locked: "fixed" })
      const before = recordsIn(fake)
      const failure = yield* Effect.flip(writeAt(azure, fake, createChange(recordAt("cdn", "A", "192.0.2.2"))))
      expect(failure).toMatchObject({ code: "provider_record_locked" })
      expect(recordsIn(fake)).toEqual(before)
    }),

  "two zones of one name": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(azure)
      const nameServers = ["ns1-09.azure-dns.com.", "ns2-09.azure-dns.net."]
      fake.injectFault({ where: inOtherGroup }, { change: "not_made", answer: shown({ nameServers }) })
      const credential = servicePrincipal({ resourceGroup: "other" })
      const failure = yield* Effect.flip(openAt(azure, fake, { credential }))
      expect(failure).toMatchObject({ code: "authorization_zone_mismatch" })
      expect(failure.detail).toContain("another resource group")
      expect(yield* Effect.either(openAt(azure, fake))).toMatchObject({ _tag: "Right" })

      const own = { nameServers: azure.nameServers, zoneType: "Private" }
      fake.injectFault({ method: "GET" }, { change: "not_made", answer: shown(own) })
      expect(yield* failureOf(openAt(azure, fake))).toBe("authorization_zone_mismatch")
    }),

  "nextLink to another host": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(azure, hostLines(150))
      const read = yield* readAt(azure, fake)
      expect(read.filter(({ type }) => type === "A")).toHaveLength(150)
      // The client of the tests throws at a request for a host that no fake stands for.
      const nextLink = "https://evil.example/subscriptions?api-version=2018-05-01&$skipToken=100"
      const answer = { status: 200, body: { value: [], nextLink } }
      fake.injectFault({ where: isFirstPage }, { change: "not_made", answer })
      yield* readAt(azure, fake)
      const last = fake.calls().findLast(({ query }) => query.includes("skipToken"))
      expect(last?.path).toEndWith(`/dnsZones/${zone}/recordsets`)
    })
}

describeIfPossible("at Azure DNS", missingVendorData, () => {
  testTraps("azure", traps)

  live("a long text is written in strings of 255 characters, and what stays as it was read", () =>
    Effect.gen(function* () {
      const value = ["v=spf1 ", "-all"]
      const fake = yield* makeFakeOf(azure, [stored("www", "TXT", { stored: { value } })])
      const read = yield* readAt(azure, fake)
      expect(read.filter(({ type }) => type === "TXT")).toMatchObject([{ value: "v=spf1 -all" }])
      yield* writeAt(azure, fake, createChange(recordAt("www", "TXT", `say "hi" \\ ${"k".repeat(300)}`)))
      const texts = recordsIn(fake).flatMap(({ data, type }) => (type === "TXT" ? [data.stored["value"]] : []))
      expect(texts[0]).toEqual(value)
      expect(texts[1].map((text: string) => text.length)).toEqual([255, 56])
      expect(texts[1].join("")).toBe(`say "hi" \\ ${"k".repeat(300)}`)
    })
  )

  live("the name servers of the zone itself are locked, and those of a part of it are not", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(azure, "team 3600 NS ns1.example.net.")
      const read = yield* readAt(azure, fake)
      const locked = read.filter(({ type }) => type === "NS").map(({ host, locked }) => [host, locked])
      expect(locked).toEqual([...azure.nameServers.map(() => ["@", "fixed"]), ["team", undefined]])
    })
  )
})
