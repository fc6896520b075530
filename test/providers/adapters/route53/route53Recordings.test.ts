import { expect } from "bun:test"
import { Effect, type Schema } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import { route53Answers, xmlLists } from "../../../../src/providers/adapters/route53/Route53Api.ts"
import { decodeXmlBody } from "../../../../src/providers/xmlBody.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { LoggedCall } from "../../../support/vendors/VendorCall.ts"
import { readRecording, type RecordedExchange } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeRoute53 } from "./FakeRoute53.ts"
import { hostedZone } from "./route53State.ts"
import { clientOf, makeFake, zoneId, zoneRequest } from "./route53UnderTest.ts"

const scenarios = missingVendorData === undefined ? await readRecording("route53") : []
const exchanges = scenarios.flatMap((scenario) => scenario.exchanges)
const recordedZone = DomainName.make("fullcr1stal.tk")

const isOf =
  (path: RegExp, method = "GET") =>
  (exchange: RecordedExchange) =>
    exchange.method === method && exchange.status === 200 && path.test(exchange.url.pathname)

const decodeAll = <A, I>(found: ReadonlyArray<RecordedExchange>, schema: Schema.Schema<A, I>) =>
  Effect.forEach(found, ({ responseBody }) =>
    decodeXmlBody({ text: String(responseBody), excerpt: "" }, schema, xmlLists)
  )

/** The recording has a comment in each batch. */
const requestOf = (method: string, path: string, body: string | undefined): string =>
  `${method} ${path} ${(body ?? "").replace(/<Comment>[^<]*<\/Comment>/, "")}`.trim()

const bodyOf = ({ body }: LoggedCall): string | undefined =>
  typeof body === "object" && body !== null && "text" in body ? String(body.text) : undefined

const record = (host: string, type: string, value: string): ChangeRecord => ({
  host,
  type,
  value,
  ttl: 3600,
  optional: false
})

describeIfPossible("what was recorded at Route 53", missingVendorData, () => {
  live("is decoded: every list of zones, every list of sets, and every answer to a batch", () =>
    Effect.gen(function* () {
      const zones = yield* decodeAll(exchanges.filter(isOf(/\/hostedzonesbyname$/)), route53Answers.zones)
      const pages = yield* decodeAll(exchanges.filter(isOf(/\/rrset$/)), route53Answers.sets)
      const changes = yield* decodeAll(exchanges.filter(isOf(/\/rrset\/$/, "POST")), route53Answers.change)
      expect(zones.length + pages.length + changes.length + refusals.length).toBe(exchanges.length)
      expect(new Set(zones.flatMap(({ HostedZones }) => HostedZones.map(({ Name }) => Name)))).toEqual(
        new Set(["fullcr1stal.tk."])
      )
      expect(pages.flatMap(({ ResourceRecordSets }) => ResourceRecordSets).length).toBeGreaterThan(300)
    })
  )

  live("is requested in the same way: the zone, its sets, a creation and a deletion", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeRoute53({ zones: { [zoneId]: hostedZone(recordedZone) } })
      const opened = yield* clientOf(fake).openZone({ ...zoneRequest, domain: recordedZone, zone: recordedZone })
      const write = (change: Change) =>
        Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, [change], opened))
      const texts = [record("delete.testfilt", "TXT", "challengetoken"), record("docs", "CNAME", "docs.example.com")]
      yield* write({ action: "create", after: record("localhost", "A", "127.0.0.1"), destructive: false })
      for (const after of texts) yield* write({ action: "create", after, destructive: false })
      for (const before of texts.slice(0, 1)) yield* write({ action: "delete", before, destructive: true })

      const recorded = new Set(
        exchanges.map(({ method, requestBody, url }) =>
          requestOf(method, url.pathname, requestBody as string | undefined)
        )
      )
      const own = new Set(fake.calls().map((call) => requestOf(call.method, call.path, bodyOf(call))))
      expect([...own].filter((request) => !recorded.has(request))).toEqual([
        // Nobody recorded how the name servers of a zone are read.
        `GET /2013-04-01/hostedzone/${zoneId}`,
        // The recorded target has no dot at its end, which Route 53 takes for the same.
        expect.stringContaining("<Value>docs.example.com.</Value>")
      ])
    })
  )

  live("has one refused batch, which was understood and rejected", () =>
    Effect.gen(function* () {
      expect(refusals.map(({ status }) => status)).toEqual([400])
      const fake = yield* makeFake()
      fake.injectFault(
        { method: "POST" },
        { change: "not_made", answer: { status: 400, text: String(refusals[0]?.responseBody) } }
      )
      const opened = yield* clientOf(fake).openZone(zoneRequest)
      const change: Change = { action: "create", after: record("www", "A", "192.0.2.1"), destructive: false }
      const failure = yield* Effect.flip(sendWrites(yield* opened.read, [change], opened))
      expect(failure).toMatchObject({ _tag: "ProviderFailure", code: "apply_rejected" })
    })
  )
})

const refusals = exchanges.filter(({ status }) => status !== 200)
