import { hasPriority, isRecordType, type ZoneRecord } from "../../../src/domain/DnsRecord.ts"
import type { IntentRequest } from "../../../src/domain/Intent.ts"

/** What a domain holds, what is asked for, how many changes that takes, and what the domain holds afterwards. */
export interface RoundTrip {
  readonly about: string
  /** Lines as in a zone file, relative to the domain, see `parseZone` of the lab. */
  readonly live?: string
  /** As a client would ask for them: `www 300 A 192.0.2.1`, `@ 300 MX 10 mail.example.com`. */
  readonly desired: ReadonlyArray<string>
  readonly dmarc?: IntentRequest["records"][number]["advancedDmarcOptions"]
  readonly policy?: IntentRequest["existingRecordPolicy"]
  readonly changes: number
  /** All that a reading of the desired hosts shows, in any order, written like `desired`. */
  readonly served: ReadonlyArray<string>
}

/** The domain that a round trip is made with, and the name server of the zone where it lies. */
export interface RoundTripLocation {
  readonly domain: string
  readonly nameServer: string
}

/** The request for the desired records at the domain; `dmarc` are the options of every record at a `_dmarc` host. */
export const requestFor = (domain: string, { desired, dmarc, policy }: RoundTrip): IntentRequest => ({
  domain,
  records: desired.map((line) => {
    const [host = "", ttl = "", type = "", ...rest] = line.split(" ")
    if (!isRecordType(type)) throw new Error(`no intent can ask for ${type}`)
    return {
      host,
      type,
      ttl: Number(ttl),
      value: rest.slice(hasPriority(type) ? 1 : 0).join(" "),
      ...(hasPriority(type) ? { priority: Number(rest[0]) } : {}),
      ...(dmarc !== undefined && /^_dmarc(\.|$)/.test(host) ? { advancedDmarcOptions: dmarc } : {})
    }
  }),
  ...(policy === undefined ? {} : { existingRecordPolicy: policy })
})

/** Records written like those that are desired, sorted. */
export const describeRecords = (records: ReadonlyArray<ZoneRecord>): ReadonlyArray<string> =>
  records
    .map(({ host, priority, ttl, type, value }) =>
      [host, ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")
    )
    .toSorted()
