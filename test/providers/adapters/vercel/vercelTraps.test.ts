import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  apiToken,
  aRead,
  applyDesired,
  createChange,
  deleteChange,
  editRecords,
  hostLines,
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
import { error, vercel, type VercelData, withPagesOf } from "./vercel.ts"

/** Records that Vercel keeps in a zone. */
const systemRecords = [
  { type: "ALIAS", value: "cname.vercel-dns.com." },
  { type: "CAA", value: '0 issue "letsencrypt.org"' }
].map(({ type, value }) => ({ id: type, name: zone, type, ttl: 60, data: { value, creator: "system" } }))

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
testTraps(vercel, {
  "records with creator system cannot be changed; an own record overrides them": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vercel)
    editRecords(fake, () => systemRecords)
    expect((yield* readAt(vercel, fake)).map(({ locked, type }) => [type, locked])).toEqual([
      ["CAA", "fixed"],
      ["ALIAS", "overridable"]
    ])
    const desired = ["@ 600 A 192.0.2.1", '@ 600 CAA 0 issue "ca.example"', '@ 600 CAA 0 issue "letsencrypt.org"']
    expect(yield* applyDesired(vercel, fake, desired)).toEqual([])
    expect(writesTo(fake)).toMatchObject([
      { method: "POST", body: { type: "A", value: "192.0.2.1" } },
      { method: "POST", body: { type: "CAA", value: '0 issue "ca.example"' } }
    ])
    expect(recordsIn(fake).slice(0, 2)).toEqual(systemRecords)
  }),

  "type cannot be changed by PATCH": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vercel, "www 3600 A 192.0.2.1")
    yield* writeAt(vercel, fake, updateChange(address(1), address(2)))
    yield* writeAt(vercel, fake, updateChange(address(2), recordAt("www", "CNAME", "shops.example.net")))
    expect(writesTo(fake).map(({ body, method }) => [method, body])).toEqual([
      ["PATCH", { name: "www", ttl: 3600, value: "192.0.2.2" }],
      ["DELETE", undefined],
      ["POST", { type: "CNAME", name: "www", ttl: 3600, value: "shops.example.net" }]
    ])
  }),

  "paging by timestamp can skip records of one millisecond": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vercel, hostLines(300))
    expect(new Set((yield* readAt(vercel, fake)).map(({ host }) => host)).size).toBe(300)
    const created = Date.UTC(2026, 0, 1)
    editRecords(fake, (records) =>
      records.slice(0, 120).map((record) => ({ ...record, data: { ...record.data, created } }))
    )
    expect(yield* Effect.flip(readAt(vercel, fake))).toMatchObject({
      code: "provider_snapshot_failed",
      detail: expect.stringContaining("one millisecond")
    })
  }),

  "403 is also a bad token": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(vercel)
    expect(yield* failureOf(openAt(vercel, fake, { credential: apiToken("wrong") }))).toBe("credential_invalid")
    expect(fake.calls()).toHaveLength(1)
  })
})

describeIfPossible("at Vercel", missingVendorData, () => {
  live("a zone of a team is found among the teams, and each call says which team it is", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf({ vendor: ofTeam("team_b") }, "www 3600 A 192.0.2.1")
      yield* writeAt(vercel, fake, deleteChange(address(1)))
      yield* writeAt(vercel, fake, createChange(address(2)))
      expect(recordsIn(fake)).toMatchObject([{ data: { value: "192.0.2.2" } }])
      const calls = fake.calls().map(({ path, query }) => `${path} ${new URLSearchParams(query).get("teamId")}`)
      expect(calls.slice(0, 5)).toEqual([
        `/v5/domains/${zone} null`,
        "/v2/teams null",
        `/v5/domains/${zone} team_a`,
        `/v5/domains/${zone} team_b`,
        `/v4/domains/${zone}/records team_b`
      ])
      expect(writesTo(fake)).toHaveLength(2)
    })
  )

  live("a zone is read to its end, whatever size of pages Vercel chooses", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf({ vendor: withPagesOf(50) }, hostLines(120))
      expect(yield* readAt(vercel, fake)).toHaveLength(120)
    })
  )

  live("a domain that Vercel does not serve is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      const body = { domain: { serviceType: "external", intendedNameservers: vercel.nameServers } }
      fake.injectFault(aRead, { change: "not_made", answer: { status: 200, body } })
      expect(yield* failureOf(openAt(vercel, fake))).toBe("authorization_zone_mismatch")
    })
  )

  live("a priority stands beside an MX and in the parts of an SRV, and texts stay as they are", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(vercel)
      const desired = [
        "@ 3600 MX 10 mail.example.net",
        "_sip._tcp 3600 SRV 5 20 5060 sip.example.net",
        String.raw`@ 3600 TXT say "hi" \o`,
        '@ 3600 CAA 0 issue "ca.example; cansignhttpexchanges=yes"'
      ]
      expect(yield* applyDesired(vercel, fake, desired, { validateCAA: false })).toEqual([])
      expect(writesTo(fake).map(({ body }) => body)).toMatchObject([
        { type: "TXT", name: "", value: String.raw`say "hi" \o` },
        { type: "CAA", name: "", value: '0 issue "ca.example; cansignhttpexchanges=yes"' },
        { type: "SRV", name: "_sip._tcp", srv: { priority: 5, weight: 20, port: 5060, target: "sip.example.net" } },
        { type: "MX", name: "", value: "mail.example.net", mxPriority: 10 }
      ])
    })
  )
})
