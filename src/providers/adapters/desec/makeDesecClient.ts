import { Duration, Effect, Option } from "effect"
import { apexHost, type DomainName, normalizeName, toFqdn, toRelativeHost } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { toOpenFailure } from "../../ProviderError.ts"
import type { ProviderFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import type { AffectedNames } from "../../writing/AffectedNames.ts"
import type { RecordSet } from "../../writing/RecordSet.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import { type DesecRRset, type DesecRRsetChange, makeDesecApi } from "./DesecApi.ts"

/** The client for deSEC (https://desec.readthedocs.io). One bulk request is one transaction; no conditional writes. */
export const makeDesecClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeDesecApi({
      http,
      timeouts,
      token: yield* readToken(request.credential, { provider: "deSEC" }),
      zone
    })
    const domain = yield* Effect.mapError(api.readDomain, toOpenFailure)
    yield* checkDelegation(nameServers, request)
    const minimum = domain.minimum_ttl ?? limits.ttl.minimum
    return makeRecordSetZoneClient(
      {
        // Nothing says that a list shows every write at once.
        visibleWithin: Duration.seconds(5),
        limits: { ...limits, ttl: { ...limits.ttl, minimum } },
        readSets: (names) =>
          Effect.map(api.readRRsets(Option.map(names, listSubnames(zone))), (rrsets) => rrsets.map(toRecordSet)),
        writeSets: (setChanges) => api.patchRRsets(setChanges.map(toRRsetChange(zone))),
        fitsOneCall: () => true,
        checkRecord: makeTypeCheck("deSEC", types, (record) => checkRecord(record, request))
      },
      request
    )
  })
})

/** They serve every domain of deSEC. The NS set of a zone is no evidence, because customers may change it. */
const nameServers = ["ns1.desec.io", "ns2.desec.org"]

const listSubnames =
  (zone: DomainName) =>
  ({ above, at }: AffectedNames): ReadonlyArray<string> =>
    [...at.union(above)].map((name) => toSubname(name, zone))

/** A name relative to the zone, in lower case; the apex is empty. */
const toSubname = (name: string, zone: DomainName): string =>
  toRelativeHost(normalizeName(name), zone).pipe(
    Option.filter((host) => host !== apexHost),
    Option.getOrElse(() => "")
  )

const toRecordSet = ({ name, records, ttl, type }: DesecRRset): RecordSet => ({
  name,
  type,
  ttl,
  records: records.map((content) => ({ content }))
})

/** A TTL that does not change is not sent: it may be from a time when the domain's minimum was lower. */
const toRRsetChange =
  (zone: DomainName) =>
  ({ after, before, name, type }: SetChange<RecordSet>): DesecRRsetChange => ({
    subname: toSubname(name, zone),
    type,
    ...(after === undefined || after.ttl === before?.ttl ? {} : { ttl: after.ttl }),
    records: after?.records.map(({ content }) => content) ?? []
  })

/** Those that deSEC's server lets its users manage (api/desecapi/models/records.py, `RR_SET_TYPES_MANAGEABLE`). */
const types = [
  "A AAAA AFSDB APL CAA CERT CNAME CSYNC DHCID DLV DNAME DS EUI48 EUI64 HINFO HTTPS KX L32 L64 LOC LP MX NAPTR NID NS",
  "OPENPGPKEY PTR RP SMIMEA SPF SRV SSHFP SVCB TLSA TXT URI"
].join(" ")

/** Refuses what deSEC refuses of every domain, or of those below dedyn.io. */
const checkRecord = (
  { host, type, value }: ChangeRecord,
  { domain, zone }: ZoneLocation
): Option.Option<ProviderFailure> => {
  if (type === "NS" && zone.endsWith(".dedyn.io"))
    return refuseRecord("record_type_unsupported", "NS records cannot be changed in domains below dedyn.io")
  if (toSubname(toFqdn(host, domain), zone).length > maxSubnameLength)
    return refuseRecord("record_value_rejected", `a host has at most ${maxSubnameLength} characters`)
  const target = value.split(" ").at(-1) ?? ""
  return pointsToHost.has(type) && !isHostName(target) && (type === "NS" || target !== ".")
    ? refuseRecord("record_value_rejected", `${type} must point to a host name, without underscores: ${target}`)
    : Option.none()
}

const maxSubnameLength = 178

/** A CNAME may point to any name. */
const pointsToHost: ReadonlySet<string> = new Set(["MX", "NS", "SRV"])

const isHostName = (name: string): boolean =>
  name.split(".").every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(label))
