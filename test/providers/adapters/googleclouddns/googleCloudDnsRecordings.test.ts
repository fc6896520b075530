import { expect } from "bun:test"
import { Effect, Schema, Struct } from "effect"
import { ResourceRecordSets } from "../../../../src/providers/adapters/googleclouddns/makeGoogleCloudDnsClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { RecordedExchange } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { compareByName } from "../../../support/vendors/VendorZones.ts"
import { createChange, deleteChange, makeFakeOf, recordAt, writeAt, writesTo, zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { googleCloudDns, readShown, zoneIdOf } from "./googleCloudDns.ts"
import { keyFile, validToken } from "./googleTokens.ts"

const recordedZone = "fullm3tal.tk"

/** Lexicon calls another host of the same API; tokens are granted elsewhere. */
const toApi = (exchange: RecordedExchange): ReadonlyArray<RecordedExchange> => {
  const { url } = exchange
  if (url.pathname.endsWith("/token")) return []
  const path = url.pathname
    .replace("named-archway-209418", keyFile.project_id)
    .replace("699036609868956548", zoneIdOf(recordedZone))
  return [{ ...exchange, url: new URL(path + url.search, googleCloudDns.vendor.baseUrl) }]
}

const recorded = await recordedScenarios("googleclouddns")
const scenarios = recorded.scenarios.map(({ exchanges, name }) => ({ name, exchanges: exchanges.flatMap(toApi) }))
const exchanges = scenarios.flatMap((scenario) => scenario.exchanges)

testRecording(googleCloudDns, {
  scenarios,
  exchanges,
  zone: recordedZone,
  headers: { authorization: `Bearer ${validToken}` },
  readListed: ({ rrsets = [] }) => rrsets.flatMap(readShown),
  createdBy: ({ requestBody }) =>
    (requestBody?.additions ?? []).flatMap(readShown).map(({ id }: { readonly id: string }) => id),
  order: compareByName,
  // What a zone is besides its name, and when and in which order changes were made.
  tidy: (body) =>
    Struct.omit(
      body.managedZones === undefined
        ? body
        : {
            ...body,
            managedZones: body.managedZones.map((shown: any) => Struct.pick(shown, "dnsName", "nameServers"))
          },
      "id",
      "startTime"
    )
})

describeIfPossible("the adapter of Google Cloud DNS", missingVendorData, () => {
  live("decodes every list of sets that was recorded", () =>
    Effect.gen(function* () {
      const lists = exchanges.map(({ responseBody }) => responseBody).filter((body) => "rrsets" in Object(body))
      expect(lists.length).toBeGreaterThan(20)
      for (const list of lists) yield* Schema.decodeUnknown(ResourceRecordSets)(list)
    })
  )

  live("creates, extends and deletes sets with the recorded changes", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(googleCloudDns)
      const [one, other] = ["challengetoken1", "challengetoken2"].map((text) =>
        recordAt("_acme-challenge.deleterecordinset", "TXT", text)
      )
      if (one === undefined || other === undefined) return
      yield* writeAt(googleCloudDns, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(googleCloudDns, fake, createChange(one))
      yield* writeAt(googleCloudDns, fake, createChange(other))
      yield* writeAt(googleCloudDns, fake, deleteChange(one))
      const changes = exchanges.flatMap(({ method, requestBody }) => (method === "POST" ? toSets(requestBody) : []))
      const own = writesTo(fake).map(({ body }) => toSets(body))
      expect(own).toHaveLength(4)
      for (const change of own) expect(changes).toContainEqual(change[0])
    })
  )
})

/** A change of the zone of the tests. Lexicon leaves out a list without sets. */
const toSets = (body: any) =>
  [{ additions: [], deletions: [], ...body }].map((change) =>
    JSON.parse(JSON.stringify(change).replaceAll(recordedZone, zone))
  )
