import { Duration, Effect, Option, Schema } from "effect"
import { apexHost, normalizeName } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ProviderLimits } from "../../../domain/provider/Provider.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { byGrantedToken } from "../../grantedToken.ts"
import { byToken, type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { defaultTimeouts, selectDelegatedZone, type Timeouts, type ZoneRequest } from "../../ProviderClient.ts"
import { makeKindLookup, type ProviderError, toOpenFailure } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { readGoogleServiceAccount } from "../../readToken.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { RecordSet } from "../../writing/RecordSet.ts"
import { escapeBySign } from "../../writing/recordContent.ts"
import { type CheckRecord, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"
import { makeGoogleGrant } from "./googleGrant.ts"

/** The client of Google Cloud DNS. A change is a whole plan: deleted sets must be as read, added ones absent. */
export const makeGoogleCloudDnsClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "service_account",
  openZone: Effect.fnUntraced(function* (request) {
    const account = yield* readGoogleServiceAccount(request.credential)
    const api = makeJsonApi({
      http,
      baseUrl: `https://dns.googleapis.com/dns/v1/projects/${account.project_id}`,
      authorization: byGrantedToken(http, yield* makeGoogleGrant(account, timeouts.call)),
      interpret,
      timeout: timeouts.call
    })
    const zone = yield* findZone(api, request)
    const path = `/managedZones/${zone.id}`
    const listSets = makeSetLister(api, path, timeouts)
    return makeRecordSetZoneClient<GoogleSet>(
      {
        limits: limitsOf(zone, limits),
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        checkRecord: makeCheck(request),
        typeOf: (record, location) => (record.type === "CNAME" && isApex(record, location) ? "ALIAS" : record.type),
        readSets: (names) => Effect.map(listSets(names), (sets) => sets.map(toGoogleSet)),
        writeSets: (setChanges) => writeChange(api, path, setChanges),
        fitsOneCall
      },
      request
    )
  })
})

/** A zone; `visibility` and `dnssecConfig` are absent in old ones. */
const ManagedZone = Schema.Struct({
  id: Schema.String.pipe(Schema.pattern(/^\d+$/)),
  dnsName: Schema.String,
  nameServers: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  visibility: Schema.optional(Schema.String),
  dnssecConfig: Schema.optional(Schema.Struct({ state: Schema.optional(Schema.String) }))
})

const ManagedZones = Schema.Struct({
  managedZones: Schema.optionalWith(Schema.Array(ManagedZone), { default: () => [] })
})

/** Finds the public zone to which the parent delegates; a project may have several of one name. */
const findZone = Effect.fnUntraced(function* (api: JsonApi, request: ZoneRequest) {
  const { managedZones } = yield* Effect.mapError(
    api.call({ method: "GET", path: "/managedZones", query: { dnsName: `${request.zone}.` }, schema: ManagedZones }),
    toOpenFailure
  )
  const candidates = managedZones.filter(
    ({ dnsName, visibility = "public" }) => normalizeName(dnsName) === request.zone && visibility === "public"
  )
  return yield* Effect.mapError(
    selectDelegatedZone(candidates, ({ nameServers }) => nameServers, request),
    (failure) =>
      candidates.length === 0 ? new ProviderFailure({ ...failure, detail: `${failure.detail}; ${hint}` }) : failure
  )
})

const hint =
  "the key opens the zones of its own project only, and a domain of the former Google Domains is managed at Squarespace"

/**
 * Not in the catalog, as Squarespace has the same name servers: a signed zone has no alias at its apex ("you cannot
 * enable DNSSEC on a zone with ALIAS records", records overview).
 */
const limitsOf = ({ dnssecConfig }: typeof ManagedZone.Type, limits: ProviderLimits): ProviderLimits => ({
  ...limits,
  capabilities: {
    ...limits.capabilities,
    caaRecords: "supported",
    spfRecords: "supported",
    subdomainNSModification: "supported",
    wildcardRecords: "supported",
    cnameFlattening: (dnssecConfig?.state ?? "off") === "off" ? "supported" : "unsupported"
  }
})

