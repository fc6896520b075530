import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { hasPriority, isRecordType } from "../../../src/domain/records/recordTypes.ts"

/** The records of a domain before the plan, the desired records, the number of changes, and the records afterwards. */
export interface RoundTrip {
  readonly about: string
  /** Lines as in a zone file, relative to the domain, see `parseZone` of the lab. */
  readonly live?: string
  /** As in a request: `www 300 A 192.0.2.1`, `@ 300 MX 10 mail.example.com`. */
  readonly desired: ReadonlyArray<string>
  readonly dmarc?: IntentRequest["records"][number]["advancedDmarcOptions"]
  readonly policy?: IntentRequest["existingRecordPolicy"]
  readonly changes: number
  /** All records served at the desired hosts, in any order, written like `desired`. */
  readonly served: ReadonlyArray<string>
}

/** The domain of a round trip and the name server of its zone. */
export interface RoundTripLocation {
  readonly domain: string
  readonly nameServer: string
}

/** The request for the desired records at the domain; `dmarc` are the options of every record at a `_dmarc` host. */
export const requestFor = (domain: string, { desired, dmarc, policy }: RoundTrip): IntentRequest => ({
  domain,
  records: desired.map((line) => {
    const [host = "", ttl = "", type = "", ...rest] = line.split(" ")
    if (!isRecordType(type)) throw new Error(`no intent supports ${type}`)
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

/** Formats records like the desired ones, sorted. */
export const describeRecords = (records: ReadonlyArray<ZoneRecord>): ReadonlyArray<string> =>
  records
    .map(({ host, priority, ttl, type, value }) =>
      [host, ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")
    )
    .toSorted()
