import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { anyTtl } from "../../../../src/domain/provider/Provider.ts"
import type { ProviderClient } from "../../../../src/providers/ProviderClient.ts"
import { makeCloudflareClient } from "../../../../src/providers/adapters/cloudflare/makeCloudflareClient.ts"
import { unknownCapabilities } from "../../../../src/providers/catalog/catalog.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { matchOperation } from "../../../support/vendors/matchOperation.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { sendWrites } from "../AdapterUnderTest.ts"
import { readCloudflareDocument } from "./cloudflareDocument.ts"
import { clientFor, tokenOf } from "./cloudflareUnderTest.ts"
import { assignedNameServers, cloudflareState, makeFakeCloudflare, validToken } from "./FakeCloudflare.ts"
import type { StoredCloudflareRecord } from "./storedCloudflareRecords.ts"

const scenarios = missingVendorData === undefined ? await readRecording("cloudflare") : []
const exchanges = scenarios.flatMap(({ exchanges }) => exchanges)
const zone = DomainName.make("byemike.org")
const zoneId = "457dd20dded351b97830cb528f507819"

describeIfPossible("what was recorded at Cloudflare", missingVendorData, () => {
  live("has 88 exchanges, and each answer is as its document says", () =>
    Effect.gen(function* () {
      const document = yield* Effect.promise(readCloudflareDocument)
      expect(exchanges).toHaveLength(88)
      for (const { method, responseBody, status, url } of exchanges) {
        const match = matchOperation(operations, method, url.pathname.replace("/client/v4", ""))
        const problems = document.operation(match?.operation ?? "").problemsOfAnswer({ status, body: responseBody })
        expect(problems).toEqual([])
      }
    })
  )

  live("is read by the adapter: each zone, and each record in each answer", () =>
    Effect.gen(function* () {
      const [zones] = exchanges
      const answers = exchanges.filter(({ status, url }) => status === 200 && url.pathname.includes("/dns_records"))
      for (const { method, responseBody } of answers.filter(({ method }) => method !== "DELETE")) {
        const recorded: ReadonlyArray<StoredCloudflareRecord> = [field(responseBody, "result")].flat()
        const list = method === "GET" ? responseBody : listOf(recorded, responseBody)
        const opened = yield* openZone(clientAnswering(zones?.responseBody, list))
        expect(opened.limits.ttl).toEqual(anyTtl)
        const { zone: read } = yield* opened.read
        expect(read.records).toEqual(
          recorded.map(({ content, name, ttl, type }) => ({
            host: name.replace(`.${zone}`, ""),
            type,
            value: content,
            ttl
          }))
        )
      }
    })
  )

  for (const scenario of scenarios.filter(({ exchanges }) => exchanges.some(isOfRecords)))
    live(`is repeated by the fake: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith(recordsBefore(scenario))
        for (const exchange of scenario.exchanges.filter(isOfRecords)) {
          const answer = yield* send(httpClientFor(fake), exchange)
          expect(answer).toEqual({ status: exchange.status, body: comparable(exchange.responseBody) })
          const created = createdRecord(exchange)
          if (created === undefined) continue
          fake.update(({ nextId, zones }) => ({
            nextId,
            zones: zones.map((zone) => ({ ...zone, records: [...zone.records.slice(0, -1), created] }))
          }))
        }
      })
    )

  for (const exchange of exchanges.filter(({ method }) => method === "POST"))
    live(`is requested by the adapter in the same way, as one of a batch: ${requestedName(exchange)}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([])
        const opened = yield* openZone(clientFor(fake))
        const { data, ...recorded }: any = exchange.requestBody
        const { content: value, name, ttl, type } = recorded
        const after = { host: name.replace(`.${zone}`, ""), type, value, ttl, optional: false }
        yield* sendWrites(yield* opened.read, [{ action: "create", after, destructive: false }])
        // Lexicon sends no quotes, which Cloudflare asks for since (go-acme/lego issue 2521), and leaves the proxy and the
        // flattening to chance.
        const expected =
          type === "TXT"
            ? { ...recorded, content: `"${recorded.content}"` }
            : { ...recorded, proxied: false, ...(type === "CNAME" ? { settings: { flatten_cname: false } } : {}) }
        expect([data, fake.calls().at(-1)?.body]).toEqual([null, { posts: [expected] }])
      })
    )

  for (const { exchanges } of scenarios)
    for (const { method, url } of exchanges.filter(({ method }) => method === "DELETE"))
      live(`names the record in the same way, in a batch: ${method} ${url.pathname.slice(-32)}`, () =>
        Effect.gen(function* () {
          const id = url.pathname.slice(-32)
          const created = exchanges.flatMap((exchange) => createdRecord(exchange) ?? [])
          const fake = yield* fakeWith(created)
          const opened = yield* openZone(clientFor(fake))
          const deleted = created.find((record) => record.id === id)
          const { content: value = "", name = "", ttl = 0, type = "" } = deleted ?? {}
          const before = { host: name.replace(`.${zone}`, ""), type, value, ttl, optional: false }
          const change: Change = { action: "delete", before, destructive: true }
          yield* sendWrites(yield* opened.read, [change])
          expect(fake.calls().at(-1)?.body).toEqual({ deletes: [{ id }] })
        })
      )
})

