import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Either, type Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeVirtualTime } from "../../../support/vendors/virtualTime.ts"
import { failureOf, openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  createChange,
  type DescribedFake,
  editRecords,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  underTest,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { digitalOcean, type DigitalOceanData, readOnlyCredential, validToken } from "./digitalOcean.ts"

type DigitalOceanFake = DescribedFake<DigitalOceanData>

const hosts = (count: number) => Array.from({ length: count }, (_, index) => `host${index} 300 A 192.0.2.1`).join("\n")

/** Applies the plan for the desired records; returns what is then still planned. */
const applyAndPlanAgain = (fake: DigitalOceanFake, desired: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const opened = yield* openAt(digitalOcean, fake)
    const intent = resolvedIntentOf(zone, { desired, policy: { validateCAA: false } })
    const snapshot = yield* opened.read
    const { changes } = planFrom(snapshot, intent, opened)
    expect(changes.length).toBeGreaterThan(0)
    yield* sendWrites(snapshot, changes, opened)
    return planFrom(yield* opened.read, intent, opened).changes
  })

const dataOf = (fake: DigitalOceanFake) => recordsIn(fake).map(({ data }) => data.data)

const listCalls = (fake: DigitalOceanFake) =>
  fake.calls().flatMap(({ operation, query }) => (operation?.endsWith("/records") ? query : []))

const removeHost = (fake: DigitalOceanFake, host: string) =>
  editRecords(fake, (records) => records.filter(({ name }) => name !== `${host}.${zone}`))

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  'target equal to the zone is read as "@"': () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      const desired = [`www 300 CNAME ${zone}`, `mail 300 MX 10 ${zone}`, `_s._tcp 300 SRV 1 2 3 ${zone}`]
      expect(yield* applyAndPlanAgain(fake, desired)).toEqual([])
      expect(dataOf(fake).slice(-3)).toEqual(["@", "@", "@"])
    }),

  "CAA target needs a trailing dot on write only": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      const desired = ['@ 300 CAA 0 issue "ca.example"', '@ 300 CAA 128 iodef "mailto:security@example.com"']
      expect(yield* applyAndPlanAgain(fake, desired)).toEqual([])
      expect(fake.calls().flatMap(({ body }) => body ?? [])).toMatchObject([
        { data: "ca.example.", flags: 0, tag: "issue" },
        { data: "mailto:security@example.com", flags: 128, tag: "iodef" }
      ])
    }),

  "TXT limit counts quotes and escapes of the encoded form (about 512)": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      expect(yield* applyAndPlanAgain(fake, [`s1._domainkey 300 TXT ${"k".repeat(410)}`])).toEqual([])
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

  "default page is 20 records; a page can shift while reading": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean, hosts(446))
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
}

