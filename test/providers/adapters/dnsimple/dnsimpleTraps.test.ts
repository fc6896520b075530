import { expect } from "bun:test"
import { Effect } from "effect"
import { catalogAdapters } from "../../../../src/providers/catalog/catalogAdapters.ts"
import { applyFailureOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import type { VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { failureOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  createChange,
  deleteChange,
  type DescribedFake,
  editRecords,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { planFor } from "../planFor.ts"
import { testAtFake, testRefusedBodies, testTraps } from "../vendorTests.ts"
import { accountId, aZone, dnsimple, dnsimpleVendor, type DnsimpleData, error, validToken } from "./dnsimple.ts"

/** The vendor for the token of a person who has access to these accounts. */
const ofPerson = (
  accounts: ReadonlyArray<number>,
  answers: VendorDescription<DnsimpleData>["operations"] = {}
): VendorDescription<DnsimpleData> => ({
  ...dnsimpleVendor,
  operations: {
    ...dnsimpleVendor.operations,
    "GET /whoami": () => ({ status: 200, body: { data: { account: null, user: anybody } } }),
    "GET /accounts": () => ({
      status: 200,
      body: { data: accounts.map((id) => ({ ...anybody, id, plan_identifier: "teams-v1-monthly" })) }
    }),
    ...answers
  }
})

const anybody = { id: 1, email: "crumb@example.com", created_at: aZone.created_at, updated_at: aZone.updated_at }

/** Answers to the question for the zone: this one in another account, and the own ones else. */
const refusedBy = (status: number): VendorDescription<DnsimpleData>["operations"] => {
  const own = dnsimpleVendor.operations["GET /{account}/zones/{zone}"]
  return {
    "GET /{account}/zones/{zone}": (call, state) =>
      call.pathParameters["account"] === String(accountId) && own !== undefined
        ? own(call, state)
        : error(status, "Permission Denied. Required Scope: zones:*:read")
  }
}

/** Why the service writes nothing of a plan for this record. */
const failureToWrite = (fake: DescribedFake<DnsimpleData>, desired: string) =>
  Effect.gen(function* () {
    const request = yield* planFor(underTest(dnsimple, fake), [desired])
    const { code, hasWrites } = yield* withPlanApplierOnRealClock(applyFailureOf(request))
    return hasWrites ? "written" : code
  })

/** Tests by the words of `vendor-facts.json`. */
testTraps(dnsimple, {
  "a write without integrated_zones also goes to integrated providers (Route 53 …)": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple)
    yield* writeAt(dnsimple, fake, createChange(address(1)))
    yield* writeAt(dnsimple, fake, updateChange(address(1), address(2)))
    expect(writesTo(fake).map(({ body, method }: any) => [method, body.integrated_zones])).toEqual([
      ["POST", ["dnsimple"]],
      ["PATCH", ["dnsimple"]]
    ])
  }),

  "system_record and parent_id records are not modifiable": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple, "@ 3600 CNAME shops.example.net.")
    const before = recordsIn(fake)
    expect(before.at(-1)).toMatchObject({ type: "ALIAS" })
    const read = yield* readAt(dnsimple, fake)
    expect(read.map(({ locked, type }) => [type, locked])).toEqual([
      ["SOA", "fixed"],
      ...Array(4).fill(["NS", "fixed"]),
      ["ALIAS", undefined]
    ])
    expect(yield* applyDesired(dnsimple, fake, ["@ 600 TXT hello", "@ 600 MX 10 mail.example.net"])).toEqual([])
    expect(recordsIn(fake).slice(0, before.length)).toEqual(before)
    expect(writesTo(fake).map(({ method }) => method)).toEqual(["POST", "POST"])
    yield* writeAt(dnsimple, fake, deleteChange(recordAt("@", "ALIAS", "shops.example.net")))
    expect(recordsIn(fake).map(({ type }) => type)).not.toContain("ALIAS")
  }),

  "PATCH without priority keeps the old one; 0 must be sent": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple, "@ 3600 MX 10 mail.example.net.")
    const before = recordAt("@", "MX", "mail.example.net", { priority: 10 })
    yield* writeAt(dnsimple, fake, updateChange(before, recordAt("@", "MX", ".", { priority: 0 })))
    expect(writesTo(fake)).toMatchObject([{ method: "PATCH", body: { content: ".", priority: 0 } }])
    expect((yield* readAt(dnsimple, fake)).at(-1)).toMatchObject({ type: "MX", priority: 0, value: "." })
  }),

  "regions: a record may be served in some places only": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(
      dnsimple,
      [["SV1", "IAD"], ["global"], []].map((regions, index) =>
        storedAt(`www${index}`, "A", { content: "192.0.2.1", priority: null, regions })
      )
    )
    const addresses = (yield* readAt(dnsimple, fake)).filter(({ type }) => type === "A")
    expect(addresses.map(({ locked }) => locked)).toEqual(["fixed", undefined, undefined])
    expect(yield* failureToWrite(fake, "www0 600 A 192.0.2.2")).toBe("provider_record_locked")
    expect(writesTo(fake)).toEqual([])
    expect(yield* applyDesired(dnsimple, fake, ["www1 600 A 192.0.2.2", "www2 600 A 192.0.2.2"])).toEqual([])
    expect(catalogAdapters["dnsimple"]?.limitations?.join(" ")).toContain("limited to some regions")
  }),

  "two account kinds of token": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf({ vendor: ofPerson([123, accountId]) })
    yield* writeAt(dnsimple, fake, createChange(address(1)))
    expect(
      fake
        .calls()
        .map(({ path }) => path)
        .slice(0, 5)
    ).toEqual([
      "/whoami",
      "/accounts",
      `/123/zones/${zone}`,
      `/${accountId}/zones/${zone}`,
      `/${accountId}/zones/${zone}/records`
    ])
    expect(recordsIn(fake).at(-1)).toMatchObject({ type: "A", data: { content: "192.0.2.1" } })
    const ofAccount = yield* makeFakeOf(dnsimple)
    yield* openAt(dnsimple, ofAccount)
    expect(ofAccount.calls().map(({ path }) => path)).not.toContain("/accounts")
  })
})