const operations = [
  "GET /zones",
  ...["GET", "POST"].map((method) => `${method} /zones/{zone_id}/dns_records`),
  ...["PUT", "DELETE"].map((method) => `${method} /zones/{zone_id}/dns_records/{dns_record_id}`)
]

const field = (body: any, name: string): any => body?.[name]

const requestedName = ({ requestBody, url }: RecordedExchange): string =>
  `${field(requestBody, "type")} ${field(requestBody, "name")} ${url.pathname.slice(-11)}`

/** The lists of zones have pages of 100, which the document does not allow. */
const isOfRecords = ({ url }: RecordedExchange): boolean => url.pathname.includes("/dns_records")

const createdRecord = ({ method, responseBody, status }: RecordedExchange): StoredCloudflareRecord | undefined =>
  method === "POST" && status === 200 ? field(responseBody, "result") : undefined

/** All records that a scenario lists before it creates any of them, and those that it cannot create a second time. */
const recordsBefore = ({ exchanges }: RecordedScenario): ReadonlyArray<StoredCloudflareRecord> => {
  const created = new Set(exchanges.map((exchange) => createdRecord(exchange)?.id))
  const listed = exchanges
    .filter(({ method, url }) => method === "GET" && url.pathname.endsWith("/dns_records"))
    .flatMap(({ responseBody }): ReadonlyArray<StoredCloudflareRecord> => field(responseBody, "result"))
  return [...new Map(listed.map((record) => [record.id, record])).values()].filter(({ id }) => !created.has(id))
}

const listOf = (result: ReadonlyArray<unknown>, body: unknown) => ({
  ...Object(body),
  result,
  result_info: { page: 1, per_page: 100, count: result.length, total_count: result.length, total_pages: 1 }
})

const fakeWith = (records: ReadonlyArray<StoredCloudflareRecord>) =>
  makeFakeCloudflare(cloudflareState({ [zone]: { id: zoneId, records } }))

const openZone = (client: ProviderClient) =>
  client.openZone({
    connectionId: "con_1",
    zone,
    domain: zone,
    nameServers: assignedNameServers,
    credential: tokenOf(validToken)
  })

/** The adapter, which gets these answers to whatever it asks. */
const clientAnswering = (zones: unknown, records: unknown): ProviderClient =>
  makeCloudflareClient({
    limits: { capabilities: unknownCapabilities, ttl: anyTtl },
    http: HttpClient.make((request, { pathname }) =>
      Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(pathname.endsWith("/zones") ? zones : records)))
    )
  })

/** Lexicon sends `data: null`, which the document does not know. */
const send = (http: HttpClient.HttpClient, { method, requestBody, url }: RecordedExchange) =>
  HttpClientRequest.make(method as "GET")(url.href).pipe(
    HttpClientRequest.bearerToken(validToken),
    (request) =>
      method === "POST" || method === "PUT"
        ? HttpClientRequest.bodyUnsafeJson(request, { ...Object(requestBody), data: undefined })
        : request,
    http.execute,
    Effect.flatMap((response) =>
      Effect.map(response.json, (body) => ({ status: response.status, body: comparable(body) }))
    )
  )

/** Identifiers and times are chosen by Cloudflare, as is the order of a list; the deletion answers with an identifier. */
const comparable = (body: unknown): unknown => {
  const known: any = JSON.parse(JSON.stringify(body), (key, value) => (chosen.has(key) ? "chosen" : value))
  return Array.isArray(known.result)
    ? { ...known, result: known.result.toSorted((a: any, b: any) => (a.content < b.content ? -1 : 1)) }
    : known
}

const chosen: ReadonlySet<string> = new Set(["id", "created_on", "modified_on"])
