import { HttpClientRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Array, Effect, Order, Schema } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { DesecDomain, DesecRRsets } from "../../../../src/providers/adapters/desec/DesecApi.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { readRecording, type RecordedExchange, type RecordedScenario } from "../../../support/vendors/Recording.ts"
import { matchOperation } from "../../../support/vendors/matchOperation.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { openZone, sendWrites } from "../AdapterUnderTest.ts"
import { desecShapes } from "./desecShapes.ts"
import { desecUnderTest, makeFakeWith, zone } from "./desecUnderTest.ts"
import { desecDomain, makeFakeDesec, validToken } from "./FakeDesec.ts"

const scenarios = missingVendorData === undefined ? await readRecording("desec") : []
const exchanges = scenarios.flatMap((scenario) => scenario.exchanges)
const recordedZone = "desec.lexicon"

const isList = ({ responseBody }: RecordedExchange): boolean => Array.isArray(responseBody)

/** Lexicon writes `rrsets//` at the apex of the API; a web server takes two slashes for one. */
const pathOf = ({ url }: RecordedExchange): string => url.pathname.replace("/api/v1", "").replace(/\/\/$/, "/")

const isDomain = (exchange: RecordedExchange): boolean => /^\/domains\/[^/]+\/$/.test(pathOf(exchange))

const operations = [
  "GET /domains/{name}/",
  "GET /domains/{name}/rrsets/",
  "POST /domains/{name}/rrsets/",
  "PATCH /domains/{name}/rrsets/{subname}/{type}/",
  "DELETE /domains/{name}/rrsets/{subname}/{type}/"
]

describeIfPossible("what was recorded at deSEC", missingVendorData, () => {
  live("has the shapes that the fake keeps to, except the domain, whose members were removed", () =>
    Effect.sync(() => {
      for (const exchange of exchanges) {
        const { method, responseBody: body, status } = exchange
        if (isDomain(exchange) && status === 200) expect(body).toEqual({})
        else {
          const match = matchOperation(operations, method, pathOf(exchange))
          expect(desecShapes.operation(match?.operation ?? "").problemsOfAnswer({ status, body })).toEqual([])
        }
      }
    })
  )

  live("is decoded by the adapter", () =>
    Effect.gen(function* () {
      const succeeded = exchanges.filter(({ status }) => status === 200)
      const [lists, domains] = [succeeded.filter(isList), succeeded.filter(isDomain)]
      expect([lists.length, domains.length]).toEqual([58, 25])
      for (const { responseBody } of lists) yield* Schema.decodeUnknown(DesecRRsets)(responseBody)
      for (const { responseBody } of domains) yield* Schema.decodeUnknown(DesecDomain)(responseBody)
    })
  )

  for (const scenario of scenarios)
    live(`is repeated by the fake: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeDesec({ domains: { [recordedZone]: domainBefore(scenario) } })
        for (const exchange of scenario.exchanges) {
          const answer = yield* send(httpClientFor(fake), exchange)
          expect(answer.status).toBe(exchange.status)
          if (!isDomain(exchange)) expect(toComparable(answer.body)).toEqual(toComparable(exchange.responseBody))
        }
      })
    )

  live("begins with the requests of the adapter, and creates and empties sets with the same members", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeWith()
      const opened = yield* openZone(desecUnderTest(fake), { domain: DomainName.make(zone) })
      const write = (change: Change) =>
        Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, [change], opened))
      const text = { host: "delete.testfilt", type: "TXT", value: "challengetoken", ttl: 3600, optional: false }
      yield* write({ action: "create", after: text, destructive: false })
      yield* write({ action: "delete", before: text, destructive: true })

      const recorded = new Set(
        exchanges.map((exchange) => `${exchange.method} ${pathOf(exchange)}${exchange.url.search}`)
      )
      const reads = fake.calls().filter(({ method }) => method === "GET")
      for (const { method, path, query } of reads)
        expect(recorded).toContain(`${method} ${path.replace(zone, recordedZone)}${query}`)
      const [created, emptied] = fake.calls().flatMap(({ body, method }) => (method === "PATCH" ? [body] : []))
      const bodies = exchanges.map(({ requestBody }) => requestBody)
      expect(bodies).toContainEqual([created].flat()[0])
      expect(emptied).toEqual([{ subname: "delete.testfilt", type: "TXT", records: [] }])
      expect(bodies).toContainEqual(expect.objectContaining(Object([emptied].flat()[0])))
    })
  )
})

type RecordedSet = (typeof DesecRRsets.Type)[number] & { readonly created: string }

const setsIn = ({ responseBody }: RecordedExchange): ReadonlyArray<RecordedSet> =>
  [responseBody].flat().filter((body): body is RecordedSet => Object(body).records !== undefined)

/** All sets that a scenario lists and does not create. */
const domainBefore = (scenario: RecordedScenario) => {
  const created = new Set(
    scenario.exchanges
      .filter(({ method }) => method === "POST")
      .flatMap(setsIn)
      .map(keyOf)
  )
  const listed = scenario.exchanges.filter(isList).flatMap(setsIn)
  const first = new Map(listed.toReversed().map((set) => [keyOf(set), set]))
  const sets = [...first.values()].filter((set) => !created.has(keyOf(set)))
  return desecDomain(Array.sort(sets, byCreation).filter(({ type }) => type !== "NS"))
}

const keyOf = ({ subname, type }: RecordedSet): string => `${subname} ${type}`

const byCreation = Order.mapInput(Order.string, ({ created }: RecordedSet) => created)

const send = (http: ReturnType<typeof httpClientFor>, exchange: RecordedExchange) =>
  HttpClientRequest.make(exchange.method as "GET")(
    `https://desec.io/api/v1${pathOf(exchange)}${exchange.url.search}`
  ).pipe(
    HttpClientRequest.setHeader("authorization", `Token ${validToken}`),
    (request) =>
      exchange.method === "GET" ? request : HttpClientRequest.bodyUnsafeJson(request, exchange.requestBody),
    http.execute,
    Effect.flatMap((response) =>
      Effect.map(response.text, (text): { readonly status: number; readonly body: unknown } => ({
        status: response.status,
        body: text === "" ? undefined : JSON.parse(text)
      }))
    )
  )

/** Times are of the moment, and the records of a set have no order. */
const toComparable = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(toComparable)
  const { created: _, touched: __, ...members } = Object(body)
  return body === undefined
    ? undefined
    : { ...members, ...(members.records ? { records: members.records.toSorted() } : {}) }
}
