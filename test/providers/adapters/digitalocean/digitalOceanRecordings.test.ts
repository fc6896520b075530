import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { DomainName } from "../../../../src/domain/DomainName.ts"
import type { Change } from "../../../../src/domain/Plan.ts"
import { DomainRecord } from "../../../../src/providers/adapters/digitalocean/DomainRecord.ts"
import { DomainRecordPage } from "../../../../src/providers/adapters/digitalocean/makeDigitalOceanClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { readRecording } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { openZone, sendWrites } from "../AdapterUnderTest.ts"
import { digitalOceanState, makeFakeDigitalOcean } from "./FakeDigitalOcean.ts"
import { digitalOceanUnderTest, zone } from "./digitalOceanUnderTest.ts"

const scenarios = missingVendorData === undefined ? await readRecording("digitalocean") : []
const exchanges = scenarios.flatMap((scenario) => scenario.exchanges)
const recordedZone = "foxwoodswebsites.com"

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
