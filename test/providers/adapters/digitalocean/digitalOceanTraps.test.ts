import { describe, expect, test } from "bun:test"
import { Duration, Effect, type Scope } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import type { ProviderFailure } from "../../../../src/providers/ProviderFailure.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { makeVirtualTime } from "../../../support/vendors/virtualTime.ts"
import { failureOf, openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  type DigitalOceanState,
  digitalOceanState,
  makeFakeDigitalOcean,
  readOnlyToken,
  tooManyRequests
} from "./FakeDigitalOcean.ts"
import { credentialOf, digitalOceanUnderTest, zone } from "./digitalOceanUnderTest.ts"

type DigitalOceanFake = FakeVendor<DigitalOceanState>

const www = { type: "A", name: "www", data: "192.0.2.1", ttl: 300 }
const hosts = (count: number) => Array.from({ length: count }, (_, index) => ({ ...www, name: `host${index}` }))

const makeFake = (records: Parameters<typeof digitalOceanState>[0][string] = [www]) =>
  makeFakeDigitalOcean(digitalOceanState({ [zone]: records }))

const open = (fake: DigitalOceanFake, request: Partial<Parameters<typeof openZone>[1]> = {}) =>
  openZone(digitalOceanUnderTest(fake), request)

/** Applies the plan for the desired records; returns what is then still planned. */
const applyAndPlanAgain = (fake: DigitalOceanFake, desired: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const opened = yield* open(fake)
    const intent = resolvedIntentOf(zone, { desired, policy: { validateCAA: false } })
    const snapshot = yield* opened.read
    const { changes } = planFrom(snapshot, intent, opened)
    expect(changes.length).toBeGreaterThan(0)
    yield* sendWrites(snapshot, changes, opened)
    return planFrom(yield* opened.read, intent, opened).changes
  })

const create = (type: string, value: string): Change => ({
  action: "create",
  after: { host: "new", type, value, ttl: 300, optional: false },
  destructive: false
})

const wwwRecord = { host: "www", type: "A", value: "192.0.2.1", ttl: 300, optional: false }

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  'target equal to the zone is read as "@"': () =>
    Effect.gen(function* () {
      const fake = yield* makeFake([])
      expect(
        yield* applyAndPlanAgain(fake, [
          `www 300 CNAME ${zone}`,
          `mail 300 MX 10 ${zone}`,
          `_s._tcp 300 SRV 1 2 3 ${zone}`
        ])
      ).toEqual([])
      expect(
        fake
          .state()
          .zones[zone]?.slice(-3)
          .map(({ data }) => data)
      ).toEqual(["@", "@", "@"])
    }),

  "CAA target needs a trailing dot on write only": () =>
    Effect.gen(function* () {
      const fake = yield* makeFake([])
      const desired = ['@ 300 CAA 0 issue "ca.example"', '@ 300 CAA 128 iodef "mailto:security@example.com"']
      expect(yield* applyAndPlanAgain(fake, desired)).toEqual([])
      expect(fake.calls().flatMap(({ body }) => body ?? [])).toMatchObject([
        { data: "ca.example.", flags: 0, tag: "issue" },
        { data: "mailto:security@example.com", flags: 128, tag: "iodef" }
      ])
    }),

  "TXT limit counts quotes and escapes of the encoded form (about 512)": () =>
    Effect.gen(function* () {
      const fake = yield* makeFake([])
      expect(yield* applyAndPlanAgain(fake, [`s1._domainkey 300 TXT ${"k".repeat(410)}`])).toEqual([])
      const opened = yield* open(fake)
      const snapshot = yield* opened.read
      for (const [text, isStored] of [
        ["k".repeat(504), true],
        ["k".repeat(505), false],
        [`"${"k".repeat(502)}`, true],
        [`"${"k".repeat(503)}`, false],
        ["ä".repeat(251), true],
        ["ä".repeat(253), false],
        ["back\\slash", false]
      ] as const)
        expect([text, snapshot.planWrites([create("TXT", text)])._tag]).toEqual([text, isStored ? "Right" : "Left"])
    }),

  "default page is 20 records; a page can shift while reading": () =>
    Effect.gen(function* () {
      const fake = yield* makeFake(hosts(446))
      const opened = yield* open(fake)
      expect((yield* opened.read).zone.records).toHaveLength(450)
      // The first two are compared in the end.
      expect(listCalls(fake)).toEqual([1, 2, 3, 1, 2].map((page) => `page=${page}&per_page=200`))

      fake.beforeCall({ where: ({ query }) => query.get("page") === "2", nth: 1 }, () => removeRecord(fake, "host7"))
      const { zone: read } = yield* opened.read
      expect(read.records).toHaveLength(449)
      expect(new Set(read.records.map(({ host, value }) => `${host} ${value}`)).size).toBe(449)
      expect(listCalls(fake).slice(5, 8)).toEqual(["page=1&per_page=200", "page=2&per_page=200", "page=1&per_page=200"])

      fake.beforeCall({ where: ({ query }) => query.get("page") === "2" }, () =>
        removeRecord(fake, `host${fake.calls().length + 10}`)
      )
      expect(yield* failureOf(opened.read)).toBe("provider_snapshot_failed")
    })
}

