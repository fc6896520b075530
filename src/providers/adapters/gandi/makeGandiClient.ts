import { Duration, Effect, Schema } from "effect"
import { apexHost } from "../../../domain/names/DomainName.ts"
import { inScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byNumber, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { readToken } from "../../readToken.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { RecordSet, SetMember } from "../../writing/RecordSet.ts"
import { toAbsoluteContent } from "../../writing/recordContent.ts"
import { makeTypeCheck } from "../../writing/requireStorable.ts"

/** The client of Gandi LiveDNS. Each call writes one set; only a creation is conditional: there must be none. */
export const makeGandiClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://api.gandi.net/v5/livedns",
      authorization: inScheme("Bearer", yield* readToken(request.credential, { provider: "Gandi" })),
      interpret: interpretResponse,
      timeout: timeouts.call
    })
    const nameServers = yield* Effect.mapError(
      api.call({ method: "GET", path: `${pathOf(zone)}/nameservers`, schema: Schema.Array(Schema.String) }),
      (error) => toOpenFailure(addHint(error))
    )
    yield* checkDelegation(nameServers, request)
    return makeRecordSetZoneClient<GandiRecordSet>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        checkRecord,
        typeOf: ({ host, type }, { domain }) =>
          type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type,
        readSets: () => Effect.map(readSets(api, zone, timeouts), (sets) => sets.map(toRecordSet(zone))),
        writeSets: Effect.forEach(writeSet(api, zone), { discard: true })
      },
      request
    )
  })
})

/** A token may have expired; a set may be absent, or there already; each is no word about the zone. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  if ((status === 401 || status === 403) && /expired/i.test(text)) return { kind: "credential_expired" }
  if (status === 404 && text.includes('"dns-record"')) return { kind: "record_absent" }
  return status === 409 ? { kind: "conflict" } : undefined
}

const addHint = (error: ProviderError): ProviderError =>
  error.kind === "absent"
    ? new ProviderError({
        ...error,
        detail: `${error.detail}; a token is of one organization, and opens no other's zones`
      })
    : error

/** A set. Its name is relative to the zone, in the spelling in which it was entered; its values are as in a zone file. */
const GandiSet = Schema.Struct({
  rrset_name: Schema.String,
  rrset_type: Schema.String,
  /** Seconds. */
  rrset_ttl: Schema.Number,
  rrset_values: Schema.Array(Schema.String)
})
type GandiSet = typeof GandiSet.Type

export const GandiSets = longArray(GandiSet)

const pathOf = (zone: string): string => `/domains/${zone}`

/** A page that is not full is the last one; nothing else in the body says so. */
const readSets = (
  api: JsonApi,
  zone: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<GandiSet>, ProviderError> =>
  api.list({
    path: `${pathOf(zone)}/records`,
    paging: byNumber(setsPerPage),
    schema: GandiSets,
    toPage: (items, page) => ({ items, next: items.length < setsPerPage ? undefined : page + 1 }),
    identify: ({ rrset_name, rrset_type }) => `${rrset_name} ${rrset_type}`,
    timeout
  })

const setsPerPage = 100

/** A set with absolute names, and what Gandi stores for each record. */
interface GandiRecordSet extends RecordSet {
  readonly records: ReadonlyArray<SetMember & { readonly stored: string }>
}

const toRecordSet =
  (zone: string) =>
  ({ rrset_name, rrset_ttl: ttl, rrset_type: type, rrset_values }: GandiSet): GandiRecordSet => ({
    name: rrset_name === apexHost ? zone : `${rrset_name}.${zone}`,
    type,
    ttl,
    records: rrset_values.map((stored) => ({ stored, content: toAbsoluteContent(type, stored, zone) }))
  })

/** The path has the name as Gandi spells it; siblings are sent along as they were read. */
const writeSet =
  (api: JsonApi, zone: string) =>
  ({ after, before, name, type }: SetChange<GandiRecordSet>): Effect.Effect<void, ProviderError> => {
    const host = name.length === zone.length ? apexHost : name.slice(0, -zone.length - 1)
    const path = `${pathOf(zone)}/records/${encodeURIComponent(host)}/${type}`
    if (after === undefined) return Effect.mapError(api.remove(path), toRecordAbsent)
    const rrset_values = after.records.map((member) => ("stored" in member ? member.stored : member.content))
    const method = before === undefined ? "POST" : "PUT"
    return Effect.asVoid(api.call({ method, path, body: { rrset_ttl: after.ttl, rrset_values }, schema: WrittenSet }))
  }

/** What Gandi answers to a write; anything else, such as a page of a proxy, proves nothing. */
const WrittenSet = Schema.Struct({ message: Schema.String })

/** The types of Gandi of which others have written some. */
const checkRecord = makeTypeCheck("Gandi", "A AAAA ALIAS CAA CNAME MX NS SPF SRV TXT")
