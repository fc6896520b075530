import { Option } from "effect"
import { isInNetworks, parseNetwork } from "../../domain/names/IpAddress.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"

/** Whether a record leads to a page for parked domains. */
export const isParking = ({ type, value }: Pick<ZoneRecord, "type" | "value">): boolean =>
  type === "A" || type === "AAAA"
    ? isInNetworks(value, parkingNetworks)
    : (type === "CNAME" || type === "ALIAS") && parkingHosts.has(value.toLowerCase())

/** Namecheap and Porkbun create records with these targets in every new zone. */
const parkingHosts: ReadonlySet<string> = new Set([
  "parkingpage.namecheap.com",
  "pixie.porkbun.com",
  "uixie.porkbun.com"
])

/** Networks of companies that only park domains: Bodis, Sedo, Team Internet and Trellian (MISP warning list `parking-domain`). */
const parkingNetworks = [
  "199.59.240.0/22",
  "91.195.240.0/23",
  "64.190.62.0/23",
  "185.53.176.0/22",
  "103.224.182.0/23",
  "103.224.212.0/23"
].flatMap((network) => Option.toArray(parseNetwork(network)))