testAtFake(dnsimple, {
  "an account that refuses hides no zone of another one, and says why where there is none": Effect.fnUntraced(
    function* () {
      for (const [status, code] of [
        [402, "account_not_entitled"],
        [403, "authorization_insufficient_scope"]
      ] as const) {
        const found = yield* makeFakeOf({ vendor: ofPerson([123, accountId], refusedBy(status)) })
        yield* openAt(dnsimple, found)
        const hidden = yield* makeFakeOf({ vendor: ofPerson([123], refusedBy(status)) })
        expect(yield* failureOf(openAt(dnsimple, hidden))).toBe(code)
      }
      const failing = yield* makeFakeOf({ vendor: ofPerson([123, accountId], refusedBy(504)) })
      failing.takeViolations()
      expect(yield* failureOf(openAt(dnsimple, failing))).toBe("provider_unavailable")
      failing.takeViolations()
    }
  ),

  "a zone is opened where it is served: not if it is switched off, a copy, or delegated elsewhere": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(dnsimple)
      const answerBy = (more: object) =>
        fake.injectFault(
          { where: ({ path }) => path.endsWith(`/zones/${zone}`) },
          { change: "not_made", answer: { status: 200, body: { data: { ...aZone, name: zone, ...more } } } }
        )
      answerBy({ active: false })
      expect(yield* failureOf(openAt(dnsimple, fake))).toBe("authorization_zone_mismatch")
      fake.heal()
      answerBy({ secondary: true })
      expect(yield* failureOf(openAt(dnsimple, fake))).toBe("provider_zone_locked")
      fake.heal()
      const nameServers = ["ns1.vanity.example", "NS2.vanity.example."]
      expect(yield* failureOf(openAt(dnsimple, fake, { nameServers }))).toBe("authorization_zone_mismatch")
      editRecords(fake, (records) => [
        ...records.filter(({ type }) => type !== "NS"),
        ...["ns1.vanity.example", "ns2.vanity.example"].map((content, index) => ({
          ...{ id: String(index), name: zone, type: "NS", ttl: 3600 },
          data: { content, priority: null, isOfSystem: true as const }
        }))
      ])
      yield* openAt(dnsimple, fake, { nameServers })
    }
  ),

  "a redirect and a pool are left as they are, and stand in the way as what they answer": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(dnsimple, [
        storedAt("go", "URL", { content: "https://www.example.net/", priority: null }),
        storedAt("pool", "POOL", { content: "a.example.net", priority: null })
      ])
      expect((yield* readAt(dnsimple, fake)).slice(-2)).toMatchObject([
        { host: "go", type: "ALIAS", locked: "fixed" },
        { host: "pool", type: "CNAME", locked: "fixed" }
      ])
      for (const line of ["go 600 A 192.0.2.1", "go 600 CNAME a.example.net", "pool 600 A 192.0.2.1"])
        expect(yield* failureToWrite(fake, line)).toBe("provider_record_locked")
      expect(yield* applyDesired(dnsimple, fake, ["go 600 TXT beside"])).toEqual([])
    }
  ),

  "a text is written in quotes, and one from before November 2023 is read without them": Effect.fnUntraced(
    function* () {
      const fake = yield* makeFakeOf(dnsimple)
      const end = `and ä; ${"k".repeat(400)}`
      yield* writeAt(dnsimple, fake, createChange(recordAt("say", "TXT", `say "hi" to C:\\ ${end}`)))
      expect(writesTo(fake)).toMatchObject([{ body: { content: `"say \\"hi\\" to C:\\\\ ${end}"` } }])
      const former = { ...storedAt("old", "TXT", { content: "v=spf1 -all", priority: null }), id: "7" }
      editRecords(fake, (records) => [...records, former])
      const texts = (yield* readAt(dnsimple, fake)).flatMap(({ type, value }) => (type === "TXT" ? value : []))
      expect(texts).toEqual(["v=spf1 -all", `say "hi" to C:\\ ${end}`])
    }
  ),

  "a record is replaced in its place, and an alias at the apex is an ALIAS": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple, "www 3600 A 192.0.2.1")
    const id = recordsIn(fake).at(-1)?.id
    yield* writeAt(dnsimple, fake, updateChange(address(1), address(2)))
    expect(recordsIn(fake).at(-1)).toMatchObject({ id, data: { content: "192.0.2.2" } })
    yield* writeAt(dnsimple, fake, createChange(recordAt("@", "CNAME", "shops.example.net")))
    yield* writeAt(dnsimple, fake, updateChange(address(2), recordAt("www", "CNAME", "shops.example.net")))
    expect(writesTo(fake).map(({ body, method }: any) => [method, body?.type, body?.name])).toEqual([
      ["PATCH", undefined, "www"],
      ["POST", "ALIAS", ""],
      ["DELETE", undefined, undefined],
      ["POST", "CNAME", "www"]
    ])
  }),

  "a guard before a write asks for the name, and at the apex for the whole zone": Effect.fnUntraced(function* () {
    for (const [host, query] of [
      ["new", "sort=id%3Aasc&name=new&page=1&per_page=100"],
      ["@", "sort=id%3Aasc&page=1&per_page=100"]
    ] as const) {
      const fake = yield* makeFakeOf(dnsimple, hostLines(250))
      const snapshot = yield* Effect.flatMap(openAt(dnsimple, fake), ({ read }) => read)
      const calls = fake.calls().length
      yield* sendWrites(snapshot, [createChange(recordAt(host, "A", "192.0.2.7"))])
      expect(fake.calls()[calls]?.query).toBe(query)
    }
  })
})

const records = `/${accountId}/zones/${zone}/records`

testRefusedBodies(
  dnsimple,
  { path: records, headers: { authorization: `Bearer ${validToken}` }, status: 400 },
  {
    "a type that the adapter leaves to others": { type: "HINFO", name: "a", content: "cpu os" },
    "a TTL below 60": { type: "A", name: "www", content: "192.0.2.1", ttl: 59 },
    "an empty text": { type: "TXT", name: "a", content: '""' },
    "a text of more than 1,000 characters": { type: "TXT", name: "a", content: "k".repeat(999) },
    "name servers at the apex": { type: "NS", name: "", content: "ns1.other.example" }
  }
)
