import { Schema } from "effect"
import { withoutValidation } from "../values/boundedSchemas.ts"
import { RecordType } from "./recordTypes.ts"

/** A whole number from 0 to `maximum`, with one message for every kind of fault. */
const wholeNumber = (field: { readonly identifier: string; readonly maximum: number; readonly description: string }) =>
  Schema.Number.pipe(Schema.int(), Schema.between(0, field.maximum)).annotations({
    identifier: field.identifier,
    jsonSchema: { type: "integer", minimum: 0, maximum: field.maximum, description: field.description },
    message: () => ({ message: `must be a whole number from 0 to ${field.maximum}`, override: true })
  })

/** Seconds, 0 to 2^31 - 1 (RFC 2181 section 8). */
export const Ttl = wholeNumber({
  identifier: "Ttl",
  maximum: 2 ** 31 - 1,
  description: "Time to live in seconds (RFC 2181 section 8)."
})

/** Preference of an MX (RFC 5321) or priority of an SRV (RFC 2782); the lowest is tried first. */
export const Priority = wholeNumber({
  identifier: "Priority",
  maximum: 65_535,
  description: "Preference of an MX record or priority of an SRV record."
})

/**
 * One desired or planned record in normal form. `host` is relative to the domain of the intent; `value` is the logical
 * value: TXT unquoted and unsplit, names without trailing dot, SRV `weight port target`, CAA `flags tag "value"`. Only a
 * record that the zone has already is `proxied`.
 */
export class DnsRecord extends Schema.Class<DnsRecord>("Record")({
  host: Schema.String,
  type: RecordType,
  value: Schema.String,
  ttl: Ttl,
  priority: Schema.optionalWith(Priority, { exact: true }),
  optional: Schema.Boolean,
  proxied: Schema.optionalWith(
    Schema.Boolean.annotations({
      description:
        "Present, and true, where the provider answers with addresses of its own and forwards the traffic (a proxy)."
    }),
    { exact: true }
  )
}) {}

/** Replaces data of a record by other data in normal form, without checking the record a second time. */
export const withData = (
  record: DnsRecord,
  data: Partial<Pick<DnsRecord, "value" | "ttl" | "optional" | "proxied">>
): DnsRecord => DnsRecord.make({ ...record, ...data }, withoutValidation)

/** A record as a zone holds it: `value` as in `DnsRecord` for a `RecordType`, else presentation format. */
export interface ZoneRecord {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly ttl: number
  readonly priority?: number
  /** The provider itself answers for the host: a redirect, forward or parking page. */
  readonly web?: boolean
  /** The provider answers with its own addresses and forwards the traffic (a proxy). */
  readonly proxied?: boolean
  /** The provider answers with the addresses of the target in place of the CNAME, by a setting of the record. */
  readonly flattened?: boolean
  /** The provider chooses the TTL, now `ttl`; absent for proxied records, whose TTL is never another. */
  readonly automaticTtl?: boolean
  /** The provider keeps the record. `fixed`: for ever. `overridable`: until a customer adds records at its host. */
  readonly locked?: "fixed" | "overridable"
}
