import { Struct } from "effect"
import { ResourceRecordSets } from "../../../../src/providers/adapters/googleclouddns/makeGoogleCloudDnsClient.ts"
import { compareByName } from "../../../support/vendors/VendorZones.ts"
import { zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { googleCloudDns, readShown, zoneIdOf } from "./googleCloudDns.ts"
import { googleTokens, keyFile } from "./googleTokens.ts"

const recordedZone = "fullm3tal.tk"

/** Lexicon calls another host of the same API. */
const words = {
  "content.googleapis.com": "dns.googleapis.com",
  "named-archway-209418": keyFile.project_id,
  "699036609868956548": zoneIdOf(recordedZone)
}
const recording = { ...(await recordedScenarios("googleclouddns", words)), zone: recordedZone }

testRecording(googleCloudDns, {
  ...recording,
  headers: { authorization: `Bearer ${googleTokens.token}` },
  readListed: ({ rrsets = [] }) => rrsets.flatMap(readShown),
  createdBy: ({ requestBody }) => (requestBody?.additions ?? []).flatMap(readShown).map(({ id }: any) => id),
  order: compareByName,
  // What a zone is besides its name, and when and in which order changes were made.
  tidy: ({ managedZones, ...body }) => ({
    ...Struct.omit(body, "id", "startTime"),
    managedZones: managedZones?.map((shown: any) => Struct.pick(shown, "dnsName", "nameServers"))
  })
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
