import { Array, Duration, Effect, Option, Schema } from "effect"
import { apexHost } from "../../../domain/names/DomainName.ts"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { nullTarget } from "../../../domain/records/target.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byGrantedToken, type TokenGrant } from "../../grantedToken.ts"
import { type JsonApi, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts, type Timeouts, type ZoneRequest } from "../../ProviderClient.ts"
import { type ProviderError, toOpenFailure } from "../../ProviderError.ts"
import { makeZoneMismatch, ProviderFailure } from "../../ProviderFailure.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { type CheckRecord, isEmptyText, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"
import { AzureRecordSet, AzureRecordSets, type AzureSet, azureTypes, toAzureSet, toBody } from "./AzureRecordSet.ts"

/** Makes the client of Azure DNS. Each call writes one set, only if it is as it was read, or still does not exist. */
export const makeAzureClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "service_principal",
  openZone: Effect.fnUntraced(function* (request) {
    const { credential, zone } = request
    if (credential._tag !== "service_principal")
      return yield* new ProviderFailure({ code: "credential_invalid", isLocal: true, detail: acceptedText })
    const api = makeJsonApi({
      http,
      baseUrl,
      authorization: byGrantedToken(http, makeAzureGrant(credential, timeouts)),
      interpret,
      removedBy: "an empty 200",
      timeout: timeouts.call
    })
    const group = `/subscriptions/${credential.subscriptionId}/resourceGroups/${encodeURIComponent(credential.resourceGroup)}`
    const path = `${group}/providers/Microsoft.Network/dnsZones/${zone}`
    yield* requireZone(api, path, request)
    return makeRecordSetZoneClient<AzureSet>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        checkRecord: makeCheck(request),
        readSets: () => Effect.map(readSets(api, path, timeouts), (sets) => sets.map(toAzureSet(zone))),
        writeSets: Effect.forEach(writeSet(api, path, zone), { discard: true })
      },
      request
    )
  })
})

const baseUrl = "https://management.azure.com"

const acceptedText = "Azure accepts a service principal with the resource group of the zone"

const version = { "api-version": "2018-05-01" }

/** The grant of an application (Microsoft identity platform, "OAuth 2.0 client credentials flow"). */
const makeAzureGrant = (
  { clientId, clientSecret, tenantId }: Extract<Credential, { readonly _tag: "service_principal" }>,
  { call: timeout }: Timeouts
): TokenGrant => ({
  tokenUrl: `https://login.microsoftonline.com/${tenantId}/oauth2/v2.0/token`,
  timeout,
  // "The provided client secret keys … are expired."
  interpret: ({ text }) => (text.includes("AADSTS7000222") ? { kind: "credential_expired" } : undefined),
  parameters: Effect.succeed({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: `${baseUrl}/.default`
  })
})

/** A set that is not as it was read; or a zone that its owner has locked, or whose subscription is switched off. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  if (status !== 409 && status !== 412) return undefined
  return { kind: /"(ScopeLocked|ReadOnlyDisabledSubscription)"/.test(text) ? "locked" : "conflict" }
}

const AzureZone = Schema.Struct({
  properties: Schema.Struct({
    zoneType: Schema.optional(Schema.String),
    nameServers: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
  })
})

/** Fails unless the resource group has the public zone to which the parent delegates; another one may have another. */
const requireZone = Effect.fnUntraced(function* (api: JsonApi, path: string, request: ZoneRequest) {
  const { properties } = yield* Effect.mapError(
    api.call({ method: "GET", path, query: version, schema: AzureZone }),
    toOpenFailure
  )
  if (properties.zoneType !== undefined && properties.zoneType !== "Public")
    return yield* makeZoneMismatch(`${request.zone} is a private zone there`)
  yield* Effect.mapError(checkDelegation(properties.nameServers, request), ({ detail }) =>
    makeZoneMismatch(`${detail}; a zone of the same name in another resource group may be the one`)
  )
})

/** "If not specified, returns up to 100 record sets"; the address of the next page names where it begins. */
const readSets = (api: JsonApi, zonePath: string, { snapshot: timeout }: Timeouts) =>
  api.list({
    path: `${zonePath}/recordsets`,
    query: version,
    paging: { perPage: 100, first: {}, toQuery: (next: Readonly<Record<string, string>>) => next },
    schema: AzureRecordSets,
    toPage: ({ nextLink, value }) => ({ items: value, next: nextLink == null ? undefined : toNextQuery(nextLink) }),
    identify: ({ name, type }) => `${name} ${type}`,
    timeout
  })

/** The query of an address alone: whatever its host is, the token goes to Azure only. */
const toNextQuery = (nextLink: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(nextLink.slice(nextLink.indexOf("?") + 1)))

/** The path has the name as Azure spells it. That there was no set to remove (204) proves nothing: the zone is read then. */
const writeSet =
  (api: JsonApi, zonePath: string, zone: string) =>
  (change: SetChange<AzureSet>): Effect.Effect<void, ProviderError> => {
    const { after, before, name, type } = change
    const host = name.length === zone.length ? apexHost : encodeURIComponent(name.slice(0, -zone.length - 1))
    const path = `${zonePath}/${type}/${host}`
    const headers = { [before === undefined ? "if-none-match" : "if-match"]: before?.etag ?? "*" }
    const conditions = { query: version, headers }
    return after === undefined
      ? api.remove(path, conditions)
      : Effect.asVoid(api.call({ ...conditions, method: "PUT", path, body: toBody(change), schema: AzureRecordSet }))
  }

const makeCheck = ({ domain, zone }: ZoneLocation): CheckRecord =>
  makeTypeCheck("Azure DNS", azureTypes, (record) => {
    const { host, type, value } = record
    const isText = type === "TXT"
    const faults: ReadonlyArray<readonly [isFaulty: boolean, reason: string]> = [
      [type === "NS" && host === apexHost && domain === zone, "Azure keeps the name servers of the zone itself"],
      [type === "MX" && value === nullTarget, "Azure has no MX without a mail server"],
      [isEmptyText(record), "Azure has no empty text"],
      [isText && value.length > 4096, "Azure takes texts of at most 4,096 characters"],
      [isText && !/^[ -~]*$/.test(value), "how Azure stores characters other than those of ASCII is not known"],
      [type === "CAA" && value.includes("\\"), "how Azure stores quotes and backslashes in a CAA value is not known"]
    ]
    return Option.flatMap(
      Array.findFirst(faults, ([isFaulty]) => isFaulty),
      ([, reason]) => refuseRecord("record_value_rejected", `${type} ${host}: ${reason}`)
    )
  })
