import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { NamecomPage } from "../../../../src/providers/adapters/namecom/makeNamecomClient.ts"
import { NamecomRecord } from "../../../../src/providers/adapters/namecom/NamecomRecord.ts"
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
import { basicHeader, formerNamecomVendor, namecom, readShown } from "./namecom.ts"

const recording = { ...(await recordedScenarios("namecom")), zone: "mim.pw" }

testRecording(
  { name: "Name.com", vendor: formerNamecomVendor },
  {
    ...recording,
    headers: { authorization: basicHeader },
    readListed: (body) => (body?.records ?? []).map(readShown),
    createdBy: ({
      method,
      responseBody,
      status
    }: {
      readonly method: string
      readonly responseBody: any
      readonly status: number
    }) => (method === "POST" && status === 200 ? [String(responseBody.id)] : []),
    // Of the account, the fake has this domain only.
    tidy: (body) =>
      body.domains === undefined ? body : body.domains.some(({ domainName }: any) => domainName === recording.zone)
  }
)

const shapeOf = (method: string, path: string, body: object) =>
  JSON.stringify([
    method,
    path
      .replace(/^\/(v4|core\/v1)/, "")
      .replace(recording.zone, zone)
      .replace(/\/\d+$/, "/{id}"),
    Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))
  ])

describeIfPossible("the adapter of Name.com", missingVendorData, () => {
  live("decodes every list and every record that was recorded", () =>
    Effect.gen(function* () {
      const bodies = recording.exchanges.map(({ responseBody }: any) => responseBody)
      const [lists, records] = [bodies.filter(({ records }) => records), bodies.filter(({ answer }) => answer)]
      expect([lists.length, records.length]).toEqual([29, 41])
      for (const list of lists) yield* Schema.decodeUnknown(NamecomPage)(list)
      for (const record of records) yield* Schema.decodeUnknown(NamecomRecord)(record)
    })
  )

  live("creates, replaces and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(namecom)
      const text = recordAt("delete.testfilt", "TXT", "challengetoken")
      const [before, after] = [
        recordAt("updated.test", "TXT", "other"),
        recordAt("updated.test", "TXT", "challengetoken")
      ]
      yield* writeAt(namecom, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(namecom, fake, createChange(recordAt("docs", "CNAME", "docs.example.com")))
      yield* writeAt(namecom, fake, createChange(text))
      yield* writeAt(namecom, fake, deleteChange(text))
      yield* writeAt(namecom, fake, createChange(before))
      yield* writeAt(namecom, fake, updateChange(before, after))
      const recorded = new Set(
        recording.exchanges.map(({ method, requestBody, url }) => shapeOf(method, url.pathname, Object(requestBody)))
      )
      const own = writesTo(fake).map(({ body, method, path }) => shapeOf(method, path, Object(body)))
      // Nobody recorded the creation of the record that is replaced.
      expect(own.filter((shape) => !recorded.has(shape))).toEqual(own.slice(4, 5))
      expect(own).toHaveLength(6)
    })
  )
})