describeIfPossible("at DigitalOcean", missingVendorData, () => {
  testTraps("digitalocean", traps)

  live("an alias that took the name just before the write is a zone that has changed", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      const snapshot = yield* Effect.flatMap(openAt(digitalOcean, fake), ({ read }) => read)
      const alias = { name: `new.${zone}.`, type: "CNAME", ttl: 300, data: "web.hostprov.net." }
      fake.beforeCall({ method: "POST" }, () => Effect.runPromise(underTest(digitalOcean, fake).replaceSets([alias])))
      const failure = yield* Effect.flip(sendWrites(snapshot, [createChange(recordAt("new", "A", "192.0.2.2"))]))
      expect(failure._tag).toBe("ZoneChanged")
    })
  )

  live("a record that is gone when it is replaced is a zone that has changed", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean, "www 300 A 192.0.2.1")
      const snapshot = yield* Effect.flatMap(openAt(digitalOcean, fake), ({ read }) => read)
      fake.beforeCall({ method: "PUT" }, () => removeHost(fake, "www"))
      const [before, after] = ["192.0.2.1", "192.0.2.2"].map((value) => recordAt("www", "A", value, { ttl: 300 }))
      if (before === undefined || after === undefined) throw new Error("two records")
      const failure = yield* Effect.flip(sendWrites(snapshot, [{ action: "update", before, after, destructive: true }]))
      expect(failure._tag).toBe("ZoneChanged")
    })
  )

  live("a token that may only read opens and reads the zone, and its writes lack a scope", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      const opened = yield* openAt(digitalOcean, fake, { credential: readOnlyCredential })
      const write = sendWrites(yield* opened.read, [createChange(recordAt("new", "A", "192.0.2.2"))])
      expect(yield* Effect.flip(write)).toMatchObject({ code: "authorization_insufficient_scope" })
    })
  )

  for (const [where, host, query] of [
    ["for one name, not for the whole zone", "www", `name=www.${zone}&page=1&per_page=200`],
    ["at the apex for the whole zone, as the filter is not documented there", "@", "page=1&per_page=200"],
    ["at a wildcard for the whole zone", "*", "page=1&per_page=200"]
  ] as const)
    live(`a guard before a write asks ${where}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(digitalOcean, hosts(300))
        const snapshot = yield* Effect.flatMap(openAt(digitalOcean, fake), ({ read }) => read)
        const calls = fake.calls().length
        yield* sendWrites(snapshot, [createChange(recordAt(host, "A", "192.0.2.1"))])
        expect(fake.calls()[calls]?.query).toBe(query)
      })
    )

  live("10,000 records are read within 250 calls a minute and half a minute", () =>
    Effect.gen(function* () {
      const time = makeVirtualTime()
      const fake = yield* makeFakeOf(digitalOcean, hosts(9_996), { clock: time.now })
      const adapter = underTest(digitalOcean, fake, { http: time.track(httpClientFor(fake), fake) })
      const began = time.now()
      const { records } = yield* openZone(adapter, {}).pipe(
        Effect.flatMap(({ read }) => read),
        Effect.map((snapshot) => snapshot.zone),
        time.run
      )
      expect([records.length, fake.calls().length]).toEqual([10_000, 54])
      const times = fake.calls().flatMap(({ now }, index) => (index === 0 ? [] : now))
      const pauses = times.slice(1).map((now, index) => now - (times[index] ?? 0))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(60_000 / 250)
      expect(time.now() - began).toBeLessThan(30_000)
    })
  )
})

/** Sends a request to a fake without the adapter. */
const send = (fake: DigitalOceanFake, method: "GET" | "POST" | "PATCH", target: string, body?: unknown) =>
  HttpClientRequest.make(method)(`${fake.baseUrl}/v2/domains/${zone}/records${target}`).pipe(
    HttpClientRequest.bearerToken(validToken),
    body === undefined ? (request) => request : HttpClientRequest.bodyUnsafeJson(body),
    httpClientFor(fake).execute,
    Effect.flatMap((response) => Effect.map(response.json, (json: any) => ({ status: response.status, body: json })))
  )

describeIfPossible("the fake of DigitalOcean", missingVendorData, () => {
  for (const [what, written] of [
    ["a target without a dot at its end", { type: "CNAME", name: "a", data: "b.example.net" }],
    ["a CA without a dot at its end", { type: "CAA", name: "@", data: "ca.example.net", flags: 0, tag: "issue" }],
    ["a CAA value with a space", { type: "CAA", name: "@", data: "ca.example. a=b.", flags: 0, tag: "issue" }],
    ["a null MX", { type: "MX", name: "@", data: ".", priority: 0 }],
    ["an MX without a priority", { type: "MX", name: "@", data: "mail.example.net." }],
    ["an empty text", { type: "TXT", name: "@", data: "" }],
    ["a text whose quoted form is longer than 509", { type: "TXT", name: "@", data: "k".repeat(505) }],
    ["a TTL below 30", { type: "A", name: "www", data: "192.0.2.1", ttl: 29 }],
    ["a type that it does not have", { type: "TLSA", name: "a", data: "3 1 1 00." }],
    ["a CNAME beside other records", { type: "CNAME", name: "@", data: "b.example.net." }]
  ] as const)
    live(`refuses ${what}, and stores nothing`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(digitalOcean)
        const before = fake.state()
        expect((yield* send(fake, "POST", "", written)).status).toBe(422)
        expect(fake.state()).toBe(before)
      })
    )

  live("refuses a change of a target that does not name it again with its dot", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      const created = yield* send(fake, "POST", "", { type: "CNAME", name: "a", data: "b.example.net." })
      const { id } = created.body.domain_record
      expect((yield* send(fake, "PATCH", `/${id}`, { type: "CNAME", ttl: 60 })).status).toBe(422)
    })
  )

  live("lists 20 records a page, at most 200, with links to the pages beside it", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean, hosts(446))
      const { body } = yield* send(fake, "GET", "")
      expect([body.domain_records.length, body.meta.total]).toEqual([20, 450])
      expect(body.links.pages.last).toEndWith("?page=23")
      expect((yield* send(fake, "GET", "?per_page=201")).status).toBe(422)
      expect(fake.takeViolations()).toHaveLength(1)
    })
  )
})
