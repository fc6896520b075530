import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { validToken } from "./FakeHetzner.ts"
import type { HetznerState } from "./hetznerState.ts"
import { fakeWith, setOf, shown, zoneName } from "./hetznerUnderTest.ts"

/** Asks for an action on a set; the result is the error's code, or the status. */
const act = (fake: FakeVendor<HetznerState>, set: string, action: string, body: unknown) =>
  HttpClientRequest.post(`${fake.baseUrl}/zones/${zoneName}/rrsets/${set}/actions/${action}`).pipe(
    HttpClientRequest.bearerToken(validToken),
    HttpClientRequest.bodyUnsafeJson(body),
    httpClientFor(fake).execute,
    Effect.flatMap((response) => Effect.map(response.json, (json: any) => json.error?.code ?? response.status))
  )

const records = (...values: ReadonlyArray<string>) => ({ records: values.map((value) => ({ value })) })

describeIfPossible("the fake of Hetzner", missingVendorData, () => {
  const before = [
    setOf("www", "A", 3600, "192.0.2.1"),
    setOf("alias", "CNAME", 300, "www"),
    { ...setOf("kept", "A", 300, "192.0.2.1"), isProtected: true }
  ]
  const refused: ReadonlyArray<readonly [what: string, set: string, action: string, body: object, code: string]> = [
    // The document, `ttl` of add_records and `records` of a set.
    ["another TTL for a part of a set", "www/A", "add_records", { ttl: 60, ...records("192.0.2.2") }, "invalid_input"],
    ["the same value twice", "www/A", "add_records", records("192.0.2.1"), "invalid_input"],
    ["a name in upper case", "Mail/A", "add_records", records("192.0.2.1"), "invalid_input"],
    ["a name with the zone", "mail.example.com/A", "add_records", records("192.0.2.1"), "invalid_input"],
    ["new records of a set that is not there", "mail/A", "set_records", records("192.0.2.1"), "not_found"],
    ["a TTL of a set that is not there", "mail/A", "change_ttl", { ttl: 60 }, "not_found"],
    // vendor-facts.json: values.txt, values.mx, cannot_store.
    ["a text without quotes", "www/TXT", "add_records", records("text"), "invalid_input"],
    ["a text of 256 bytes in one string", "www/TXT", "add_records", records(`"${"k".repeat(256)}"`), "invalid_input"],
    ["an MX without a priority", "www/MX", "add_records", records("mx1.mailprov.net."), "invalid_input"],
    ["the loss of an assigned name server", "@/NS", "set_records", records("ns1.otherprov.net."), "invalid_input"],
    ["a change of the SOA", "@/SOA", "change_ttl", { ttl: 60 }, "invalid_input"],
    // RFC 1034 section 3.6.2.
    ["a CNAME beside other records", "www/CNAME", "add_records", records("web.hostprov.net."), "invalid_input"],
    ["a CNAME at the apex", "@/CNAME", "add_records", records("web.hostprov.net."), "invalid_input"],
    ["other records beside a CNAME", "alias/TXT", "add_records", records('"text"'), "invalid_input"],
    ["two aliases of one name", "alias/CNAME", "add_records", records("web.hostprov.net."), "invalid_input"],
    ["a change of a protected set", "kept/A", "remove_records", records("192.0.2.1"), "protected"]
  ]
  for (const [what, set, action, body, code] of refused)
    live(`refuses ${what}, and changes nothing`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith(before)
        expect(yield* act(fake, set, action, body)).toBe(code)
        expect(fake.state().actions).toEqual([])
      })
    )

  live("refuses a second change while an action runs, and takes it afterwards", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith(before, { actionMillis: 5000 })
      expect(yield* act(fake, "www/A", "change_ttl", { ttl: 60 })).toBe(201)
      expect(yield* act(fake, "mail/A", "add_records", records("192.0.2.1"))).toBe("conflict")
      fake.advance("5 seconds")
      expect(yield* act(fake, "mail/A", "add_records", records("192.0.2.1"))).toBe(201)
      expect(shown(fake)).toContain("www 60 A 192.0.2.1")
    })
  )

  live("removes a set with its last record", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([setOf("www", "A", 3600, "192.0.2.1")])
      expect(yield* act(fake, "www/A", "remove_records", records("192.0.2.1"))).toBe(201)
      const next = yield* act(fake, "www/A", "change_ttl", { ttl: 60 })
      expect(next).toBe("not_found")
    })
  )
})
