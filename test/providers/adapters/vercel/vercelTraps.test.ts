import { expect } from "bun:test"
import { Effect, type Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  createChange,
  deleteChange,
  editRecords,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { error, vercel, type VercelData } from "./vercel.ts"

const ofSystem = (type: string, value: string, id: string) => ({
  id,
  name: zone,
  type,
  ttl: 60,
  data: { value, creator: "system" }
})

/** Records that Vercel keeps in a zone. */
const systemRecords = [
  ofSystem("ALIAS", "cname.vercel-dns.com.", "1"),
  ofSystem("CAA", '0 issue "letsencrypt.org"', "2")
]

const manyRecords = (count: number, created?: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `h${index}.${zone}`,
    type: "A",
    ttl: 60,
    data: { value: "192.0.2.1", ...(created === undefined ? {} : { created }) }
  }))

/** The vendor where the zone is of a team: calls without its id are about another account. */
const ofTeam = (teamId: string): VendorDescription<VercelData> => ({
  ...vercel.vendor,
  authenticate: (headers, call, request) => {
    const refused = vercel.vendor.authenticate(headers, call, request)
    const asked = call.query.get("teamId")
    if (refused !== undefined || call.path === "/v2/teams" || asked === teamId) return refused
    return asked === null
      ? error(403, "forbidden", 'Not authorized: Trying to access resource under scope "crumb".', { saml: true })
      : error(404, "not_found", "Domain name not found")
  },
  operations: {
    ...vercel.vendor.operations,
    "GET /v2/teams": () => ({ status: 200, body: { teams: [{ id: "team_a" }, { id: "team_b" }] } })
  }
})

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  "records with creator system cannot be changed; an own record overrides them": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      editRecords(fake, () => systemRecords)
      const opened = yield* openAt(vercel, fake)
      const snapshot = yield* opened.read
      expect(snapshot.zone.records.map(({ locked, type }) => [type, locked])).toEqual([
        ["CAA", "fixed"],
        ["ALIAS", "overridable"]
      ])
      const intent = resolvedIntentOf(zone, {
        desired: ["@ 600 A 192.0.2.1", '@ 600 CAA 0 issue "ca.example"', '@ 600 CAA 0 issue "letsencrypt.org"']
      })
      const { changes } = planFrom(snapshot, intent, opened)
      expect(changes.map(({ action, after }) => [action, after?.type, after?.value])).toEqual([
        ["create", "A", "192.0.2.1"],
        ["create", "CAA", '0 issue "ca.example"']
      ])
      yield* sendWrites(snapshot, changes, opened)
      expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
      expect(recordsIn(fake).slice(0, 2)).toEqual(systemRecords)
    }),

  "type cannot be changed by PATCH": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel, "www 3600 A 192.0.2.1")
      const [first, second] = [recordAt("www", "A", "192.0.2.1"), recordAt("www", "A", "192.0.2.2")]
      yield* writeAt(vercel, fake, updateChange(first, second))
      yield* writeAt(vercel, fake, updateChange(second, recordAt("www", "CNAME", "shops.example.net")))
      expect(writesTo(fake).map(({ body, method }) => [method, body])).toEqual([
        ["PATCH", { name: "www", ttl: 3600, value: "192.0.2.2" }],
        ["DELETE", undefined],
        ["POST", { type: "CNAME", name: "www", ttl: 3600, value: "shops.example.net" }]
      ])
    }),

  "paging by timestamp can skip records of one millisecond": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel, manyRecords(300))
      const { zone: read } = yield* Effect.flatMap(openAt(vercel, fake), ({ read }) => read)
      expect(new Set(read.records.map(({ host }) => host)).size).toBe(300)
      const atOnce = yield* makeFakeOf(vercel, manyRecords(120, Date.UTC(2026, 0, 1)))
      const opened = yield* openAt(vercel, atOnce)
      expect(yield* Effect.flip(opened.read)).toMatchObject({
        code: "provider_snapshot_failed",
        detail: expect.stringContaining("one millisecond")
      })
    }),

  "403 is also a bad token": () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      for (const credential of vercel.wrongCredentials.slice(0, 1))
        expect(yield* failureOf(openAt(vercel, fake, { credential }))).toBe("credential_invalid")
      expect(fake.calls()).toHaveLength(1)
    })
}

describeIfPossible("at Vercel", missingVendorData, () => {
  testTraps("vercel", traps)

  live("a zone of a team is found among the teams, and each call says which team it is", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf({ vendor: ofTeam("team_b") }, "www 3600 A 192.0.2.1")
      yield* writeAt(vercel, fake, deleteChange(recordAt("www", "A", "192.0.2.1")))
      yield* writeAt(vercel, fake, createChange(recordAt("www", "A", "192.0.2.2")))
      expect(recordsIn(fake)).toMatchObject([{ data: { value: "192.0.2.2" } }])
      const calls = fake
        .calls()
        .map(({ path, query }) => [path.split("/")[1], new URLSearchParams(query).get("teamId")])
      expect(calls.slice(0, 5)).toEqual([
        ["v5", null],
        ["v2", null],
        ["v5", "team_a"],
        ["v5", "team_b"],
        ["v4", "team_b"]
      ])
      expect(writesTo(fake)).toHaveLength(2)
    })
  )

  live("a domain that Vercel does not serve, or that others serve too, is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      for (const nameServers of [["ns1.vercel-dns.com.evil.example"], ["ns1.vercel-dns.com", "ns1.other.example"], []])
        expect(yield* failureOf(openAt(vercel, fake, { nameServers }))).toBe("authorization_zone_mismatch")
      yield* openAt(vercel, fake, { nameServers: ["NS1.vercel-dns.com."] })
      const domain = { serviceType: "external", intendedNameservers: vercel.nameServers }
      fake.injectFault(
        { operation: "GET /v5/domains/{domain}" },
        { change: "not_made", answer: { status: 200, body: { domain } } }
      )
      expect(yield* failureOf(openAt(vercel, fake))).toBe("authorization_zone_mismatch")
    })
  )

  live("a priority stands beside an MX and in the parts of an SRV, and texts stay as they are", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      const records = [
        recordAt("@", "MX", "mail.example.net", { priority: 10 }),
        recordAt("_sip._tcp", "SRV", "20 5060 sip.example.net", { priority: 5 }),
        recordAt("@", "TXT", String.raw`say "hi" \o`),
        recordAt("@", "CAA", '0 issue "ca.example; cansignhttpexchanges=yes"')
      ]
      for (const record of records) yield* writeAt(vercel, fake, createChange(record))
      expect(writesTo(fake).map(({ body }: any) => body)).toEqual([
        { type: "MX", name: "", ttl: 3600, value: "mail.example.net", mxPriority: 10 },
        {
          type: "SRV",
          name: "_sip._tcp",
          ttl: 3600,
          srv: { priority: 5, weight: 20, port: 5060, target: "sip.example.net" }
        },
        { type: "TXT", name: "", ttl: 3600, value: String.raw`say "hi" \o` },
        { type: "CAA", name: "", ttl: 3600, value: '0 issue "ca.example; cansignhttpexchanges=yes"' }
      ])
      for (const record of records) yield* writeAt(vercel, fake, deleteChange(record))
      expect(recordsIn(fake)).toEqual([])
    })
  )
})
