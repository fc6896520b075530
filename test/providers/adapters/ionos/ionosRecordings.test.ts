import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { IonosRecord } from "../../../../src/providers/adapters/ionos/IonosRecord.ts"
import { IonosRecords } from "../../../../src/providers/adapters/ionos/makeIonosClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { createChange, deleteChange, makeFakeOf, recordAt, writeAt, writesTo, zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { ionos, readShown, validKey } from "./ionos.ts"

const recording = await recordedScenarios("ionos")

/** The time of a change is that of the recording. */
const withoutTime = (body: any): unknown => {
  if (Array.isArray(body)) return body.map(withoutTime)
  const { records, ...rest } = body
  return { ...without("changeDate", rest), ...(records === undefined ? {} : { records: records.map(withoutTime) }) }
}

testRecording(ionos, {
  ...recording,
  zone,
  headers: { "x-api-key": validKey },
  readListed: (body) => (body?.records ?? []).map(readShown),
  createdBy: ({ method, responseBody }: { readonly method: string; readonly responseBody: any }) =>
    method === "POST" ? responseBody.map(({ id }: { readonly id: string }) => id) : [],
  tidy: withoutTime
})

describeIfPossible("the adapter of IONOS", missingVendorData, () => {
  live("decodes every zone and every record that was recorded", () =>
    Effect.gen(function* () {
      const bodies: ReadonlyArray<any> = recording.exchanges.flatMap(({ responseBody }) => responseBody ?? [])
      const zones = bodies.filter(({ records }) => records !== undefined)
      const created = bodies.filter(({ content }) => content !== undefined)
      expect([zones.length, created.length]).toEqual([24, 31])
      for (const each of zones) yield* Schema.decodeUnknown(IonosRecords)(each)
      for (const each of created) yield* Schema.decodeUnknown(IonosRecord)(each)
    })
  )

  live("finds the zone, creates and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ionos)
      const text = recordAt("delete.testfilt", "TXT", "challengetoken")
      yield* writeAt(ionos, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(ionos, fake, createChange(text))
      yield* writeAt(ionos, fake, deleteChange(text))
      // Lexicon names a priority for each type.
      const recorded = new Set(
        recording.exchanges.map(({ method, requestBody, url }: any) =>
          shapeOf(
            method,
            url.pathname.replace("/dns/v1", ""),
            requestBody?.map((body: object) => sortKeys(without("prio", body)))
          )
        )
      )
      const own = writesTo(fake).map(({ body, method, path }: any) => shapeOf(method, path, body?.map(sortKeys)))
      expect(own).toHaveLength(3)
      expect(own.filter((shape) => !recorded.has(shape))).toEqual([])
    })
  )
})

const shapeOf = (method: string, path: string, body: unknown) =>
  JSON.stringify([method, path.replace(/records\/.*$/, "records/{id}"), body])

const without = (name: string, body: object) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

const sortKeys = (body: object) => Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1)))
