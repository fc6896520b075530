import { Array, Either } from "effect"
import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost } from "../../domain/names/DomainName.ts"
import { isInNetworks, type Network } from "../../domain/names/IpAddress.ts"
import type { ObservationReason } from "../../domain/plan/RecordObservation.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { isAddressRole } from "../RecordRole.ts"
import { isApex, isServiceHost, type LiveRecord, type LiveZone, replaceRecordsAt } from "./LiveZone.ts"

/** Where a provider may answer with other addresses than the stored ones: those of an alias's target, or its own. */
export interface AliasFlattening {
  /** Whether the service wrote the aliases or found them stored: one whose target has no addresses then shows nothing. */
  readonly isWritten: boolean
  /** The records that were proxied when they were planned from the provider's zone. */
  readonly proxied: ReadonlyArray<DnsRecord>
  /** The networks of the addresses with which the provider answers for a record that it proxies. */
  readonly proxyNetworks: ReadonlyArray<Network>
}

/** A zone with the records that only addresses showed. */
interface UnflattenedZone {
  readonly zone: LiveZone
  /** Why servers do not show desired records as they are stored. */
  readonly reasons: ReadonlyMap<DesiredRecord, ObservationReason>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Restores the aliases of a zone that was read in public: addresses of a desired target become its CNAME, without
 * `flattening` at the apex alone, and never at the host of a policy, which no flattened alias serves.
 * Records that are known to be proxied replace the addresses of the provider.
 */
export const unflattenAliases = (
  zone: LiveZone,
  desired: ReadonlyArray<DesiredRecord>,
  lookup: DnsLookup,
  flattening?: AliasFlattening
): UnflattenedZone => {
  const hidden =
    zone.basis === "public_dns" ? desired.filter(({ record }) => canBeHidden(record, zone, flattening)) : []
  const outcomes = hidden.map((item) => ({ item, ...findHidden(item.record, zone, lookup, flattening) }))
  const restored = outcomes.flatMap(({ item, stored }) => (stored === undefined ? [] : [{ ...item.record, ...stored }]))
  return {
    zone:
      restored.length === 0
        ? zone
        : replaceRecordsAt(
            zone,
            [...Map.groupBy(restored, ({ host }) => host)].map(([host, records]) => [
              host,
              [...(zone.byHost.get(host) ?? []).filter((record) => !isAddress(record)), ...records]
            ])
          ),
    reasons: new Map(outcomes.flatMap(({ item, reason }) => (reason === undefined ? [] : [[item, reason]]))),
    unanswered: outcomes.flatMap(({ unanswered }) => unanswered)
  }
}

/** Whether a provider may answer with other addresses in place of a record. */
const canBeHidden = ({ host, type }: DnsRecord, zone: LiveZone, flattening: AliasFlattening | undefined): boolean =>
  (type === "CNAME" && isApex(zone, host)) || (flattening !== undefined && (type === "CNAME" || isAddressRole(type)))

/** Why a record does not show, and how it is stored, where that is known. */
interface HiddenRecord {
  readonly reason?: ObservationReason
  readonly stored?: Pick<ZoneRecord, "flattened" | "proxied" | "ttl">
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

const notHidden: HiddenRecord = { unanswered: [] }

const findHidden = (
  record: DnsRecord,
  zone: LiveZone,
  lookup: DnsLookup,
  flattening: AliasFlattening | undefined
): HiddenRecord => {
  const live = zone.recordsAt(record.host)
  const addresses = live.filter(isAddress)
  if (live.some(({ type }) => type === "CNAME") || addresses.some(({ value }) => value === record.value))
    return notHidden
  const isProxied =
    flattening !== undefined &&
    addresses.length > 0 &&
    addresses.every(({ value }) => isInNetworks(value, flattening.proxyNetworks))
  const ttl = addresses.length === 0 ? record.ttl : Math.min(...addresses.map((address) => address.ttl))
  if (isProxied && flattening.proxied.some((other) => isSameData(record, other)))
    return { reason: "proxied", stored: { ttl, proxied: true }, unanswered: [] }
  const { isFlattened, unanswered } = compareWithTarget(record, addresses, { zone, lookup, flattening })
  if (!isFlattened) return { ...(isProxied ? { reason: "proxied" } : {}), unanswered }
  const stored = isApex(zone, record.host) ? { ttl } : { ttl, flattened: true }
  return { reason: "cname_flattened", ...(isServiceHost(record.host) ? {} : { stored }), unanswered }
}

/** Compares the addresses of an alias's host with those of its target. */
const compareWithTarget = (
  { host, type: ownType, value: name }: DnsRecord,
  addresses: ReadonlyArray<LiveRecord>,
  {
    flattening,
    lookup,
    zone
  }: { readonly zone: LiveZone; readonly lookup: DnsLookup; readonly flattening: AliasFlattening | undefined }
) => {
  const canShowNothing = flattening?.isWritten === true && !(host === apexHost && isApex(zone, host))
  if (ownType !== "CNAME" || (addresses.length === 0 && !canShowNothing)) return { isFlattened: false, unanswered: [] }
  const answers = (["A", "AAAA"] as const).map((type) => ({ type, answer: lookup({ name, type }) }))
  const isFlattened = answers.every(({ answer, type }) =>
    Either.match(answer, {
      onLeft: () => false,
      onRight: (values) =>
        hasSameValues(
          values,
          addresses.filter((record) => record.type === type)
        )
    })
  )
  return { isFlattened, unanswered: Array.getLefts(answers.map(({ answer }) => answer)) }
}

const isSameData = (one: DnsRecord, other: DnsRecord): boolean =>
  one.host === other.host && one.type === other.type && one.value === other.value

const isAddress = ({ type }: { readonly type: string }): boolean => isAddressRole(type.toUpperCase())

const hasSameValues = (addresses: ReadonlyArray<string>, records: ReadonlyArray<LiveRecord>): boolean =>
  new Set(addresses).symmetricDifference(new Set(records.map(({ value }) => value))).size === 0
