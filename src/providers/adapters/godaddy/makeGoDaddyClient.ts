import { Duration, Effect, Schema } from "effect"
import { toZoneHost } from "../../../domain/names/DomainName.ts"
import { inScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { checkGoDaddyRecord, GoDaddyRecord, isServiceHost, toNewRecord, toZoneRecord } from "./GoDaddyRecord.ts"

/**
 * The client of GoDaddy, version 3; keys of earlier ones end with 2026. It creates and removes single records, without
 * conditions. No call replaces one: it would answer 200 and replace the whole zone (issue 136 of godaddy/cli).
 */
export const makeGoDaddyClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.godaddy.com/v3/domains",
      authorization: inScheme("Bearer", yield* readToken(request.credential, { provider: "GoDaddy" })),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    const records = listOf(zone, timeouts)
    const own = yield* Effect.mapError(
      api.list({ ...records, query: { ...records.query, type: "NS", name: "@" } }),
      (error) => toOpenFailure(toZoneAbsent(error))
    )
    yield* checkDelegation(
      own.map(({ data }) => data),
      request
    )
    return makeSingleRecordZoneClient<GoDaddyRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: api.makeLister({
          ...records,
          queryAt: (name) => ({ name: toZoneHost(name, zone) }),
          // The document says nothing of a filter for wildcards, nor of one for the service of an SRV.
          canListAt: (name) => !name.startsWith("*.") && !isServiceHost(toZoneHost(name, zone))
        }),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, zone, step),
        canReplace: () => false,
        checkRecord: checkGoDaddyRecord
      },
      request
    )
  })
})

/**
 * An account may have no access to the API; a limit may say in its body how long to wait; a record that is there already
 * means that the zone has changed.
 */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  if (status === 429) return { kind: "rate_limited", retryAfter: /"retryAfterSec":\s*(\d+)/.exec(text)?.[1] }
  if (status === 403 && /ACCESS_DENIED|not allowed access/i.test(text)) return { kind: "not_entitled" }
  return status >= 400 && status < 500 && text.includes("DUPLICATE_RECORD") ? { kind: "conflict" } : undefined
}

/** A zone that the account does not have is 404, and for some names 400. */
const toZoneAbsent = (error: ProviderError): ProviderError =>
  error.kind === "rejected" ? new ProviderError({ ...error, kind: "absent" }) : error

const pathOf = (zone: string): string => `/zones/${zone}/dns-records`

/** A page of the records of a zone; an empty list has no total. */
const GoDaddyPage = Schema.Struct({
  items: longArray(GoDaddyRecord),
  totalItems: Schema.optional(Schema.Number),
  links: Schema.optionalWith(Schema.Array(Schema.Struct({ rel: Schema.String })), { default: () => [] })
})

const listOf = (zone: string, { snapshot: timeout }: Timeouts) => ({
  path: pathOf(zone),
  paging: byNumber(100, "pageSize"),
  query: { totalRequired: "true" },
  schema: GoDaddyPage,
  toPage: ({ items, links, totalItems: total }: typeof GoDaddyPage.Type, page: number) => ({
    items,
    total: total ?? items.length,
    next: links.some(({ rel }) => rel === "next") ? page + 1 : undefined
  }),
  identify: (record: GoDaddyRecord) => JSON.stringify(record),
  // 60 calls a minute.
  pause: "1 second" as const,
  timeout
})

/** GoDaddy has no call that replaces one record; `canReplace` says so, and no plan asks for it. */
const writeStep = (api: JsonApi, zone: string, step: RecordStep<GoDaddyRecord>): Effect.Effect<void, ProviderError> => {
  if (step.action === "replace") return Effect.dieMessage("GoDaddy replaces no record")
  return step.action === "create"
    ? Effect.asVoid(
        api.call({ method: "POST", path: pathOf(zone), body: toNewRecord(step.record, zone), schema: GoDaddyRecord })
      )
    : Effect.mapError(api.remove(`${pathOf(zone)}/${encodeURIComponent(step.stored.recordId ?? "")}`), toRecordAbsent)
}
