import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeFakeNetlify, type NetlifyState, netlifyState, toId, validNetlifyToken } from "./FakeNetlify.ts"
import { siteRecord } from "./netlifyRecords.ts"

const zone = "example.com"
const records = `/dns_zones/${toId(1)}/dns_records`
const www = { type: "A", hostname: `www.${zone}`, value: "192.0.2.1", ttl: 300 }

const send = (
  fake: FakeVendor<NetlifyState>,
  method: "GET" | "POST" | "DELETE",
  path: string,
  { body, token = validNetlifyToken }: { readonly body?: object; readonly token?: string } = {}
) =>
  HttpClientRequest.make(method)(`${fake.baseUrl}${path}`).pipe(
    HttpClientRequest.bearerToken(token),
    body === undefined ? (request) => request : HttpClientRequest.bodyUnsafeJson(body),
    httpClientFor(fake).execute,
    Effect.flatMap(({ headers, status, text }) =>
      Effect.map(text, (text) => ({ status, headers, body: text === "" ? undefined : JSON.parse(text) }))
    )
  )

const withRecords = (...kept: Parameters<typeof netlifyState>[0][string]) =>
  makeFakeNetlify(netlifyState({ [zone]: kept }))

describeIfPossible("the fake of Netlify", missingVendorData, () => {
  live("creates, shows and deletes a record, with null for what its type does not use", () =>
    Effect.gen(function* () {
      const fake = yield* withRecords()
      const created = yield* send(fake, "POST", records, { body: www })
      const stored = {
        ...www,
        priority: null,
        weight: null,
        port: null,
        flag: null,
        tag: null,
        id: toId(2),
        site_id: null,
        dns_zone_id: toId(1),
        errors: [],
        managed: false
      }
      expect([created.status, created.body]).toEqual([201, stored])
      expect((yield* send(fake, "GET", records)).body).toEqual([stored])
      expect((yield* send(fake, "GET", `${records}/${toId(2)}`)).body).toEqual(stored)
      expect((yield* send(fake, "DELETE", `${records}/${toId(2)}`)).status).toBe(204)
      for (const method of ["GET", "DELETE"] as const)
        expect((yield* send(fake, method, `${records}/${toId(2)}`)).status).toBe(404)
    })
  )

  live("takes the same record twice, because nothing says that Netlify does not", () =>
    Effect.gen(function* () {
      const fake = yield* withRecords(www)
      expect((yield* send(fake, "POST", records, { body: www })).body.id).toBe(toId(3))
    })
  )

  live("judges the token, and tells the limit with every answer", () =>
    Effect.gen(function* () {
      const fake = yield* withRecords()
      const { body, headers, status } = yield* send(fake, "GET", records, { token: "wrong" })
      expect([status, body]).toEqual([401, { code: 401, message: "Access Denied" }])
      expect([headers["x-ratelimit-limit"], headers["x-ratelimit-reset"]]).toEqual(["500", "1767225660"])
      expect((yield* send(fake, "GET", `/dns_zones/${toId(9)}/dns_records`)).status).toBe(404)
    })
  )

  const stored: ReadonlyArray<readonly [string, object]> = [
    ["a target with a dot at its end", { type: "CNAME", hostname: `a.${zone}`, value: "b.example.net." }],
    ["a target without one", { type: "CNAME", hostname: `a.${zone}`, value: "b.example.net" }],
    ["quotes and backslashes", { type: "TXT", hostname: zone, value: '"left 1back\\slash right"' }],
    ["a text of 766 characters", { type: "TXT", hostname: zone, value: "k".repeat(766) }],
    [
      "the null target of an SRV",
      { type: "SRV", hostname: `_sip._tcp.${zone}`, value: ".", priority: 15, weight: 65, port: 75 }
    ],
    ["the CAA value that forbids all", { type: "CAA", hostname: zone, value: ";", flag: 0, tag: "issuewild" }],
    ["an alias at the apex", { type: "ALIAS", hostname: zone, value: "b.example.net" }],
    ["a wildcard", { ...www, hostname: `*.${zone}` }]
  ]
  for (const [what, body] of stored)
    // What DNSControl's suite has stored: providers/netlify/testdata/netlify.json.
    live(`stores ${what} as it is`, () =>
      Effect.gen(function* () {
        expect((yield* send(yield* withRecords(), "POST", records, { body })).body).toMatchObject(body)
      })
    )

  const refused: ReadonlyArray<readonly [string, object]> = [
    ["a null MX", { type: "MX", hostname: zone, value: ".", priority: 0 }],
    ["an empty text", { type: "TXT", hostname: zone, value: "" }],
    ["an address where a site at Netlify is", { ...www, hostname: `site.${zone}` }],
    ["a record of its own type", { type: "NETLIFY", hostname: zone, value: "my-site.netlify.app" }],
    ["a type that it does not have", { type: "TLSA", hostname: zone, value: "3 1 1 00" }],
    ["an alias beside other records", { type: "CNAME", hostname: `www.${zone}`, value: "b.example.net" }],
    ["a name outside the zone", { ...www, hostname: "www.example.net" }],
    ["an address that is none", { ...www, value: "example.net" }]
  ]
  for (const [what, body] of refused)
    live(`refuses ${what}, and stores nothing`, () =>
      Effect.gen(function* () {
        const fake = yield* withRecords(www, siteRecord(`site.${zone}`))
        const before = fake.state()
        expect((yield* send(fake, "POST", records, { body })).status).toBe(422)
        expect(fake.state()).toBe(before)
      })
    )

  live("does not delete a record that leads to a site", () =>
    Effect.gen(function* () {
      const fake = yield* withRecords(siteRecord(zone))
      expect((yield* send(fake, "DELETE", `${records}/${toId(2)}`)).status).toBe(422)
    })
  )

  live("has no call that changes a record", () =>
    Effect.gen(function* () {
      const fake = yield* withRecords(www)
      const answer = yield* HttpClientRequest.put(`${fake.baseUrl}${records}/${toId(2)}`).pipe(
        HttpClientRequest.bearerToken(validNetlifyToken),
        HttpClientRequest.bodyUnsafeJson({ ...www, ttl: 60 }),
        httpClientFor(fake).execute
      )
      expect([answer.status, fake.takeViolations()]).toEqual([404, [expect.stringContaining("no such operation")]])
    })
  )
})
