import { expect } from "bun:test"
import { Effect, Struct } from "effect"
import { DnsimplePage } from "../../../../src/providers/adapters/dnsimple/makeDnsimpleClient.ts"
import { vendorData } from "../../../support/vendors/vendorData.ts"
import { openAt, makeFakeOf } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { testAtFake } from "../vendorTests.ts"
import { dnsimple, dnsimpleVendor, formerDnsimpleVendor, headers, readShown } from "./dnsimple.ts"

const recording = {
  ...(await recordedScenarios("dnsimple", { "api.sandbox.dnsimple.com": "api.dnsimple.com" })),
  zone: "lexicontest.us"
}

const isRecord = (item: any): boolean => item?.zone_id !== undefined

/** Without times, and what is said of accounts and domains. */
const tidyItem = (item: any) => (isRecord(item) ? { ...item, created_at: "", updated_at: "" } : [item?.id, item?.name])

testRecording(
  { name: "DNSimple", vendor: formerDnsimpleVendor },
  {
    ...recording,
    headers,
    readListed: (body, zone) =>
      [body?.data].flat().flatMap((item: any) => (isRecord(item) ? readShown(zone, item) : [])),
    createdBy: ({ method, responseBody }) => (method === "POST" ? [String(responseBody.data.id)] : []),
    tidy: ({ data, ...body }) => ({ ...body, data: Array.isArray(data) ? data.map(tidyItem) : tidyItem(data) })
  }
)

testRecordedCalls({
  adapter: dnsimple,
  recording: { ...recording, exchanges: recording.exchanges.filter(({ url }) => url.pathname.includes("/records")) },
  answers: [["pagination", DnsimplePage, 51]],
  changes: ["text that comes and goes", "text that is replaced"],
  // Texts are written in quotes since November 2023; Lexicon sends words that mean nothing for a text.
  tidyBody: (body) => ({
    ...Struct.omit(body, "integrated_zones", "priority", "regions"),
    ...(body.content === undefined ? {} : { content: body.content.replace(/^"(.*)"$/, "$1") })
  })
})

/** An operation that answers as DNSimple has published it. */
const readPublished = async (name: string) => {
  const { scenarios } = await Bun.file(`${vendorData}recordings/dnsimple-vendor-fixtures.json`).json()
  const { interactions } = scenarios.find(({ scenario }: { readonly scenario: string }) => scenario === name)
  return () => ({ status: interactions[0].status, body: interactions[0].responseBody })
}

testAtFake(dnsimple, {
  "opens and reads a zone by the answers that DNSimple publishes for tests of clients": Effect.fnUntraced(function* () {
    const operations = yield* Effect.promise(async () => ({
      "GET /whoami": await readPublished("whoami/success-user"),
      "GET /accounts": await readPublished("accounts/success-account"),
      "GET /{account}/zones/{zone}": await readPublished("getZone/success"),
      "GET /{account}/zones/{zone}/records": await readPublished("listZoneRecords/success")
    }))
    const fake = yield* makeFakeOf({ vendor: { ...dnsimpleVendor, operations } })
    const nameServers = ["ns1.dnsimple.com", "ns2.dnsimple.com"]
    const { zone } = yield* Effect.flatMap(openAt(dnsimple, fake, { nameServers }), ({ read }) => read)
    expect(zone.records.map(({ locked, type }) => type + locked)).toEqual(["SOAfixed", ...Array(4).fill("NSfixed")])
  })
})
