import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { PorkbunRecords } from "../../../../src/providers/adapters/porkbun/makePorkbunClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import {
  createChange,
  deleteChange,
  makeFakeOf,
  recordAt,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { porkbun, readShown, validKeys } from "./porkbun.ts"

const recording = { ...(await recordedScenarios("porkbun")), zone: "example.xyz" }

/** Porkbun lists records in an order of its own, and notes that the API does not write. */
const tidy = (body: any): unknown =>
  body.records === undefined
    ? body
    : {
        ...body,
        records: body.records
          .map((record: object) => ({ ...record, notes: null }))
          .toSorted((one: any, other: any) => Number(one.id) - Number(other.id))
      }

testRecording(porkbun, {
  ...recording,
  headers: { "x-api-key": validKeys.apikey, "x-secret-api-key": validKeys.secretapikey },
  readListed: (body) => (body?.records ?? []).map(readShown),
  createdBy: ({ responseBody, url }: { readonly responseBody: any; readonly url: URL }) =>
    url.pathname.includes("/dns/create/") ? [String(responseBody.id)] : [],
  tidy
})

const shapeOf = (method: string, path: string, body: object) =>
  JSON.stringify([
    method,
    path
      .replace("/api/json/v3", "")
      .replace(recording.zone, zone)
      .replace(/\/\d+$/, "/{id}"),
    Object.entries(body)
      .filter(([name]) => !(name in validKeys))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  ])

describeIfPossible("the adapter of Porkbun", missingVendorData, () => {
  live("decodes every list that was recorded", () =>
    Effect.gen(function* () {
      const lists = recording.exchanges.map(({ responseBody }: any) => responseBody).filter(({ records }) => records)
      expect(lists.length).toBe(76)
      for (const list of lists) yield* Schema.decodeUnknown(PorkbunRecords)(list)
    })
  )

  live("creates, edits and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(porkbun)
      const text = recordAt("delete.testfilt", "TXT", "challengetoken")
      const [before, after] = ["other", "challengetoken"].map((value) => recordAt("updated.test", "TXT", value))
      yield* writeAt(porkbun, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(porkbun, fake, createChange(recordAt("docs", "CNAME", "docs.example.com")))
      yield* writeAt(porkbun, fake, createChange(text))
      yield* writeAt(porkbun, fake, deleteChange(text))
      if (before === undefined || after === undefined) return
      yield* writeAt(porkbun, fake, createChange(before))
      yield* writeAt(porkbun, fake, updateChange(before, after))
      const recorded = new Set(
        recording.exchanges.map(({ method, requestBody, url }) => shapeOf(method, url.pathname, Object(requestBody)))
      )
      const own = writesTo(fake).map(({ body, method, path }) => shapeOf(method, path, Object(body)))
      // Nobody recorded the creation of the record that is edited.
      expect(own.filter((shape) => !recorded.has(shape))).toEqual(own.slice(4, 5))
      expect(own).toHaveLength(6)
    })
  )
})
