import { Schema } from "effect"
import { DnsRecord, Ttl } from "../records/DnsRecord.ts"
import { apexHost } from "../names/DomainName.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { Warning, WarningDetail } from "./Warning.ts"
import { boundedArray, boundedString } from "../values/boundedSchemas.ts"

/** `sha-256:` and the lower-case hex of SHA-256 over the RFC 8785 form of `{domain, zone, changes}`. */
export const PlanDigest = Schema.String.pipe(
  Schema.pattern(/^sha-256:[0-9a-f]{64}$/),
  Schema.annotations({
    description: "SHA-256 over the RFC 8785 form of domain, zone and changes: the same changes have the same digest.",
    message: () => "must be `sha-256:` and 64 hexadecimal digits in lower case, as in `plan.digest`"
  }),
  Schema.brand("PlanDigest")
)
export type PlanDigest = typeof PlanDigest.Type

/**
 * The record of a zone before or after a change. Only a restore creates types that no intent has, and `proxied`,
 * `flattened` or `automaticTtl` records. Only the journal has stored records that are not served (`disabledTtl`).
 */
export const ChangeRecord = Schema.Struct({
  ...DnsRecord.fields,
  type: Schema.String,
  flattened: Schema.optionalWith(
    Schema.Boolean.annotations({
      description:
        "Present, and true, where the provider answers with the addresses of the target in place of the CNAME, by a setting of the record."
    }),
    { exact: true }
  ),
  automaticTtl: Schema.optionalWith(
    Schema.Boolean.annotations({
      description: "Present, and true, where the provider itself chooses the TTL again, as before the connection."
    }),
    { exact: true }
  ),
  disabledTtl: Schema.optionalWith(
    Ttl.annotations({
      description:
        "Present where the provider stored the record before the connection, but did not serve it: the TTL that it had then, and has again afterwards."
    }),
    { exact: true }
  )
})
export type ChangeRecord = typeof ChangeRecord.Type

export const ChangeAction = Schema.Literal("create", "update", "delete").annotations({
  identifier: "ChangeAction",
  description: "`before` of a change is absent on create, `after` on delete."
})

/** One planned change. No `before` on `create`, no `after` on `delete`; `destructive`: something served stops. */
export const Change = Schema.Struct({
  action: ChangeAction,
  before: Schema.optionalWith(ChangeRecord, { exact: true }),
  after: Schema.optionalWith(ChangeRecord, { exact: true }),
  destructive: Schema.Boolean.annotations({ description: "Whether something that is served today stops being served." })
})
export type Change = typeof Change.Type

export const hostOfChange = ({ after, before }: ChangedRecords): string => (after ?? before)?.host ?? apexHost

interface ChangedRecords {
  readonly before?: { readonly host: string } | undefined
  readonly after?: { readonly host: string } | undefined
}

/** Where the records that a plan starts from were read. */
const PlanBasis = Schema.Literal("public_dns", "provider").annotations({
  identifier: "PlanBasis",
  description: "Where the records that the plan starts from were read."
})

export const maxMailServers = 10

/** The changes that bring a zone to the effective intent, in the order in which they are safe to apply. */
export class Plan extends Schema.Class<Plan>("Plan")({
  digest: PlanDigest,
  zone: Schema.optionalWith(
    Schema.String.annotations({
      description:
        "The name of the zone that is changed: the domain, or what it is a subdomain of. The hosts of `changes` are relative to the domain; DNS settings take them relative to the zone. Absent in plans written by an earlier version."
    }),
    { exact: true }
  ),
  basis: PlanBasis,
  changes: Schema.Array(Change).annotations({ description: "In an order in which they are safe to apply." }),
  warnings: Schema.Array(Warning),
  warningDetails: Schema.optionalWith(Schema.Array(WarningDetail), { exact: true }),
  mailServers: Schema.optionalWith(
    boundedArray(boundedString(255), { max: maxMailServers }).annotations({
      description:
        "Where mail to the domain arrives before the changes: the targets of its MX records, the preferred ones first. Absent where there is none."
    }),
    { exact: true }
  ),
  expiresAt: Timestamp
}) {}

/** Identifies one record by its content, whatever its TTL. */
export const RecordReference = Schema.Struct({
  host: boundedString(1_000),
  type: boundedString(100),
  value: boundedString(65_535),
  priority: ChangeRecord.fields.priority
}).annotations({ identifier: "RecordReference" })
export type RecordReference = typeof RecordReference.Type

/** Whether both are the same record, whatever its TTL. */
export const isSameRecord = Schema.equivalence(RecordReference)

/** A record that was not restored, or not removed, when a connection was removed from its zone, and why. */
export const Leftover = Schema.Struct({
  record: ChangeRecord,
  reason: Schema.Literal(
    "changed_since",
    "wanted_by_another_connection",
    "older_than_thirty_days",
    "target_does_not_resolve",
    "provider_cannot_store",
    "zone_gone",
    "manual_setup_timeout"
  )
})
export type Leftover = typeof Leftover.Type
