import { Option, Schema } from "effect"
import { toUnicode } from "tr46"
import { DomainName, toFqdn, toRelativeHost } from "../names/DomainName.ts"
import { DnsRecord } from "../records/DnsRecord.ts"
import { optional } from "../values/boundedSchemas.ts"
import { ChangeRecord } from "./Plan.ts"

/** The names of a host, added to `host`, which is relative to the domain of the connection. */
export const hostNames = {
  name: Schema.String.annotations({ description: "The full name of the host, in A-labels." }),
  unicodeName: optional(Schema.String.annotations({ description: "The full name in Unicode, where that differs." })),
  zoneHost: optional(
    Schema.String.annotations({
      description:
        "The host relative to the zone, as the DNS settings of a provider take it: `@` of `shop.example.org` is `shop` there. Absent while the zone is unknown."
    })
  )
}

export const RecordDocument = Schema.Struct({ ...DnsRecord.fields, ...hostNames }).annotations({ identifier: "Record" })

export const ChangeRecordDocument = Schema.Struct({ ...ChangeRecord.fields, ...hostNames }).annotations({
  identifier: "ChangeRecord"
})
export type ChangeRecordDocument = typeof ChangeRecordDocument.Encoded

export const makeNaming = (domain: string, zone: string | undefined) => {
  const domainName = DomainName.make(domain)
  const zoneName = zone === undefined ? undefined : DomainName.make(zone)
  return <R extends { readonly host: string }>(record: R) => {
    const name = toFqdn(record.host, domainName)
    const unicodeName = toUnicodeName(name)
    const zoneHost = zoneName === undefined ? undefined : Option.getOrUndefined(toRelativeHost(name, zoneName))
    return {
      ...record,
      name,
      ...(unicodeName === name ? {} : { unicodeName }),
      ...(zoneHost === undefined ? {} : { zoneHost })
    }
  }
}

export const toUnicodeName = (name: string): string => (name.includes("xn--") ? toUnicode(name).domain : name)