const listCalls = (fake: DigitalOceanFake) =>
  fake
    .calls()
    .filter(({ operation }) => operation?.endsWith("/records"))
    .map(({ query }) => query)

const removeRecord = (fake: DigitalOceanFake, name: string) =>
  fake.update((state) => ({
    ...state,
    zones: { [zone]: (state.zones[zone] ?? []).filter((record) => record.name !== name) }
  }))

/** The codes while the zone is opened, read and written. */
const errors = [
  { status: 401, id: "unauthorized", codes: ["credential_invalid", "credential_invalid", "credential_invalid"] },
  {
    status: 403,
    id: "forbidden",
    codes: ["authorization_insufficient_scope", "authorization_insufficient_scope", "authorization_insufficient_scope"]
  },
  {
    status: 404,
    id: "not_found",
    codes: ["authorization_zone_mismatch", "authorization_zone_mismatch", "authorization_zone_mismatch"]
  },
  {
    status: 422,
    id: "unprocessable_entity",
    codes: ["provider_unavailable", "provider_snapshot_failed", "apply_rejected"]
  },
  {
    status: 429,
    id: "too_many_requests",
    codes: ["provider_rate_limited", "provider_rate_limited", "provider_rate_limited"]
  },
  { status: 500, id: "server_error", codes: ["provider_unavailable", "provider_unavailable", "unknown"] },
  { status: 504, id: "gateway_timeout", codes: ["provider_unavailable", "provider_unavailable", "unknown"] }
]

const phases = { opening: "GET /v2/domains/{domain_name}", reading: "GET /v2/domains/{domain_name}/records" } as const

