import type { HttpClient } from "@effect/platform"
import { Duration, Effect, type Redacted, Schema } from "effect"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { inScheme } from "../../apiAuthorization.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import {
  makeSingleRecordZoneClient,
  type RecordAtName,
  type RecordStep
} from "../../writing/makeSingleRecordZoneClient.ts"
import { jsonZoneLimits, readAdmitted } from "../../zoneLimits.ts"
import { checkDigitalOceanRecord, DomainRecord, toRecordBody, toZoneRecord } from "./DomainRecord.ts"

/** The client for DigitalOcean. Each call writes one record, and the API has no conditional writes. */
export const makeDigitalOceanClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const token = yield* readToken(request.credential, { provider: "DigitalOcean", takesOAuth: true })
    const api = makeDigitalOceanApi(http, token, timeouts)
    yield* Effect.mapError(findZone(api, zone), toOpenFailure)
    yield* checkDelegation(nameServers, request)
    return makeSingleRecordZoneClient(
      {
        limits,
        // Nothing says that a list shows every write; and a gateway may answer 504 before a write is made.
        visibleWithin: Duration.seconds(5),
        listRecords: makeRecordLister(api, zone, timeouts),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, zone, step),
        checkRecord: checkDigitalOceanRecord
      },
      request
    )
  })
})

/** Every zone has these; the API does not tell them. */
const nameServers = ["ns1.digitalocean.com", "ns2.digitalocean.com", "ns3.digitalocean.com"]

const makeDigitalOceanApi = (
  http: HttpClient.HttpClient,
  secret: Redacted.Redacted,
  { call: timeout }: Timeouts
): JsonApi =>
  makeJsonApi({
    http,
    baseUrl: "https://api.digitalocean.com",
    authorization: inScheme("Bearer", secret),
    interpret: interpretResponse,
    timeout
  })

/** An alias and other records exclude each other: the name has changed, as in issue 4802 of kubernetes-sigs/external-dns. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 422 && text.includes("CNAME records cannot share a name") ? { kind: "conflict" } : undefined

/** The answer contains the zone as a zone file, which nobody reads; a page of a proxy is none. */
const findZone = (api: JsonApi, zone: DomainName): Effect.Effect<unknown, ProviderError> =>
  Effect.filterOrFail(
    readAdmitted((admits) => api.send({ method: "GET", path: pathOf(zone), admits }), jsonZoneLimits),
    ({ text }) => text.trimStart().startsWith("{"),
    () => new ProviderError({ kind: "malformed", detail: "the answer for the domain is not JSON" })
  )

const makeRecordLister = (api: JsonApi, zone: DomainName, { snapshot: timeout }: Timeouts) =>
  api.makeLister({
    path: `${pathOf(zone)}/records`,
    paging: byNumber(200),
    queryAt: (name) => ({ name }),
    // The document explains the filter below the apex, and says nothing of wildcards.
    canListAt: (name) => name !== zone && !name.startsWith("*."),
    schema: DomainRecordPage,
    toPage: ({ domain_records, links, meta }, page) => ({
      items: domain_records,
      total: meta.total,
      next: links.pages?.next === undefined ? undefined : page + 1
    }),
    identify: ({ id }) => id,
    pause,
    timeout
  })

/** 250 calls a minute, in DigitalOcean's release note of 2020-02-06. */
const pause = Duration.millis(60_000 / 250)

/** A page of the records of a zone, with the number of all of them. */
export const DomainRecordPage = Schema.Struct({
  domain_records: longArray(DomainRecord),
  links: Schema.Struct({ pages: Schema.optional(Schema.Struct({ next: Schema.optional(Schema.String) })) }),
  meta: Schema.Struct({ total: Schema.Number })
})

const writeStep = (
  api: JsonApi,
  zone: DomainName,
  step: RecordStep<DomainRecord>
): Effect.Effect<void, ProviderError> => {
  const records = `${pathOf(zone)}/records`
  const write = (method: "POST" | "PUT", path: string, record: RecordAtName) =>
    Effect.asVoid(api.call({ method, path, body: toRecordBody(record, zone), schema: WrittenRecord }))
  if (step.action === "create") return write("POST", records, step.record)
  const path = `${records}/${step.stored.id}`
  return Effect.mapError(step.action === "remove" ? api.remove(path) : write("PUT", path, step.record), toRecordAbsent)
}

const WrittenRecord = Schema.Struct({ domain_record: DomainRecord })

const pathOf = (zone: DomainName): string => `/v2/domains/${zone}`
