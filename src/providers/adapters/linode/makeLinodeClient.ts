import { Duration, Effect, Schema } from "effect"
import { inScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { defaultTimeouts, selectDelegatedZone, type Timeouts } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { LinodeRecord, makeLinodeCheck, toRecordBody, toZoneRecord } from "./LinodeRecord.ts"

/** The client of Linode. Each call writes one record, and the API has no conditional writes. */
export const makeLinodeClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.linode.com",
      authorization: inScheme("Bearer", yield* readToken(request.credential, { provider: "Linode" })),
      interpret: interpretResponse,
      removedBy: 200,
      timeout: timeouts.call
    })
    const domains = yield* Effect.mapError(findDomains(api, zone), toOpenFailure)
    const { id, ttl_sec } = yield* selectDelegatedZone(domains, () => nameServers, request)
    const ttl = ttl_sec === 0 ? defaultTtl : ttl_sec
    const records = `${domainsPath}/${id}/records`
    return makeSingleRecordZoneClient<LinodeRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: () => readRecords(api, records, timeouts),
        toRecord: (stored) => toZoneRecord(stored, { ttl, zone }),
        write: ([step]) => writeStep(api, records, step, zone),
        checkRecord: makeLinodeCheck(request)
      },
      request
    )
  })
})

const domainsPath = "/v4/domains"

/** Every zone has these; the API does not tell them. */
const nameServers = [1, 2, 3, 4, 5].map((number) => `ns${number}.linode.com`)

/** Seconds, of a zone whose TTL is 0: a day, as Linode's guide says. */
const defaultTtl = 86_400

/** A token without the scope for a call is refused like one that is none. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 401 && text.includes("not authorized to use this endpoint") ? { kind: "forbidden" } : undefined

const LinodeDomain = Schema.Struct({
  id: Schema.Number,
  domain: Schema.String,
  /** `master`, or `slave` for a copy of a zone from elsewhere. */
  type: Schema.String,
  /** `active`, or else it is not served. */
  status: Schema.String,
  ttl_sec: Schema.Number
})
type LinodeDomain = typeof LinodeDomain.Type

/** Finds the domain, of which Linode has one in all accounts. */
const findDomains = (api: JsonApi, zone: string): Effect.Effect<ReadonlyArray<LinodeDomain>, ProviderError> =>
  Effect.map(
    api.call({
      method: "GET",
      path: domainsPath,
      headers: { "X-Filter": JSON.stringify({ domain: zone }) },
      schema: Schema.Struct({ data: Schema.Array(LinodeDomain) })
    }),
    ({ data }) => data.filter(({ domain, status, type }) => domain === zone && type === "master" && status === "active")
  )

/** A page of the records of a zone. */
export const LinodePage = Schema.Struct({
  data: longArray(LinodeRecord),
  pages: Schema.Number,
  results: Schema.Number
})

const readRecords = (
  api: JsonApi,
  path: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<LinodeRecord>, ProviderError> =>
  api.list({
    path,
    paging: byNumber(500, "page_size"),
    schema: LinodePage,
    toPage: ({ data: items, pages, results: total }, page) => ({
      items,
      total,
      next: page < pages ? page + 1 : undefined
    }),
    identify: ({ id }) => id,
    // 100 calls a minute for pages; a zone has at most 12,000 records.
    pause: "600 millis",
    timeout
  })

const writeStep = (
  api: JsonApi,
  records: string,
  step: RecordStep<LinodeRecord>,
  zone: string
): Effect.Effect<void, ProviderError> => {
  const write = (method: "POST" | "PUT", path: string, body: unknown) =>
    Effect.asVoid(api.call({ method, path, body, schema: LinodeRecord }))
  if (step.action === "create") return write("POST", records, toRecordBody(step.record, zone))
  const path = `${records}/${step.stored.id}`
  return Effect.mapError(
    step.action === "remove" ? api.remove(path) : write("PUT", path, toRecordBody(step.record, zone)),
    toRecordAbsent
  )
}
