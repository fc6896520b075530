import { Struct } from "effect"
import { AzureRecordSets } from "../../../../src/providers/adapters/azure/AzureRecordSet.ts"
import { compareByName } from "../../../support/vendors/VendorZones.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { azure, readShown } from "./azure.ts"
import { azureTokens, principal } from "./azureTokens.ts"

/** Lexicon spells a part of the path as the id of a zone has it. */
const words = {
  SUBSCRIPTION_ID: principal.subscriptionId,
  "/dns-test/": `/${principal.resourceGroup}/`,
  "/dnszones": "/dnsZones"
}
const recording = { ...(await recordedScenarios("azure", words)), zone: "full4ir.tk" }

/** The records of the sets that an answer has: one, or a list. */
const readListed = (body: any, zone: string) =>
  [body?.value ?? body ?? []].flat().flatMap((set) => (set.properties?.fqdn === undefined ? [] : readShown(set, zone)))

/** A set, or the name servers of a zone. */
const tidyItem = (item: any) => item.properties?.nameServers ?? Struct.omit(item, "etag", "id")

testRecording(azure, {
  ...recording,
  headers: { authorization: `Bearer ${azureTokens.token}` },
  readListed,
  createdBy: ({ method, responseBody }) =>
    method.startsWith("P") ? readListed(responseBody, recording.zone).map(({ id }) => id) : [],
  order: compareByName,
  tidy: (body) => body.value?.map(tidyItem) ?? tidyItem(body)
})

testRecordedCalls({
  adapter: azure,
  recording,
  // A list of zones has the form of a list of sets.
  answers: [["value", AzureRecordSets, 89]],
  changes: ["address", "alias", "text that comes and goes", "text beside another"],
  // Lexicon writes a target as it is entered, without the dot at its end.
  tidyBody: (body) => JSON.parse(JSON.stringify(body).replaceAll('example.com."', 'example.com"'))
})
