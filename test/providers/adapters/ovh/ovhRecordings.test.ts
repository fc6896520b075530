import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { OvhRecord } from "../../../../src/providers/adapters/ovh/makeOvhClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { createChange, makeFakeOf, recordAt, writeAt, writesTo, zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { ovh, readShown } from "./ovh.ts"

const recording = { ...(await recordedScenarios("ovh")), zone: "pacalis.net" }

testRecording(ovh, {
  ...recording,
  readListed: (body, zone) => (body?.fieldType === undefined ? [] : [readShown(body, zone)]),
  createdBy: ({ method, responseBody }) =>
    method === "POST" && responseBody?.id !== undefined ? [String(responseBody.id)] : [],
  // A time, and an answer that is `null`.
  tidy: (body) => (typeof body === "number" ? "a time" : (body ?? undefined))
})

describeIfPossible("the adapter of OVHcloud", missingVendorData, () => {
  live("decodes every record that was recorded", () =>
    Effect.gen(function* () {
      const shown = recording.exchanges.map(({ responseBody }: any) => responseBody).filter((body) => body?.fieldType)
      expect(shown.length).toBeGreaterThan(0)
      for (const body of shown) yield* Schema.decodeUnknown(OvhRecord)(body)
    })
  )

  live("creates and publishes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ovh)
      yield* writeAt(ovh, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(ovh, fake, createChange(recordAt("_acme-challenge.test", "TXT", "challengetoken")))
      const recorded = recording.exchanges.map(({ method, requestBody, url }) => ({
        method,
        path: url.pathname.slice("/1.0".length).replace(recording.zone, zone),
        body: requestBody
      }))
      for (const write of writesTo(fake)) expect(recorded).toContainEqual(write)
    })
  )
})
