import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { DomainRecord } from "../../../../src/providers/adapters/digitalocean/DomainRecord.ts"
import { DomainRecordPage } from "../../../../src/providers/adapters/digitalocean/makeDigitalOceanClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { createChange, deleteChange, makeFakeOf, recordAt, updateChange, writeAt, zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { digitalOcean, readShown, validToken } from "./digitalOcean.ts"

const recording = {
  ...(await recordedScenarios("digitalocean")),
  zone: "foxwoodswebsites.com",
  headers: { authorization: `Bearer ${validToken}` }
}

testRecording(digitalOcean, {
  ...recording,
  readListed: (body, zone) => (body?.domain_records ?? []).map((record: unknown) => readShown(record, zone)),
  order: (one, other) => Number(one.id) - Number(other.id),
  createdBy: ({ method, responseBody }: { readonly method: string; readonly responseBody: any }) =>
    method === "POST" ? [String(responseBody.domain_record.id)] : [],
  // The zone file is only for people to read, and the recorded ones are of other moments.
  tidy: (body) => (body.domain === undefined ? body : { domain: { ...body.domain, zone_file: undefined } })
})

const isList = (body: unknown) => typeof body === "object" && body !== null && "domain_records" in body
const isRecord = (body: unknown) => typeof body === "object" && body !== null && "domain_record" in body

/** A request without the parts that each caller has of its own: the zone, the id and the page. */
const shapeOf = (method: string, path: string, body: unknown): string =>
  JSON.stringify([
    method,
    path.replaceAll(recording.zone, zone).replace(/\/\d+$/, "/{id}"),
    body === undefined || method === "GET" || method === "DELETE" ? {} : sortKeys(body)
  ])

const sortKeys = (body: unknown) =>
  Object.fromEntries(Object.entries(Object(body)).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const text = (host: string, value: string) => recordAt(host, "TXT", value)

describeIfPossible("the adapter of DigitalOcean", missingVendorData, () => {
  live("decodes every list and every record that was recorded", () =>
    Effect.gen(function* () {
      const bodies = recording.exchanges.map(({ responseBody }) => responseBody)
      expect([bodies.length, bodies.filter(isList).length, bodies.filter(isRecord).length]).toEqual([143, 98, 13])
      for (const list of bodies.filter(isList)) yield* Schema.decodeUnknown(DomainRecordPage)(list)
      for (const record of bodies.filter(isRecord))
        yield* Schema.decodeUnknown(Schema.Struct({ domain_record: DomainRecord }))(record)
    })
  )

  live("finds the zone, lists, creates, replaces and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(digitalOcean)
      const [before, after] = [text("updated.test", "other"), text("updated.test", "challengetoken")]
      yield* writeAt(digitalOcean, fake, createChange(text("delete.testfilt", "challengetoken")))
      yield* writeAt(digitalOcean, fake, createChange(before))
      yield* writeAt(digitalOcean, fake, updateChange(before, after))
      yield* writeAt(digitalOcean, fake, deleteChange(after))

      const recorded = new Set(
        recording.exchanges.map(({ method, requestBody, url }) => shapeOf(method, url.pathname, requestBody))
      )
      const own = fake.calls().map(({ body, method, path }) => ({ method, shape: shapeOf(method, path, body) }))
      expect(new Set(own.map(({ method }) => method))).toEqual(new Set(["GET", "POST", "PUT", "DELETE"]))
      const others = own.filter(({ shape }) => !recorded.has(shape)).map(({ shape }) => shape)
      // The text before the update is this test's own.
      expect(others).toEqual([expect.stringContaining('"other"')])
    })
  )
})
