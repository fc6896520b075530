import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { CloudflareRecord } from "../../../../src/providers/adapters/cloudflare/cloudflareRecords.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { RecordedExchange } from "../../../support/vendors/Recording.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeFakeOf, openAt } from "../DescribedAdapter.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { cloudflare, listRecords, succeed, validToken } from "./cloudflare.ts"
import { readShown } from "./storedCloudflareRecords.ts"

/** Lexicon sends `data: null`, which the document does not know. */
const withoutData = (exchange: RecordedExchange): RecordedExchange => ({
  ...exchange,
  requestBody: exchange.requestBody && { ...exchange.requestBody, data: undefined }
})

const { exchanges, scenarios } = await recordedScenarios("cloudflare")
const zone = "byemike.org"

/** The lists of zones have pages of 100, which the document does not allow. */
const isOfRecords = ({ url }: RecordedExchange): boolean => url.pathname.includes("/dns_records")
const listed = (body: any): ReadonlyArray<any> =>
  [body?.result ?? []].flat().filter(({ content }) => content !== undefined)

testRecording(cloudflare, {
  scenarios: scenarios
    .map(({ exchanges, name }) => ({ name, exchanges: exchanges.filter(isOfRecords).map(withoutData) }))
    .filter(({ exchanges }) => exchanges.length > 0),
  exchanges: exchanges.map(withoutData),
  zone,
  headers: { authorization: `Bearer ${validToken}` },
  readListed: (body) => listed(body).map(readShown),
  createdBy: ({ method, responseBody, status }) =>
    method === "POST" && status === 200 ? [responseBody.result.id] : [],
  // Cloudflare chooses the order of a list.
  tidy: (body) => ({
    ...body,
    result: [body.result ?? []]
      .flat()
      .map((record) => ({ ...record, created_on: undefined, modified_on: undefined }))
      .toSorted((one: any, other: any) => (one.content < other.content ? -1 : 1))
  })
})

/** What somebody else wrote alone, as one of a batch: quoted, and without what is left to chance. */
const inBatch = ({ method, requestBody, url, ...exchange }: RecordedExchange): RecordedExchange => {
  const [, path = "", id] = /^(.*\/dns_records)(?:\/(\w+))?$/.exec(url.pathname) ?? []
  const batch = method === "DELETE" ? { deletes: [{ id }] } : { posts: method === "GET" ? [] : [requestBody] }
  return { ...exchange, method: "POST", url: new URL(`${path}/batch`, url), requestBody: batch }
}

testRecordedCalls({
  adapter: cloudflare,
  recording: {
    zone,
    exchanges: exchanges
      .filter(isOfRecords)
      .map((exchange) => ({ ...inBatch(exchange), responseBody: listed(exchange.responseBody) }))
  },
  answers: [["content", CloudflareRecord, 63]],
  changes: ["address", "alias", "text that comes and goes", "text beside another that goes"],
  tidyBody: ({ deletes = [], posts = [] }) => ({
    deletes: deletes.length,
    posts: posts.map(({ content, name, ttl, type }: any) => [
      name.replace(/\.[^.]+\.(com|org)$/, ""),
      type,
      content.replaceAll('"', ""),
      ttl
    ])
  })
})

describeIfPossible("what was recorded at Cloudflare", missingVendorData, () => {
  live("is read by the adapter: the zone, and each record of each answer", () =>
    Effect.gen(function* () {
      expect(exchanges).toHaveLength(88)
      const all = exchanges.flatMap(({ responseBody }) => listed(responseBody))
      const records = [...new Map(all.map((record) => [record.id, record])).values()]
      const fake = yield* makeFakeOf(cloudflare)
      const answers = {
        "GET /zones": exchanges[0]?.responseBody,
        [listRecords]: succeed(records, { result_info: { total_count: records.length } }).body
      }
      for (const [operation, body] of Object.entries(answers))
        fake.injectFault({ operation }, { change: "not_made", answer: { status: 200, body } })
      const name = DomainName.make(zone)
      const opened = yield* openAt(cloudflare, fake, { zone: name, domain: name })
      expect((yield* opened.read).zone.records).toEqual(
        records.map(({ content: value, name, ttl, type }) => ({ host: name.replace(`.${zone}`, ""), type, value, ttl }))
      )
    })
  )
})
