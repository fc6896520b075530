import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../../support/vendors/Recording.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { matchOperation } from "../../../support/vendors/matchOperation.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import type { DigitalOceanRecord } from "./digitalOceanRecords.ts"
import { makeFakeDigitalOcean, validToken } from "./FakeDigitalOcean.ts"

const scenarios = missingVendorData === undefined ? await readRecording("digitalocean") : []
const zone = "foxwoodswebsites.com"

describeIfPossible("what was recorded at DigitalOcean", missingVendorData, () => {
  live("has 143 exchanges, and each answer is as its document says", () =>
    Effect.gen(function* () {
      const document = yield* Effect.promise(() => readVendorDocument("digitalocean"))
      const exchanges = scenarios.flatMap(({ exchanges }) => exchanges)
      expect(exchanges).toHaveLength(143)
      for (const { method, responseBody, status, url } of exchanges) {
        const match = matchOperation(operations, method, url.pathname)
        const body = responseBody
        expect(document.operation(match?.operation ?? "").problemsOfAnswer({ status, body })).toEqual([])
      }
    })
  )

  for (const scenario of scenarios)
    live(`is repeated by the fake: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeDigitalOcean({ zones: { [zone]: recordsBefore(scenario) }, nextId: 0 })
        for (const exchange of scenario.exchanges) {
          const created = createdRecord(exchange)
          if (created !== undefined) fake.update((state) => ({ ...state, nextId: created.id }))
          const answer = yield* send(httpClientFor(fake), exchange)
          expect(answer).toEqual({ status: exchange.status, body: withoutZoneFile(exchange.responseBody) })
        }
      })
    )
})

const operations = ["GET", "POST", "PUT", "DELETE"].flatMap((method) =>
  ["", "/records", "/records/{domain_record_id}"].map((rest) => `${method} /v2/domains/{domain_name}${rest}`)
)

/** All records that a scenario lists before it creates any of them. */
const recordsBefore = ({ exchanges }: RecordedScenario): ReadonlyArray<DigitalOceanRecord> => {
  const created = new Set(exchanges.map((exchange) => createdRecord(exchange)?.id))
  const listed = exchanges.flatMap(
    ({ responseBody }): ReadonlyArray<DigitalOceanRecord> => field(responseBody, "domain_records") ?? []
  )
  const byId = new Map(listed.map((record) => [record.id, record]))
  return [...byId.values()].filter(({ id }) => !created.has(id)).toSorted((a, b) => a.id - b.id)
}

const createdRecord = ({ method, responseBody }: RecordedExchange): DigitalOceanRecord | undefined =>
  method === "POST" ? field(responseBody, "domain_record") : undefined

const field = (body: any, name: string): any => body?.[name]

const send = (http: ReturnType<typeof httpClientFor>, { method, requestBody, url }: RecordedExchange) =>
  HttpClientRequest.make(method as "GET")(url.href).pipe(
    HttpClientRequest.bearerToken(validToken),
    (request) => (method === "GET" ? request : HttpClientRequest.bodyUnsafeJson(request, requestBody)),
    http.execute,
    Effect.flatMap((response) =>
      Effect.map(response.text, (text) => ({
        status: response.status,
        body: text === "" ? undefined : withoutZoneFile(JSON.parse(text))
      }))
    )
  )

/** The zone file is only for people to read, and the recorded ones are of other moments. */
const withoutZoneFile = (body: any): unknown =>
  body?.domain === undefined ? body : { domain: { ...body.domain, zone_file: undefined } }
