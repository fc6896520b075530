import { Struct } from "effect"
import { AzureRecordSets } from "../../../../src/providers/adapters/azure/AzureRecordSet.ts"
import { compareByName } from "../../../support/vendors/VendorZones.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { azure, readShown } from "./azure.ts"
import { principal, validToken } from "./azureTokens.ts"

/** Lexicon spells a part of the path as the id of a zone has it; tokens are granted elsewhere. */
const recording = {
  ...(await recordedScenarios("azure", (exchange) => {
    const path = exchange.url.pathname
      .replace("SUBSCRIPTION_ID", principal.subscriptionId)
      .replace("/dns-test/", `/${principal.resourceGroup}/`)
      .replace("/dnszones", "/dnsZones")
    const url = new URL(path + exchange.url.search, azure.vendor.baseUrl)
    return path.endsWith("/token") ? undefined : { ...exchange, url }
  })),
  zone: "full4ir.tk"
}

/** The sets that an answer has: one, or a list. */
const setsIn = (body: any): ReadonlyArray<any> =>
  [body?.value ?? body ?? []].flat().filter(({ properties = {} }) => properties.fqdn !== undefined)

const tidySet = (set: any) => Struct.omit(set, "id", "etag")

testRecording(azure, {
  ...recording,
  headers: { authorization: `Bearer ${validToken}` },
  readListed: (body, zone) => setsIn(body).flatMap((set) => readShown(set, zone)),
  createdBy: ({ method, responseBody }) =>
    method === "PUT" || method === "PATCH"
      ? setsIn(responseBody).flatMap((set) => readShown(set, recording.zone).map(({ id }) => id))
      : [],
  order: compareByName,
  tidy: (body) => {
    if (body.value === undefined) return tidySet(body)
    const isZones = body.value.some(({ properties }: any) => properties.nameServers !== undefined)
    return body.value.map((item: any) => (isZones ? [item.name, item.properties.nameServers] : tidySet(item)))
  }
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
