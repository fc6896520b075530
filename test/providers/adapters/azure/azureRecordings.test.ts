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

/** The sets that an answer has: one, or a list. */
const setsIn = (body: any): ReadonlyArray<any> =>
  [body?.value ?? body ?? []].flat().filter(({ properties = {} }) => properties.fqdn !== undefined)

const tidy = (shown: any): unknown => {
  const { value, ...set } = shown
  if (value === undefined) return Struct.omit(set, "id", "etag")
  return setsIn(shown).length === 0
    ? value.map(({ name, properties }: any) => [name, properties.nameServers])
    : value.map(tidy)
}

testRecording(azure, {
  ...recording,
  headers: { authorization: `Bearer ${azureTokens.token}` },
  readListed: (body, zone) => setsIn(body).flatMap((set) => readShown(set, zone)),
  createdBy: ({ method, responseBody }) =>
    method.startsWith("P")
      ? setsIn(responseBody).flatMap((set) => readShown(set, recording.zone).map(({ id }) => id))
      : [],
  order: compareByName,
  tidy
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
