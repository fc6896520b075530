import { expect, test } from "bun:test"
import { Either } from "effect"
import { parseEnteredAddress } from "../../src/domain/connection/RecordTemplate.ts"
import { entryProblemOf } from "../../src/web/steps/entryProblem.ts"

const problemOf = (status: number, ...codes: ReadonlyArray<string>) =>
  entryProblemOf(status, { error: { message: "refused", details: codes.map((code) => ({ code, message: code })) } })

const noDomains = [
  "",
  "shop",
  "192.0.2.1",
  "shop.1",
  "*.shop.com",
  "co.uk",
  "shop..com",
  "shop_1.com",
  "-shop.com",
  `${"a".repeat(64)}.com`,
  `${"a.".repeat(130)}com`,
  "shop\u200d.com",
  "shop☃.com",
  "https://shop.com",
  "me@shop.com",
  "shop.com/",
  "shop.com/basket",
  "shop.com:443",
  "my shop.com",
  "“shop.com”"
]

test("a text that is no domain has to be typed otherwise", () => {
  for (const text of noDomains) {
    const code = Either.match(parseEnteredAddress(text), { onLeft: (issue) => issue.code, onRight: () => "a domain" })
    expect([text, code, problemOf(422, code)]).toEqual([text, code, "entryInvalid"])
  }
})

test("a domain that is fine is not called no domain, whatever the service refuses", () => {
  for (const code of ["record_template_missing", "test_domain_required", "domain_of_test_mode", "host_too_long"])
    expect([code, problemOf(422, code)]).toEqual([code, "problemRefused"])
  expect(entryProblemOf(422, { error: { message: "the key was used for another domain" } })).toBe("problemRefused")
  expect([400, 401, 403, 409, 429, 500, 503].map((status) => problemOf(status))).toEqual([
    "entryInvalid",
    "problemSession",
    "problemSession",
    "problemRefused",
    "problemBusy",
    "problemOffline",
    "problemOffline"
  ])
})
