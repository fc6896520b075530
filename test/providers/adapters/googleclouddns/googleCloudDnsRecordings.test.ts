import { Struct } from "effect"
import { ResourceRecordSets } from "../../../../src/providers/adapters/googleclouddns/makeGoogleCloudDnsClient.ts"
import { compareByName } from "../../../support/vendors/VendorZones.ts"
import { zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { googleCloudDns, readShown, zoneIdOf } from "./googleCloudDns.ts"
import { keyFile, validToken } from "./googleTokens.ts"

const recordedZone = "fullm3tal.tk"

/** Lexicon calls another host of the same API; tokens are granted elsewhere. */
const recording = {
  ...(await recordedScenarios("googleclouddns", (exchange) => {
    const path = exchange.url.pathname
      .replace("named-archway-209418", keyFile.project_id)
      .replace("699036609868956548", zoneIdOf(recordedZone))
    const url = new URL(path + exchange.url.search, googleCloudDns.vendor.baseUrl)
    return path.endsWith("/token") ? undefined : { ...exchange, url }
  })),
  zone: recordedZone
}

testRecording(googleCloudDns, {
  ...recording,
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

testRecordedCalls({
  adapter: googleCloudDns,
  recording,
  answers: [["rrsets", ResourceRecordSets, 63]],
  changes: ["address", "text that comes and goes", "text beside another that goes"],
  tidyPath: (path) => path.replace(/managedZones\/\d+/, "managedZones/{id}"),
  // Lexicon leaves out a list without sets.
  tidyBody: (body) =>
    JSON.parse(JSON.stringify({ additions: [], deletions: [], ...body }).replaceAll(recordedZone, zone))
})
