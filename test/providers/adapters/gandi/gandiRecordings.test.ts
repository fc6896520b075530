import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { GandiSets } from "../../../../src/providers/adapters/gandi/makeGandiClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { createChange, deleteChange, makeFakeOf, recordAt, writeAt, writesTo, zone } from "../DescribedAdapter.ts"
import { gandi, readShown, validToken } from "./gandi.ts"

const recording = { ...(await recordedScenarios("gandi")), zone: "t18s.fr" }

testRecording(gandi, {
  ...recording,
  headers: { authorization: `Apikey ${validToken}` },
  readListed: (body, zone) =>
    [body ?? []].flat().flatMap((shown) => (shown.rrset_values === undefined ? [] : readShown(shown, zone))),
  createdBy: ({ method, requestBody, url }) => {
    const [type, name] = url.pathname.split("/").toReversed()
    return method === "POST" || method === "PUT"
      ? requestBody.rrset_values.map((value: string) => `${name} ${type} ${type === "TXT" ? `"${value}"` : value}`)
      : []
  }
})

describeIfPossible("the adapter of Gandi", missingVendorData, () => {
  live("decodes every list of sets that was recorded", () =>
    Effect.gen(function* () {
      const lists = recording.exchanges.map(({ responseBody }) => responseBody).filter(Array.isArray)
      expect(lists.length).toBeGreaterThan(0)
      for (const list of lists) yield* Schema.decodeUnknown(GandiSets)(list)
    })
  )

  live("creates and deletes with the recorded requests", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(gandi)
      const text = recordAt("delete.testfilt", "TXT", "challengetoken")
      yield* writeAt(gandi, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(gandi, fake, createChange(text))
      yield* writeAt(gandi, fake, deleteChange(text))
      const recorded = recording.exchanges.map(({ method, requestBody, url }) => ({
        method,
        path: url.pathname.replace("/v5/livedns", "").replace(recording.zone, zone),
        // Lexicon sends `{}` where there is nothing to say.
        body: Object.keys(Object(requestBody)).length === 0 ? undefined : unquoted(requestBody)
      }))
      const own = writesTo(fake).map(({ body, method, path }) => ({ method, path, body: body && unquoted(body) }))
      expect(own).toHaveLength(3)
      for (const call of own) expect(recorded).toContainEqual(call)
    })
  )
})

/** The adapter sends texts in quotes, in which Gandi shows them; Lexicon sends them without. */
const unquoted = (body: any) => ({
  ...body,
  rrset_values: body.rrset_values?.map((value: string) => value.replaceAll('"', ""))
})
