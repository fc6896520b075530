import { Effect, Option } from "effect"
import { normalizeName } from "../../../domain/names/DomainName.ts"
import { formatLabel } from "../../../domain/records/presentation.ts"
import { makeKeyReader } from "../../awsRoles.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { defaultTimeouts, selectDelegatedZone, type ZoneRequest } from "../../ProviderClient.ts"
import { toOpenFailure } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { RecordSet, SetMember } from "../../writing/RecordSet.ts"
import { escapeBySign, formatCode, formatContent, replaceCodes } from "../../writing/recordContent.ts"
import { makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import { isSimpleSet, makeRoute53Api, type ResourceRecordSet, type Route53Api } from "./Route53Api.ts"

/**
 * The client of Amazon Route 53. A batch is a whole plan, for sets as they were read. A list shows it at once: "This
 * includes records that are PENDING" (API reference, ListResourceRecordSets).
 */
export const makeRoute53Client: CatalogClientFactory = ({ awsIdentity, http, limits, timeouts = defaultTimeouts }) => ({
  credential: awsIdentity === undefined ? "access_key_secret" : "aws_role",
  openZone: Effect.fnUntraced(function* (request) {
    const readKey = yield* makeKeyReader({ http, identity: awsIdentity, timeout: timeouts.call }, request, actions)
    const api = makeRoute53Api(http, readKey, timeouts)
    const path = yield* findZone(api, request)
    const listSets = api.makeSetLister(path)
    return makeRecordSetZoneClient(
      {
        limits,
        checkRecord,
        readSets: (names) => Effect.map(listSets(names), (sets) => sets.map(toRoute53Set)),
        writeSets: (setChanges) => api.writeBatch(path, toBatch(setChanges)),
        fitsOneCall: fitsOneBatch
      },
      request
    )
  })
})

/** All that a role is used for, whatever else it allows. */
const actions = ["ListHostedZonesByName", "GetHostedZone", "ListResourceRecordSets", "ChangeResourceRecordSets"].map(
  (action) => `route53:${action}`
)

/** Finds the path of the public zone to which the parent delegates; an account may have several of one name. */
const findZone = Effect.fnUntraced(function* (api: Route53Api, request: ZoneRequest) {
  const { HostedZones } = yield* Effect.mapError(api.listZones(request.zone), toOpenFailure)
  const candidates = HostedZones.filter(
    ({ Config, Name }) => normalizeName(toStandardName(Name)) === request.zone && Config?.PrivateZone !== "true"
  )
  const zones = yield* Effect.mapError(
    Effect.forEach(candidates, ({ Id }) => api.readZone(Id.slice(1))),
    toOpenFailure
  )
  const { HostedZone } = yield* selectDelegatedZone(zones, (zone) => zone.DelegationSet?.NameServers ?? [], request)
  if (HostedZone.LinkedService === undefined) return HostedZone.Id.slice(1)
  return yield* new ProviderFailure({ code: "provider_zone_locked", detail: "another service of AWS keeps the zone" })
})

/** Developer guide, "Supported DNS record types", without the zone's own SOA. */
const types = "A AAAA CAA CNAME DS HTTPS MX NAPTR NS PTR SPF SRV SSHFP SVCB TLSA TXT"

const checkRecord = makeTypeCheck("Route 53", types, (record) => {
  if (record.type === "NS" && record.host.startsWith("*"))
    return refuseRecord("record_type_unsupported", "Route 53 has no NS records at a wildcard")
  return toRoute53Value(formatContent(record)).length > 4000
    ? refuseRecord("record_value_rejected", "Route 53 takes values of at most 4,000 characters")
    : Option.none()
})

/** A set in standard presentation format, and as Route 53 stores it. */
interface Route53Set extends RecordSet {
  readonly records: ReadonlyArray<SetMember & { readonly value: string }>
  readonly stored: ResourceRecordSet
}

/** Converts a set of Route 53. An alias has its target as content, and the minute for which most are answered. */
const toRoute53Set = (stored: ResourceRecordSet): Route53Set => {
  const { AliasTarget, Name, ResourceRecords = [], TTL = 60, Type } = stored
  const values = AliasTarget === undefined ? ResourceRecords.map(({ Value }) => Value) : [AliasTarget.DNSName]
  return {
    name: toStandardName(Name),
    type: Type,
    ttl: TTL,
    records: values.map((value) => ({ value, content: toStandardContent(value) })),
    // A batch would lose what a set has beside a TTL and values, such as weights or health checks.
    ...(isSimpleSet(stored) ? {} : { locked: "fixed" }),
    stored
  }
}

/** Replaces sets as they were read: deletions match exactly, creations fail if there is one; what stays is as it was. */
const toBatch = (setChanges: ReadonlyArray<SetChange<Route53Set>>) => [
  ...setChanges.flatMap(({ before }) => (before ? [{ Action: "DELETE", ResourceRecordSet: before.stored }] : [])),
  ...setChanges.flatMap(({ after, before, name, type }) => {
    if (after === undefined) return []
    const ResourceRecords = after.records.map((member) => ({
      Value: "value" in member ? member.value : toRoute53Value(member.content)
    }))
    const Name = before?.stored.Name ?? `${toOctal(name)}.`
    return [{ Action: "CREATE", ResourceRecordSet: { Name, Type: type, TTL: after.ttl, ResourceRecords } }]
  })
]

const fitsOneBatch = (setChanges: ReadonlyArray<SetChange<Route53Set>>): boolean => {
  const records = toBatch(setChanges).flatMap(({ ResourceRecordSet }) => ResourceRecordSet.ResourceRecords ?? [])
  return records.length <= 1000 && records.reduce((total, { Value }) => total + Value.length, 0) <= 32_000
}

/** Content in standard presentation format, in which codes are decimal (RFC 1035 section 5.1). */
const toStandardContent = (value: string): string => replaceCodes(value, 8, (byte) => formatCode(byte, 10))

/** A name in normal form; Route 53 writes all characters but `a-z0-9_-` as octal codes, also the `*` of a wildcard. */
const toStandardName = (name: string): string => replaceCodes(name, 8, (byte) => formatLabel(Buffer.of(byte)))

/** A name or a value in which codes are octal, from one in which they are decimal. */
const toOctal = (text: string): string => replaceCodes(text, 10, (byte) => formatCode(byte, 8))

/** A value in which codes are octal, from content in which they are decimal. */
const toRoute53Value = (content: string): string => toOctal(escapeBySign(content))