/** Throttling and a missing right are both 403; a set that is not as it was read has several codes. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const reason = status >= 400 ? /"reason":\s*"(\w+)"/.exec(text)?.[1] : undefined
  const kind = reason === "notFound" && text.includes("entity.change") ? "conflict" : kindOf(reason ?? "")
  return kind === undefined ? undefined : { kind }
}

const kindOf = makeKindLookup([
  ["rate_limited", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"],
  ["forbidden", "forbidden", "insufficientPermissions"],
  // The API is not switched on in the project.
  ["not_entitled", "accessNotConfigured"],
  ["conflict", "alreadyExists", "conditionNotMet", "cnameResourceRecordSetConflict"]
])

/** The records of one name and type in presentation format. A set with a routing policy has none of its own. */
const GoogleRecordSet = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  /** Seconds. */
  ttl: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  rrdatas: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  routingPolicy: Schema.optional(Schema.Unknown)
})
type GoogleRecordSet = typeof GoogleRecordSet.Type

export const ResourceRecordSets = Schema.Struct({
  rrsets: longArray(GoogleRecordSet),
  nextPageToken: Schema.optional(Schema.String)
})

/** The filter is of "this fully qualified domain name", which says nothing of a wildcard. */
const makeSetLister = (api: JsonApi, path: string, { snapshot: timeout }: Timeouts) =>
  api.makeLister({
    path: `${path}/rrsets`,
    paging: byToken(300, "pageToken", "maxResults"),
    schema: ResourceRecordSets,
    toPage: ({ nextPageToken, rrsets }) => ({ items: rrsets, next: nextPageToken }),
    identify: ({ name, type }) => `${name} ${type}`,
    timeout,
    queryAt: (name) => ({ name: `${name}.` }),
    canListAt: (name) => !name.includes("*")
  })

interface GoogleSet extends RecordSet {
  readonly stored: GoogleRecordSet
}

/** A set with a routing policy is locked, and shows what the policy chooses from: a change would lose the policy. */
const toGoogleSet = (stored: GoogleRecordSet): GoogleSet => {
  const { name, routingPolicy, rrdatas, ttl, type } = stored
  const contents = routingPolicy === undefined ? rrdatas : ["answered by a routing policy"]
  return {
    name,
    type,
    ttl,
    records: contents.map((content) => ({ content })),
    ...(routingPolicy === undefined ? {} : { locked: "fixed" }),
    stored
  }
}

/** The body of a change. Sets go exactly as they are stored, and records that stay are written back as they were read. */
const toChange = (setChanges: ReadonlyArray<SetChange<GoogleSet>>) => ({
  deletions: setChanges.flatMap(({ before }) => before?.stored ?? []),
  additions: setChanges.flatMap(({ after, before, name, type }) => {
    if (after === undefined) return []
    const rrdatas = after.records.map((member) =>
      before?.records.includes(member) === true ? member.content : escapeBySign(member.content)
    )
    return { name: before?.name ?? `${name}.`, type, ttl: after.ttl, rrdatas }
  })
})

/** DNSControl: 1,000 additions and as many deletions; Cloud DNS, "Quotas and limits": 100,000 bytes. */
const fitsOneCall = (setChanges: ReadonlyArray<SetChange<GoogleSet>>): boolean => {
  const { additions, deletions } = toChange(setChanges)
  const sizes = [additions, deletions].map((sets) => sets.flatMap(({ rrdatas }) => rrdatas))
  return sizes.every((all) => all.length <= 1000 && all.join("").length <= 100_000)
}

/** A change that is pending has been made, and is not yet served by all servers ("Change" in the document). */
const writeChange = (
  api: JsonApi,
  path: string,
  setChanges: ReadonlyArray<SetChange<GoogleSet>>
): Effect.Effect<void, ProviderError> =>
  Effect.asVoid(
    api.call({ method: "POST", path: `${path}/changes`, body: toChange(setChanges), schema: WrittenChange })
  )

const WrittenChange = Schema.Struct({ id: Schema.String, status: Schema.Literal("pending", "done") })

/** Records overview, "Supported DNS record types", without those that are of DNSSEC in the zone itself. */
const types = "A AAAA ALIAS CAA CNAME DS HTTPS MX NAPTR NS PTR SPF SRV SSHFP SVCB TLSA TXT"

const makeCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck("Google Cloud DNS", types, (record) =>
    record.type === "ALIAS" && !isApex(record, location)
      ? refuseRecord("record_type_unsupported", `Google Cloud DNS has an ALIAS at the apex only, not at ${record.host}`)
      : Option.none()
  )

const isApex = ({ host }: ChangeRecord, { domain, zone }: ZoneLocation): boolean => host === apexHost && domain === zone
