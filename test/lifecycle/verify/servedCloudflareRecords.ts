import type { EnteredRecord } from "../../support/vendors/VendorZones.ts"
import type { CloudflareData } from "../../providers/adapters/cloudflare/storedCloudflareRecords.ts"

/** A zone as far as the answers for it depend on it. */
interface ServedCloudflareZone {
  readonly name: string
  readonly records: ReadonlyArray<EnteredRecord<CloudflareData>>
  readonly flattensAll: boolean
}

/** The addresses of a name outside the zone, as lines `A 192.0.2.1`. */
type ResolveOutside = (name: string) => ReadonlyArray<string>

/**
 * What Cloudflare's name servers answer for the records of a zone, as lines of a zone file. Cloudflare answers for a proxied
 * record with addresses of its own, and for a flattened alias with those of its target: vendor-facts.json, `open`.
 */
export const servedCloudflareRecords = (
  zone: ServedCloudflareZone,
  resolveOutside: ResolveOutside
): ReadonlyArray<string> => {
  const lines = zone.records.flatMap((record) => {
    const { content, priority, proxied } = record.data
    const data = proxied
      ? proxyAddresses
      : isFlattened(record, zone)
        ? addressesOf(content, zone, resolveOutside)
        : [`${record.type} ${record.type === "MX" ? `${priority} ` : ""}${toData(record)}`]
    return data.map((line) => `${record.name}. ${record.ttl === 1 ? 300 : record.ttl} ${line}`)
  })
  // A host has the same addresses for each record that is proxied there.
  return [...new Set(lines)]
}

/** By a setting of the record or of the zone, at the apex, and for a target in the same zone. */
const isFlattened = (
  { data: { content, settings }, name, type }: EnteredRecord<CloudflareData>,
  { flattensAll, name: zone }: ServedCloudflareZone
): boolean =>
  type === "CNAME" && (settings["flatten_cname"] === true || flattensAll || name === zone || isIn(content, zone))

const isIn = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)

const addressesOf = (name: string, zone: ServedCloudflareZone, resolveOutside: ResolveOutside): ReadonlyArray<string> =>
  isIn(name, zone.name)
    ? zone.records.flatMap(({ data: { content, proxied }, ...record }) =>
        record.name !== name
          ? []
          : proxied
            ? proxyAddresses
            : record.type === "CNAME"
              ? addressesOf(content, zone, resolveOutside)
              : /^A(AAA)?$/.test(record.type)
                ? [`${record.type} ${content}`]
                : []
      )
    : resolveOutside(name)

const toData = ({ data: { content }, type }: EnteredRecord<CloudflareData>): string =>
  /^(CNAME|MX|NS)$/.test(type) ? `${content}.` : content

const proxyAddresses = ["A 104.16.0.1", "A 104.16.0.2", "AAAA 2606:4700::1"]
