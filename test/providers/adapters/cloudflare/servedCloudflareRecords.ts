import type { FakeCloudflareZone } from "./FakeCloudflare.ts"
import type { StoredCloudflareRecord } from "./storedCloudflareRecords.ts"

/** The addresses of a name outside the zone, as lines `A 192.0.2.1`. */
type ResolveOutside = (name: string) => ReadonlyArray<string>

/**
 * What Cloudflare's name servers answer for the records of a zone, as lines of a zone file. Cloudflare answers for a proxied
 * record with addresses of its own, and for a flattened alias with those of its target: vendor-facts.json, `open`.
 */
export const servedCloudflareRecords = (
  zone: Pick<FakeCloudflareZone, "name" | "records" | "flattensAll">,
  resolveOutside: ResolveOutside
): ReadonlyArray<string> => {
  const lines = zone.records.flatMap((record) => {
    const data = record.proxied
      ? proxyAddresses
      : isFlattened(record, zone)
        ? addressesOf(record.content, zone, resolveOutside)
        : [`${record.type} ${record.type === "MX" ? `${record.priority} ` : ""}${toData(record)}`]
    return data.map((line) => `${record.name}. ${record.ttl === 1 ? 300 : record.ttl} ${line}`)
  })
  // A host has the same addresses for each record that is proxied there.
  return [...new Set(lines)]
}

/** By a setting of the record or of the zone, at the apex, and for a target in the same zone. */
const isFlattened = (
  { content, name, settings, type }: StoredCloudflareRecord,
  { flattensAll, name: zone }: Pick<FakeCloudflareZone, "name" | "flattensAll">
): boolean =>
  type === "CNAME" && (settings["flatten_cname"] === true || flattensAll || name === zone || isIn(content, zone))

const isIn = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)

const addressesOf = (
  name: string,
  zone: Pick<FakeCloudflareZone, "name" | "records">,
  resolveOutside: ResolveOutside
): ReadonlyArray<string> =>
  isIn(name, zone.name)
    ? zone.records.flatMap((record) =>
        record.name !== name
          ? []
          : record.proxied
            ? proxyAddresses
            : record.type === "CNAME"
              ? addressesOf(record.content, zone, resolveOutside)
              : /^A(AAA)?$/.test(record.type)
                ? [`${record.type} ${record.content}`]
                : []
      )
    : resolveOutside(name)

const toData = ({ content, type }: StoredCloudflareRecord): string =>
  /^(CNAME|MX|NS)$/.test(type) ? `${content}.` : content

const proxyAddresses = ["A 104.16.0.1", "A 104.16.0.2", "AAAA 2606:4700::1"]
