import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import {
  type DigitalOceanState,
  digitalOceanState,
  makeFakeDigitalOcean,
  readOnlyToken,
  tooManyRequests,
  validToken
} from "./FakeDigitalOcean.ts"

const records = "/v2/domains/example.com/records"

interface VendorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: any
}

const send = (
  fake: FakeVendor<DigitalOceanState>,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  target: string,
  body?: unknown,
  token = validToken
) =>
  HttpClientRequest.make(method)(`${fake.baseUrl}${target}`).pipe(
    HttpClientRequest.bearerToken(token),
    body === undefined ? (request) => request : HttpClientRequest.bodyUnsafeJson(body),
    httpClientFor(fake).execute,
    Effect.flatMap((response) =>
      Effect.map(response.text, (text): VendorResponse => ({
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : JSON.parse(text)
      }))
    )
  )

const www = { type: "A", name: "www", data: "192.0.2.1" }
const empty = () => makeFakeDigitalOcean(digitalOceanState({ "example.com": [] }))

describeIfPossible("the fake of DigitalOcean", missingVendorData, () => {
  live("creates, shows, changes and deletes a record", () =>
    Effect.gen(function* () {
      const fake = yield* empty()
      const created = yield* send(fake, "POST", records, www)
      const stored = { ...www, id: 1004, ttl: 1800, priority: null, port: null, weight: null, flags: null, tag: null }
      expect([created.status, created.body]).toEqual([201, { domain_record: stored }])
      const at = `${records}/1004`
      expect((yield* send(fake, "GET", at)).body).toEqual({ domain_record: stored })
      const patched = yield* send(fake, "PATCH", at, { type: "A", ttl: 60 })
      expect(patched.body).toEqual({ domain_record: { ...stored, ttl: 60 } })
      expect((yield* send(fake, "PUT", at, { type: "A", data: "192.0.2.2" })).status).toBe(200)
      expect(fake.state().zones["example.com"]?.at(-1)).toEqual({ ...stored, ttl: 60, data: "192.0.2.2" })
      expect((yield* send(fake, "DELETE", at)).status).toBe(204)
      for (const method of ["GET", "DELETE"] as const) expect((yield* send(fake, method, at)).status).toBe(404)
      expect(fake.state().zones["example.com"]?.map(({ type }) => type)).toEqual(["SOA", "NS", "NS", "NS"])
    })
  )

  live("takes the same record twice, because nothing says that DigitalOcean does not", () =>
    Effect.gen(function* () {
      const fake = yield* empty()
      yield* send(fake, "POST", records, www)
      expect((yield* send(fake, "POST", records, www)).body.domain_record.id).toBe(1005)
    })
  )

  live("lists 20 records a page, at most 200, with links to the pages beside it", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 446 }, (_, index) => ({ ...www, name: `host${index}` }))
      const fake = yield* makeFakeDigitalOcean(digitalOceanState({ "example.com": many }))
      const first = yield* send(fake, "GET", records)
      const url = `https://api.digitalocean.com${records}`
      expect(first.body.domain_records).toHaveLength(20)
      expect([first.body.links, first.body.meta]).toEqual([
        { pages: { last: `${url}?page=23`, next: `${url}?page=2` } },
        { total: 450 }
      ])
      const last = yield* send(fake, "GET", `${records}?per_page=200&page=3`)
      expect(last.body.domain_records).toHaveLength(50)
      expect(last.body.links).toEqual({
        pages: { first: `${url}?per_page=200&page=1`, prev: `${url}?per_page=200&page=2` }
      })
      const found = yield* send(fake, "GET", `${records}?type=A&name=host7.example.com`)
      expect(found.body).toMatchObject({ domain_records: [{ name: "host7" }], links: {}, meta: { total: 1 } })
      expect((yield* send(fake, "GET", `${records}?per_page=201`)).status).toBe(422)
      expect(fake.takeViolations()).toHaveLength(1)
    })
  )

  live("judges the token, and tells the limit with every answer", () =>
    Effect.gen(function* () {
      const fake = yield* empty()
      expect((yield* send(fake, "GET", records, undefined, "wrong")).body.id).toBe("unauthorized")
      expect((yield* send(fake, "GET", records, undefined, readOnlyToken)).status).toBe(200)
      expect((yield* send(fake, "POST", records, www, readOnlyToken)).body.id).toBe("forbidden")
      fake.injectFault({ nth: 1 }, { change: "not_made", answer: tooManyRequests })
      const limited = yield* send(fake, "GET", records)
      expect([limited.status, limited.headers["ratelimit-remaining"]]).toEqual([429, "0"])
      expect((yield* send(fake, "GET", "/v2/domains/example.net/records")).body.id).toBe("not_found")
      const { headers } = yield* send(fake, "GET", "/v2/domains")
      expect([headers["ratelimit-limit"], headers["ratelimit-reset"]]).toEqual(["5000", "1767229200"])
    })
  )

  const stored: ReadonlyArray<readonly [string, object, object]> = [
    ["a target without its dot", { type: "CNAME", name: "a", data: "b.example.net." }, { data: "b.example.net" }],
    [
      "the zone itself as @",
      { type: "MX", name: "@", data: "example.com.", priority: 10 },
      { data: "@", priority: 10 }
    ],
    [
      "the null target of an SRV",
      { type: "SRV", name: "_sip._tcp", data: ".", priority: 0, weight: 0, port: 0 },
      { data: "." }
    ],
    [
      "a CA without its dot",
      { type: "CAA", name: "@", data: "ca.example.net.", flags: 0, tag: "issue" },
      { data: "ca.example.net" }
    ],
    ["a text as it is", { type: "TXT", name: "@", data: 'a "b" c' }, { data: 'a "b" c' }],
    ["a DKIM key of 410 characters", { type: "TXT", name: "k", data: "k".repeat(410) }, { data: "k".repeat(410) }]
  ]
  for (const [what, written, read] of stored)
    live(`stores ${what}`, () =>
      Effect.gen(function* () {
        const answer = yield* send(yield* empty(), "POST", records, written)
        expect(answer.body.domain_record).toMatchObject(read)
      })
    )

  const refused: ReadonlyArray<readonly [string, object]> = [
    ["a target without a dot at its end", { type: "CNAME", name: "a", data: "b.example.net" }],
    ["a CA without a dot at its end", { type: "CAA", name: "@", data: "ca.example.net", flags: 0, tag: "issue" }],
    ["a CAA value with a space", { type: "CAA", name: "@", data: "ca.example.net. a=b.", flags: 0, tag: "issue" }],
    ["the CAA value that forbids all", { type: "CAA", name: "@", data: ";", flags: 0, tag: "issue" }],
    ["a null MX", { type: "MX", name: "@", data: ".", priority: 0 }],
    ["an MX without a priority", { type: "MX", name: "@", data: "mail.example.net." }],
    ["an empty text", { type: "TXT", name: "@", data: "" }],
    ["a text with a backslash", { type: "TXT", name: "@", data: "a\\b" }],
    ["a text whose quoted form is longer than 509", { type: "TXT", name: "@", data: "k".repeat(505) }],
    ["quotes that make the form too long", { type: "TXT", name: "@", data: `"${"k".repeat(503)}` }],
    ["a TTL below 30", { ...www, ttl: 29 }],
    ["a type that it does not have", { type: "TLSA", name: "a", data: "3 1 1 00." }],
    ["an SOA", { type: "SOA", name: "@", data: "1800", ttl: 1800 }],
    ["a CNAME beside other records", { type: "CNAME", name: "@", data: "b.example.net." }],
    ["an address that is none", { ...www, data: "example.net" }]
  ]
  for (const [what, written] of refused)
    live(`refuses ${what}, and stores nothing`, () =>
      Effect.gen(function* () {
        const fake = yield* empty()
        const before = fake.state()
        expect((yield* send(fake, "POST", records, written)).status).toBe(422)
        expect(fake.state()).toBe(before)
      })
    )

  live("refuses a change of a target that does not name it again with its dot", () =>
    Effect.gen(function* () {
      const fake = yield* empty()
      yield* send(fake, "POST", records, { type: "CNAME", name: "a", data: "b.example.net." })
      expect((yield* send(fake, "PATCH", `${records}/1004`, { type: "CNAME", ttl: 60 })).status).toBe(422)
    })
  )
})
