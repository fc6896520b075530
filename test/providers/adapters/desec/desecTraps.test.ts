import { describe, expect, test } from "bun:test"
import { Duration, Effect, Schema } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  addSet,
  changeSets,
  create,
  domainOf,
  linesOf,
  makeFakeWith,
  openDesec,
  writeTo,
  zone
} from "./desecUnderTest.ts"
import { type DesecState, desecDomain, makeFakeDesec, throttled } from "./FakeDesec.ts"

const shop = create("shop", "CNAME", "shops.example.net")

const address = (index: number) => ({ subname: `host${index}`, type: "A", ttl: 3600, records: ["192.0.2.1"] })
const addresses = (count: number) => Array.from({ length: count }, (_, index) => address(index))

const queriesOf = (fake: FakeVendor<DesecState>) =>
  fake.calls().flatMap(({ operation, query }) => (operation === list ? [query.replace(/=.+/, "=…")] : []))

const list = "GET /domains/{name}/rrsets/"

const page = (link: string): VendorAnswer => ({ status: 200, headers: { link }, body: [] })

const traps: Readonly<Record<string, () => void>> = {
  "the first page beyond 500 is a 400 with a Link header": () => {
    live("a zone of 1,200 sets is read whole", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith(...addresses(1_200))
        const { read } = yield* openDesec(fake)
        expect((yield* read).zone.records).toHaveLength(1_202)
        expect(queriesOf(fake)).toEqual(["", "cursor=", "cursor=…", "cursor=…"])
      })
    )

    live("a zone of 500 sets is read by one call", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith(...addresses(499))
        const { read } = yield* openDesec(fake)
        expect((yield* read).zone.records).toHaveLength(501)
        expect(queriesOf(fake)).toEqual([""])
      })
    )

    live("before a write, only the affected names of a large zone are read again, if they are few", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith(...addresses(1_200))
        yield* writeTo(fake, create("a.b", "A", "192.0.2.7"), shop)
        expect(queriesOf(fake).slice(4)).toEqual(["", "subname=…", "subname=…", "subname=…"])
        expect(linesOf(fake)).toContain("shop.example.com. 3600 CNAME shops.example.net.")

        const many = Array.from({ length: 11 }, (_, index) => create(`new${index}`, "A", "192.0.2.7"))
        yield* writeTo(fake, ...many)
        expect(queriesOf(fake).slice(12)).toEqual(["", "cursor=", "cursor=…", "cursor=…"])
        expect(domainOf(fake.state()).sets).toHaveLength(1_214)
      })
    )

    live("a set that somebody adds in a large zone at an affected name stops the write", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith(...addresses(600))
        fake.beforeCall({ operation: list, where: ({ query }) => query.get("subname") === "shop" }, () =>
          addSet(fake, { subname: "shop", type: "A", ttl: 3600, records: ["192.0.2.9"] })
        )
        expect((yield* Effect.flip(writeTo(fake, shop)))._tag).toBe("ZoneChanged")
        expect(linesOf(fake)).not.toContain("shop.example.com. 3600 CNAME shops.example.net.")
      })
    )

    live("sets that are added and deleted between two pages neither hide nor double another", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith(...addresses(1_200))
        fake.beforeCall({ operation: list, nth: 3 }, () => {
          addSet(fake, { subname: "between", type: "A", ttl: 3600, records: ["192.0.2.9"] })
          changeSets(fake, (sets) => sets.filter(({ subname }) => subname !== "host1199"))
        })
        const { read } = yield* openDesec(fake)
        const hosts = (yield* read).zone.records.flatMap(({ host, type }) => (type === "A" ? [host] : []))
        expect(hosts.toSorted()).toEqual(
          addresses(1_200)
            .map(({ subname }) => subname)
            .toSorted()
        )
      })
    )

    live("a link that leads elsewhere gets no token, and one without a cursor no part of the zone", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith(...addresses(600))
        const atFirstPage = {
          operation: list,
          where: ({ query }: { query: URLSearchParams }) => query.get("cursor") === ""
        }
        const { read } = yield* openDesec(fake)
        fake.injectFault(atFirstPage, {
          change: "not_made",
          answer: page('<https://elsewhere.example/?cursor=abc>; rel="next"')
        })
        yield* read
        expect(fake.calls().map(({ query }) => query)).toContain("cursor=abc")
        fake.heal()
        fake.injectFault(atFirstPage, { change: "not_made", answer: page('<nowhere>; rel="next"') })
        expect(yield* failureOf(read)).toBe("provider_snapshot_failed")
      })
    )
  },

  "minimum TTL is of the domain": () => {
    live("limits come from the opened zone", () =>
      Effect.gen(function* () {
        for (const minimumTtl of [60, 900, 7_200]) {
          const fake = yield* makeFakeDesec({ domains: { [zone]: { ...desecDomain(), minimumTtl } } })
          const opened = yield* openDesec(fake)
          expect(opened.limits.ttl).toEqual({ minimum: minimumTtl, maximum: 86_400 })
          const snapshot = yield* opened.read
          const { changes } = planFrom(snapshot, resolvedIntentOf(zone, { desired: ["www 30 A 192.0.2.1"] }), opened)
          yield* sendWrites(snapshot, changes, opened)
          expect(linesOf(fake)).toContain(`www.example.com. ${minimumTtl} A 192.0.2.1`)
        }
      })
    )

    live("a set whose TTL is from a time with a lower minimum keeps it, and can be changed", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith({ subname: "www", type: "A", ttl: 60, records: ["192.0.2.1", "192.0.2.2"] })
        const before = { host: "www", type: "A", value: "192.0.2.1", ttl: 60, optional: false }
        yield* writeTo(fake, { action: "delete", before, destructive: true })
        expect(linesOf(fake)).toContain("www.example.com. 60 A 192.0.2.2")
        expect(fake.calls().at(-1)?.body).toEqual([{ subname: "www", type: "A", records: ["192.0.2.2"] }])
      })
    )
  },

  "Retry-After of an hour is more than a customer waits": () => {
    const hour = { change: "not_made", answer: throttled(3_600_000) } as const
    for (const [nth, step] of ["opening", "reading", "comparing"].entries())
      live(`${step} fails with provider_rate_limited at once, without a retry`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeWith()
          fake.injectFault({ method: "GET", nth: nth + 1 }, hour)
          const failure = yield* Effect.flip(writeTo(fake, shop))
          expect(failure).toMatchObject({ code: "provider_rate_limited", retryAfter: Duration.hours(1) })
          expect(fake.calls()).toHaveLength(nth + 1)
        })
      )

    live("writing fails with provider_rate_limited at once, without a retry", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith()
        fake.injectFault({ method: "PATCH" }, hour)
        const failure = yield* Effect.flip(writeTo(fake, shop))
        expect(failure).toMatchObject({ _tag: "ProviderFailure", code: "provider_rate_limited" })
        expect(failure).toMatchObject({ retryAfter: Duration.hours(1) })
        expect(fake.calls().filter(({ method }) => method === "PATCH")).toHaveLength(1)
      })
    )
  },

  // deSEC's documentation, "Retrieving and Creating DNS Records" (docs/dns/rrsets.rst), `records`: values "that are not given
  // in canonical form [...] will be converted by the API into canonical form".
  "signed always; values are normalised by the server": () => {
    live("uppercase and IPv6 spellings: next plan is empty", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith()
        const opened = yield* openDesec(fake)
        const intent = resolvedIntentOf(zone, {
          desired: [
            "V6 300 AAAA 2001:0DB8:0:0::FFFF:192.0.2.1",
            "WWW 300 CNAME Web.HostProv.NET.",
            "@ 300 MX 010 MX1.MailProv.net",
            '@ 300 CAA 0 ISSUE "LetsEncrypt.org"',
            "@ 300 TXT Größe"
          ]
        })
        const snapshot = yield* opened.read
        yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
        expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
      })
    )
  }
}

for (const [trap, declare] of Object.entries(traps)) describe(trap, declare)

const DesecFacts = Schema.Struct({
  vendors: Schema.Array(
    Schema.Struct({ id: Schema.String, traps: Schema.Array(Schema.Struct({ trap: Schema.String })) })
  )
})

describeIfPossible("the facts about deSEC", missingVendorData, () =>
  test("have these traps and no others", async () => {
    const facts = Schema.decodeUnknownSync(DesecFacts)(await Bun.file(`${vendorData}vendor-facts.json`).json())
    const known = facts.vendors.find(({ id }) => id === "desec")?.traps.map(({ trap }) => trap)
    expect(known).toEqual(Object.keys(traps))
  })
)
