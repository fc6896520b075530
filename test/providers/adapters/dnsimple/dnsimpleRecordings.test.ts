import { expect } from "bun:test"
import { Effect, Struct } from "effect"
import { DnsimplePage } from "../../../../src/providers/adapters/dnsimple/makeDnsimpleClient.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { openAt, makeFakeOf } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { testAtFake } from "../vendorTests.ts"
import { dnsimple, dnsimpleVendor, formerDnsimpleVendor, readShown, validToken } from "./dnsimple.ts"

const recording = {
  ...(await recordedScenarios("dnsimple", { "api.sandbox.dnsimple.com": "api.dnsimple.com" })),
  zone: "lexicontest.us"
}

const isRecord = (item: any): boolean => item?.zone_id !== undefined

const tidyItem = (item: any) =>
  isRecord(item) ? Struct.omit(item, "created_at", "updated_at") : Struct.pick(item, "id", "name")

testRecording(
  { name: "DNSimple", vendor: formerDnsimpleVendor },
  {
    ...recording,
    headers: { authorization: `Bearer ${validToken}` },
    readListed: (body, zone) =>
      [body?.data].flat().flatMap((item: any) => (isRecord(item) ? readShown(zone, item) : [])),
    createdBy: ({ method, responseBody }) => (method === "POST" ? [String(responseBody.data.id)] : []),
    tidy: ({ data, ...body }) => ({ ...body, data: Array.isArray(data) ? data.map(tidyItem) : tidyItem(data) })
  }
)

testRecordedCalls({
  adapter: dnsimple,
  recording: {
    ...recording,
    exchanges: recording.exchanges.filter(({ url }) => url.pathname.includes("/records"))
  },
  answers: [["pagination", DnsimplePage, 51]],
  changes: ["text that comes and goes", "text that is replaced"],
  // Texts are written in quotes since November 2023; Lexicon sends words that mean nothing for a text.
  tidyBody: (body) => ({
    ...Struct.omit(body, "integrated_zones", "priority", "regions"),
    ...(body.content === undefined ? {} : { content: body.content.replace(/^"(.*)"$/, "$1") })
  })
})

const published: ReadonlyArray<any> =
  missingVendorData === undefined
    ? (await Bun.file(`${vendorData}recordings/dnsimple-vendor-fixtures.json`).json()).scenarios
    : []

/** An operation that answers as DNSimple has published it. */
const answerOf = (name: string) => () => {
  const [{ responseBody: body, status }] = published.find(({ scenario }) => scenario === name).interactions
  return { status, body }
}

testAtFake(dnsimple, {
  "opens and reads a zone by the answers that DNSimple publishes for tests of clients": Effect.fnUntraced(function* () {
    for (const kind of ["success-account", "success-user"]) {
      const operations = {
        ...dnsimpleVendor.operations,
        "GET /whoami": answerOf(`whoami/${kind}`),
        "GET /accounts": answerOf("accounts/success-account"),
        "GET /{account}/zones/{zone}": answerOf("getZone/success"),
        "GET /{account}/zones/{zone}/records": answerOf("listZoneRecords/success")
      }
      const fake = yield* makeFakeOf({ vendor: { ...dnsimpleVendor, operations } })
      const nameServers = ["ns1.dnsimple.com", "ns2.dnsimple.com"]
      const { zone } = yield* Effect.flatMap(openAt(dnsimple, fake, { nameServers }), ({ read }) => read)
      expect(zone.records.map(({ locked, type }) => `${type} ${locked}`)).toEqual([
        "SOA fixed",
        ...Array(4).fill("NS fixed")
      ])
    }
  })
})
