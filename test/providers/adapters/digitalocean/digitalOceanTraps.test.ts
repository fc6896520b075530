import { expect } from "bun:test"
import { Effect, Either } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  applyDesired,
  callFake,
  createChange,
  type DescribedFake,
  editRecords,
  hostLines,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  zone
} from "../DescribedAdapter.ts"
import { readInVirtualTime } from "../readInVirtualTime.ts"
import { testRefusedBodies, testTraps } from "../vendorTests.ts"
import { digitalOcean, type DigitalOceanData, validToken } from "./digitalOcean.ts"

type DigitalOceanFake = DescribedFake<DigitalOceanData>

const records = `/v2/domains/${zone}/records`
const headers = { authorization: `Bearer ${validToken}` }

const listCalls = (fake: DigitalOceanFake) =>
  fake.calls().flatMap(({ operation, query }) => (operation?.endsWith("/records") ? query : []))

const removeHost = (fake: DigitalOceanFake, host: string) =>
  editRecords(fake, (records) => records.filter(({ name }) => name !== `${host}.${zone}`))

/** Tests by the words of `vendor-facts.json`. */
testTraps(digitalOcean, {
  'target equal to the zone is read as "@"': Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(digitalOcean)
    const desired = [`www 300 CNAME ${zone}`, `mail 300 MX 10 ${zone}`, `_s._tcp 300 SRV 1 2 3 ${zone}`]
    expect(yield* applyDesired(digitalOcean, fake, desired)).toEqual([])
    expect(recordsIn(fake).slice(-3)).toMatchObject(["@", "@", "@"].map((data) => ({ data: { data } })))
  }),

  "CAA target needs a trailing dot on write only": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(digitalOcean)
    const desired = ['@ 300 CAA 0 issue "ca.example"', '@ 300 CAA 128 iodef "mailto:security@example.com"']
    expect(yield* applyDesired(digitalOcean, fake, desired, { validateCAA: false })).toEqual([])
    expect(fake.calls().flatMap(({ body }) => body ?? [])).toMatchObject([
      { data: "ca.example.", flags: 0, tag: "issue" },
      { data: "mailto:security@example.com", flags: 128, tag: "iodef" }
    ])
  }),

  "TXT limit counts quotes and escapes of the encoded form (about 512)": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(digitalOcean)
    expect(yield* applyDesired(digitalOcean, fake, [`s1._domainkey 300 TXT ${"k".repeat(410)}`])).toEqual([])
    const snapshot = yield* Effect.flatMap(openAt(digitalOcean, fake), ({ read }) => read)
    for (const [text, isStored] of [
      ["k".repeat(504), true],
      ["k".repeat(505), false],
      [`"${"k".repeat(502)}`, true],
      [`"${"k".repeat(503)}`, false],
      ["ä".repeat(251), true],
      ["ä".repeat(253), false],
      ["back\\slash", false]
    ] as const) {
      const writes = snapshot.planWrites([createChange(recordAt("new", "TXT", text))])
      expect([text, Either.isRight(writes)]).toEqual([text, isStored])
    }
  }),

  "default page is 20 records; a page can shift while reading": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(digitalOcean, hostLines(446))
    const opened = yield* openAt(digitalOcean, fake)
    expect((yield* opened.read).zone.records).toHaveLength(450)
    // The first two are compared in the end.
    expect(listCalls(fake)).toEqual([1, 2, 3, 1, 2].map((page) => `page=${page}&per_page=200`))

    fake.beforeCall({ where: ({ query }) => query.get("page") === "2", nth: 1 }, () => removeHost(fake, "host7"))
    const { zone: read } = yield* opened.read
    expect(read.records).toHaveLength(449)
    expect(new Set(read.records.map(({ host, value }) => `${host} ${value}`)).size).toBe(449)
    expect(listCalls(fake).slice(5, 8)).toEqual(["page=1&per_page=200", "page=2&per_page=200", "page=1&per_page=200"])

    fake.beforeCall({ where: ({ query }) => query.get("page") === "2" }, () =>
      removeHost(fake, `host${fake.calls().length + 10}`)
    )
    expect(yield* failureOf(opened.read)).toBe("provider_snapshot_failed")
  })
})

describeIfPossible("at DigitalOcean", missingVendorData, () => {
  for (const [where, host, query] of [
    ["for one name, not for the whole zone", "www", `name=www.${zone}&page=1&per_page=200`],
    ["at the apex for the whole zone, as the filter is not documented there", "@", "page=1&per_page=200"],
    ["at a wildcard for the whole zone", "*", "page=1&per_page=200"]
  ] as const)
    live(`a guard before a write asks ${where}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(digitalOcean, hostLines(300))
        const snapshot = yield* Effect.flatMap(openAt(digitalOcean, fake), ({ read }) => read)
        const calls = fake.calls().length
        yield* sendWrites(snapshot, [createChange(recordAt(host, "A", "192.0.2.1"))])
        expect(fake.calls()[calls]?.query).toBe(query)
      })
    )

  live("10,000 records are read within 250 calls a minute and half a minute", () =>
    Effect.gen(function* () {
      const { calls, elapsed, records, shortestPause } = yield* readInVirtualTime(digitalOcean, hostLines(9_996))
      expect([records.length, calls]).toEqual([10_000, 53])
      expect(shortestPause).toBeGreaterThanOrEqual(60_000 / 250)
      expect(elapsed).toBeLessThan(30_000)
    })
  )

  live("refuses a change of a target that does not name it again with its dot", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean, "a 300 CNAME b.example.net.")
      const id = recordsIn(fake).at(-1)?.id
      const change = { body: { type: "CNAME", ttl: 60 }, headers }
      expect((yield* callFake(fake, "PUT", `${records}/${id}`, change)).status).toBe(422)
    })
  )
})

const creation = { path: records, headers, status: 422 }

testRefusedBodies(digitalOcean, creation, {
  "a target without a dot at its end": { type: "CNAME", name: "a", data: "b.example.net" },
  "a CA without a dot at its end": { type: "CAA", name: "@", data: "ca.example.net", flags: 0, tag: "issue" },
  "a CAA value with a space": { type: "CAA", name: "@", data: "ca.example. a=b.", flags: 0, tag: "issue" },
  "a null MX": { type: "MX", name: "@", data: ".", priority: 0 },
  "an MX without a priority": { type: "MX", name: "@", data: "mail.example.net." },
  "an empty text": { type: "TXT", name: "@", data: "" },
  "a text whose quoted form is longer than 509": { type: "TXT", name: "@", data: "k".repeat(505) },
  "a TTL below 30": { type: "A", name: "www", data: "192.0.2.1", ttl: 29 },
  "a type that it does not have": { type: "TLSA", name: "a", data: "3 1 1 00." },
  "a CNAME beside other records": { type: "CNAME", name: "@", data: "b.example.net." }
})
