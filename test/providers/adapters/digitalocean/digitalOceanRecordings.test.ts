import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { DomainRecord } from "../../../../src/providers/adapters/digitalocean/DomainRecord.ts"
import { DomainRecordPage } from "../../../../src/providers/adapters/digitalocean/makeDigitalOceanClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { matchOperation } from "../../../support/vendors/matchOperation.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../../support/vendors/Recording.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { openZone, sendWrites } from "../AdapterUnderTest.ts"
import type { DigitalOceanRecord } from "./digitalOceanRecords.ts"
import { digitalOceanState, makeFakeDigitalOcean, validToken } from "./FakeDigitalOcean.ts"
import { digitalOceanUnderTest, zone } from "./digitalOceanUnderTest.ts"

const scenarios = missingVendorData === undefined ? await readRecording("digitalocean") : []
const exchanges = scenarios.flatMap((scenario) => scenario.exchanges)
const recordedZone = "foxwoodswebsites.com"

describeIfPossible("what was recorded at DigitalOcean", missingVendorData, () => {
  live("has 143 exchanges, and each answer is as its document says", () =>
    Effect.gen(function* () {
      const document = yield* Effect.promise(() => readVendorDocument("digitalocean"))
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
        const fake = yield* makeFakeDigitalOcean({ zones: { [recordedZone]: recordsBefore(scenario) }, nextId: 0 })
        for (const exchange of scenario.exchanges) {
          const created = createdRecord(exchange)
          if (created !== undefined) fake.update((state) => ({ ...state, nextId: created.id }))
          const answer = yield* send(httpClientFor(fake), exchange)
          expect(answer).toEqual({ status: exchange.status, body: withoutZoneFile(exchange.responseBody) })
        }
      })
    )
})

const isList = (body: unknown) => typeof body === "object" && body !== null && "domain_records" in body
const isRecord = (body: unknown) => typeof body === "object" && body !== null && "domain_record" in body

/** A request without the parts that each caller has of its own: the zone, the id and the page. */
const shapeOf = (method: string, path: string, body: unknown): string =>
  JSON.stringify([
    method,
    path.replaceAll(recordedZone, zone).replace(/\/\d+$/, "/{id}"),
    body === undefined || method === "GET" || method === "DELETE" ? {} : sortKeys(body)
  ])

const sortKeys = (body: object | unknown) =>
  Object.fromEntries(Object.entries(Object(body)).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const text = (host: string, value: string) => ({ host, type: "TXT", value, ttl: 3600, optional: false })

describeIfPossible("the adapter of DigitalOcean", missingVendorData, () => {
  live("decodes every list and every record that was recorded", () =>
    Effect.gen(function* () {
      const lists = exchanges.map(({ responseBody }) => responseBody).filter(isList)
      const records = exchanges.map(({ responseBody }) => responseBody).filter(isRecord)
      expect([lists.length, records.length]).toEqual([98, 13])
      for (const list of lists) yield* Schema.decodeUnknown(DomainRecordPage)(list)
      for (const record of records) yield* Schema.decodeUnknown(Schema.Struct({ domain_record: DomainRecord }))(record)
    })
  )

  live("finds the zone, lists, creates, replaces and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeDigitalOcean(digitalOceanState({ [zone]: [] }))
      const opened = yield* openZone(digitalOceanUnderTest(fake), { domain: DomainName.make(zone) })
      const write = (change: Change) =>
        Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, [change], opened))
      const [before, after] = [text("updated.test", "other"), text("updated.test", "challengetoken")]
      yield* write({ action: "create", after: text("delete.testfilt", "challengetoken"), destructive: false })
      yield* write({ action: "create", after: before, destructive: false })
      yield* write({ action: "update", before, after, destructive: false })
      yield* write({ action: "delete", before: after, destructive: true })

      const recorded = new Set(
        exchanges.map(({ method, requestBody, url }) => shapeOf(method, url.pathname, requestBody))
      )
      const own = fake.calls().map(({ body, method, path }) => ({ method, shape: shapeOf(method, path, body) }))
      expect(new Set(own.map(({ method }) => method))).toEqual(new Set(["GET", "POST", "PUT", "DELETE"]))
      const others = own.filter(({ shape }) => !recorded.has(shape)).map(({ shape }) => shape)
      // The text before the update is this test's own.
      expect(others).toEqual([expect.stringContaining('"other"')])
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
