/** A record as Netlify keeps and shows it; a member without a meaning for the type is `null`. */
export interface KeptNetlifyRecord {
  readonly hostname: string
  readonly type: string
  readonly ttl: number
  readonly priority: number | null
  readonly weight: number | null
  readonly port: number | null
  readonly flag: number | null
  readonly tag: string | null
  readonly id: string
  readonly site_id: string | null
  readonly dns_zone_id: string
  readonly errors: ReadonlyArray<string>
  readonly managed: boolean
  readonly value: string
}

/** A record with `null` for all that is not given, as in the fixtures of lego (`providers/dns/netlify`). */
export const netlifyRecord = (
  record: Pick<KeptNetlifyRecord, "hostname" | "type" | "value"> & Partial<KeptNetlifyRecord>
): KeptNetlifyRecord => ({
  ttl: 3600,
  priority: null,
  weight: null,
  port: null,
  flag: null,
  tag: null,
  id: "",
  site_id: null,
  dns_zone_id: "",
  errors: [],
  managed: false,
  ...record
})

/** A record that leads a host to a site at Netlify. */
export const siteRecord = (hostname: string, type: "NETLIFY" | "NETLIFYv6" = "NETLIFY"): KeptNetlifyRecord =>
  netlifyRecord({ hostname, type, value: "my-site.netlify.app", managed: true, site_id: "5d3f1b9c" })

/** What Netlify keeps of the body of a request, or why it refuses the record. */
export const toKeptRecord = (
  zone: { readonly id: string; readonly name: string },
  body: any,
  others: ReadonlyArray<KeptNetlifyRecord>
): KeptNetlifyRecord | string => {
  const record = netlifyRecord({ ...body, hostname: (body.hostname ?? "").toLowerCase(), dns_zone_id: zone.id })
  const { hostname, type } = record
  if (!writableTypes.includes(type)) return "Type is not included in the list"
  if (hostname !== zone.name && !hostname.endsWith(`.${zone.name}`)) return "Hostname is not in the zone"
  const fault = faultOf(record)
  if (fault !== undefined) return fault
  const beside = others.filter((other) => other.hostname === hostname)
  // answers.netlify.com 17430, and the answer as it is quoted at knapstad.dev.
  if (beside.some((other) => other.type.startsWith("NETLIFY")) && ["A", "AAAA", "ALIAS", "CNAME"].includes(type))
    return `dns_api ${zone.name} - ${hostname}/${type}: 400 - link exists, all config must be empty`
  // No source tells what Netlify does; RFC 1034 section 3.6.2.
  return beside.some((other) => (type === "CNAME") !== (other.type === "CNAME"))
    ? "CNAME cannot share a name with other records"
    : record
}

/** As in the documentation of `netlify_dns_records_set` (rdrr.io, salim-b/yay), which adds that a NETLIFY is not altered. */
const writableTypes = ["A", "AAAA", "ALIAS", "CAA", "CNAME", "MX", "NS", "SPF", "SRV", "TXT"]

const faultOf = ({ flag, port, priority, tag, type, value, weight }: KeptNetlifyRecord): string | undefined => {
  // DNSControl, pull request 1955: "cannot handle empty TXT records".
  if (value === "" || value === undefined) return "Value can't be blank"
  if (type === "A") return /^\d+(\.\d+){3}$/.test(value) ? undefined : "Value is not an IPv4 address"
  if (type === "AAAA") return /^[\da-f:]*:[\da-f:.]*$/i.test(value) ? undefined : "Value is not an IPv6 address"
  if (type === "CAA") return flag === null || tag === null ? "Tag can't be blank" : undefined
  // DNSControl, auditrecords.go of Netlify: no null MX; its test data has the null target of an SRV.
  if (type === "MX") return priority === null || value === "." ? "Value is invalid" : undefined
  if (type === "SRV") return [priority, weight, port].includes(null) ? "Port can't be blank" : undefined
  return undefined
}
