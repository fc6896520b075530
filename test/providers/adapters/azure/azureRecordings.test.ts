import { expect } from "bun:test"
import { Effect, Schema, Struct } from "effect"
import { AzureRecordSets } from "../../../../src/providers/adapters/azure/AzureRecordSet.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { RecordedExchange } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { compareByName } from "../../../support/vendors/VendorZones.ts"
import { createChange, deleteChange, makeFakeOf, recordAt, writeAt, writesTo, zone } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecording } from "../recordingTests.ts"
import { azure, readShown } from "./azure.ts"
import { principal, validToken } from "./azureTokens.ts"

const recordedZone = "full4ir.tk"

/** Lexicon spells a part of the path as the id of a zone has it; tokens are granted elsewhere. */
const toApi = (exchange: RecordedExchange): ReadonlyArray<RecordedExchange> => {
  const { url } = exchange
  if (url.pathname.endsWith("/token")) return []
  const path = url.pathname
    .replace("SUBSCRIPTION_ID", principal.subscriptionId)
    .replace("/dns-test/", `/${principal.resourceGroup}/`)
    .replace("/dnszones", "/dnsZones")
  return [{ ...exchange, url: new URL(path + url.search, azure.vendor.baseUrl) }]
}

const recorded = await recordedScenarios("azure")
const scenarios = recorded.scenarios.map(({ exchanges, name }) => ({ name, exchanges: exchanges.flatMap(toApi) }))
const exchanges = scenarios.flatMap((scenario) => scenario.exchanges)

/** The sets that an answer has: one, or a list. */
const setsIn = (body: any): ReadonlyArray<any> =>
  [body?.value ?? body ?? []].flat().filter(({ properties = {} }) => properties.fqdn !== undefined)

const tidySet = (set: any) => Struct.omit(set, "id", "etag")

testRecording(azure, {
  scenarios,
  exchanges,
  zone: recordedZone,
  headers: { authorization: `Bearer ${validToken}` },
  readListed: (body, zone) => setsIn(body).flatMap((set) => readShown(set, zone)),
  createdBy: ({ method, responseBody }) =>
    method === "PUT" || method === "PATCH"
      ? setsIn(responseBody).flatMap((set) => readShown(set, recordedZone).map(({ id }) => id))
      : [],
  order: compareByName,
  tidy: (body) => {
    if (body.value === undefined) return tidySet(body)
    const isZones = body.value.some(({ properties }: any) => properties.nameServers !== undefined)
    return body.value.map((item: any) => (isZones ? [item.name, item.properties.nameServers] : tidySet(item)))
  }
})

describeIfPossible("the adapter of Azure DNS", missingVendorData, () => {
  live("decodes every list of sets that was recorded", () =>
    Effect.gen(function* () {
      const lists = exchanges.map(({ responseBody }) => responseBody).filter((body) => setsIn(body).length > 0)
      const whole = lists.filter((body) => "value" in Object(body))
      expect(whole.length).toBeGreaterThan(20)
      for (const list of whole) yield* Schema.decodeUnknown(AzureRecordSets)(list)
    })
  )

  live("creates, extends and deletes sets with the recorded requests, and conditions", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(azure)
      const one = recordAt("_acme-challenge.createrecordset", "TXT", "challengetoken1")
      const text = recordAt("delete.testfilt", "TXT", "challengetoken")
      yield* writeAt(azure, fake, createChange(recordAt("localhost", "A", "127.0.0.1")))
      yield* writeAt(azure, fake, createChange(recordAt("docs", "CNAME", "docs.example.com")))
      yield* writeAt(azure, fake, createChange(one))
      yield* writeAt(azure, fake, createChange({ ...one, value: "challengetoken2" }))
      yield* writeAt(azure, fake, createChange(text))
      yield* writeAt(azure, fake, deleteChange(text))
      const own = writesTo(fake)
      expect(own).toHaveLength(6)
      const requests = exchanges.map(({ method, requestBody, url }) => ({
        method,
        path: url.pathname.replace(recordedZone, zone),
        body: requestBody
      }))
      for (const { body, method, path } of own)
        expect(requests).toContainEqual({ method, path, body: withoutDot(body) })
    })
  )
})

/** Lexicon writes a target as it is entered, without the dot at its end. */
const withoutDot = (body: unknown) =>
  body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll('example.com."', 'example.com"'))