describeIfPossible("at DigitalOcean", missingVendorData, () => {
  describe("trap:", () => {
    for (const [words, body] of Object.entries(traps)) live(words, body)

    test("each one of the vendor's facts is tested here", async () => {
      const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
      const facts = Object.values<any>(vendors).find(({ id }) => id === "digitalocean")
      expect(Object.keys(traps)).toEqual(facts.traps.map(({ trap }: { readonly trap: string }) => trap))
    })
  })

  for (const { codes, id, status } of errors) {
    const answer = { status, body: { id, message: "no" } }
    for (const [index, phase] of (["opening", "reading"] as const).entries())
      live(`${status} ${id} while ${phase} is ${codes[index]}`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFake()
          fake.injectFault({ operation: phases[phase] }, { change: "not_made", answer })
          expect(yield* failureOf(Effect.flatMap(open(fake), ({ read }) => read))).toMatch(codes[index] ?? "none")
        })
      )

    live(`${status} ${id} to a new record is ${codes[2]}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFake()
        fake.injectFault({ method: "POST" }, { change: "not_made", answer })
        const snapshot = yield* Effect.flatMap(open(fake), ({ read }) => read)
        const failure = yield* Effect.flip(sendWrites(snapshot, [create("A", "192.0.2.2")]))
        expect(failure._tag === "OutcomeUnknown" ? "unknown" : (failure as ProviderFailure).code).toBe(codes[2] ?? "")
      })
    )
  }

  live("a limit that lasts a minute says how long to wait", () =>
    Effect.gen(function* () {
      const fake = yield* makeFake()
      const answer = { ...tooManyRequests, headers: { ...tooManyRequests.headers, "retry-after": "7" } }
      fake.injectFault({ operation: phases.reading }, { change: "not_made", answer })
      const failure = yield* Effect.flip(Effect.flatMap(open(fake), ({ read }) => read))
      expect(failure).toMatchObject({ code: "provider_rate_limited" })
      expect(Duration.toSeconds(failure.retryAfter ?? 0)).toBe(7)
    })
  )

  for (const [about, change] of [
    ["replaced", { action: "update" as const, after: { ...wwwRecord, value: "192.0.2.2" } }],
    ["deleted", { action: "delete" as const }]
  ] as const)
    live(`a record that is gone when it is ${about} is a zone that has changed`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFake()
        const snapshot = yield* Effect.flatMap(open(fake), ({ read }) => read)
        fake.beforeCall({ where: ({ method }) => method !== "GET" }, () => removeRecord(fake, "www"))
        const failure = yield* Effect.flip(sendWrites(snapshot, [{ before: wwwRecord, destructive: true, ...change }]))
        expect(failure._tag).toBe("ZoneChanged")
      })
    )

  live("an alias that took the name just before the write is a zone that has changed", () =>
    Effect.gen(function* () {
      const fake = yield* makeFake()
      const adapter = digitalOceanUnderTest(fake)
      const snapshot = yield* Effect.flatMap(open(fake), ({ read }) => read)
      const alias = { name: `new.${zone}.`, type: "CNAME", ttl: 300, data: "web.hostprov.net." }
      fake.beforeCall({ method: "POST" }, () => Effect.runPromise(adapter.replaceSets([alias])))
      const failure = yield* Effect.flip(sendWrites(snapshot, [create("A", "192.0.2.2")]))
      expect(failure._tag).toBe("ZoneChanged")
    })
  )

  live("a token that may only read opens and reads the zone, and its writes lack a scope", () =>
    Effect.gen(function* () {
      const fake = yield* makeFake()
      const snapshot = yield* Effect.flatMap(
        open(fake, { credential: credentialOf(readOnlyToken) }),
        ({ read }) => read
      )
      const write = sendWrites(snapshot, [create("A", "192.0.2.2")])
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
        const fake = yield* makeFake(hosts(300))
        const snapshot = yield* Effect.flatMap(open(fake), ({ read }) => read)
        const calls = fake.calls().length
        yield* sendWrites(snapshot, [{ action: "create", after: { ...wwwRecord, host }, destructive: false }])
        const [first] = fake.calls().slice(calls)
        expect(first?.query).toBe(query)
      })
    )

  live("10,000 records are read within 250 calls a minute and half a minute", () =>
    Effect.gen(function* () {
      const time = makeVirtualTime()
      const fake = yield* makeFakeDigitalOcean(digitalOceanState({ [zone]: hosts(9_996) }), { clock: time.now })
      const http = time.track(httpClientFor(fake), fake)
      const adapter = digitalOceanUnderTest(fake, { http })
      const began = time.now()
      const { records } = yield* openZone(adapter, { domain: DomainName.make(zone) }).pipe(
        Effect.flatMap(({ read }) => read),
        Effect.map((snapshot) => snapshot.zone),
        time.run
      )
      expect([records.length, fake.calls().length]).toEqual([10_000, 54])
      const times = fake
        .calls()
        .slice(1)
        .map(({ now }) => now)
      const pauses = times.slice(1).map((now, index) => now - (times[index] ?? 0))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(60_000 / 250)
      expect(time.now() - began).toBeLessThan(30_000)
    })
  )
})
