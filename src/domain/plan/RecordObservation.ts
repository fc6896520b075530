import { Schema } from "effect"
import { FailureCode } from "../connection/Connection.ts"
import { DnsRecord, Priority, Ttl } from "../records/DnsRecord.ts"
import { Diagnosis, DiagnosisCode, fixDescription } from "./Diagnosis.ts"
import { ChangeRecord } from "./Plan.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** Whether a desired record is served: `different` if another value is in its place, `unknown` without an answer. */
export const ObservationStatus = Schema.Literal("present", "missing", "different", "unknown").annotations({
  identifier: "ObservationStatus",
  description:
    "`different`: something else stands in its place. `unknown`: there was no answer. Servers together show a record as `present` if each of them that answered does."
})
export type ObservationStatus = typeof ObservationStatus.Type

/** Whether servers serve the desired records; `unknown` where none of them answered. */
export type VerificationVerdict = "right" | "wrong" | "unknown"

/** The verdict over the statuses of all required records; `right` if there are none. */
export const decideVerdict = (statuses: ReadonlyArray<ObservationStatus>): VerificationVerdict => {
  if (statuses.some((status) => status === "different" || status === "missing")) return "wrong"
  return statuses.every((status) => status === "present") ? "right" : "unknown"
}

/** The status of one record over several servers: a server that lacks it counts most, then one that serves it. */
export const combineStatuses = (statuses: ReadonlyArray<ObservationStatus>): ObservationStatus =>
  worstFirst.find((status) => statuses.includes(status)) ?? "unknown"

const worstFirst = ["different", "missing", "present"] as const

/**
 * Why a server gave no answer. `address_not_reachable`: it has no address that the service may send to; `busy`: other
 * queries left no time for this one; `lame`: a name server answers without authority, or a resolver does not resolve.
 */
export const NoAnswerReason = Schema.Literal(
  "address_not_reachable",
  "no_route",
  "busy",
  "timed_out",
  "malformed",
  "truncated",
  "format_error",
  "server_failure",
  "refused",
  "lame",
  "budget_spent"
).annotations({ identifier: "NoAnswerReason", description: "Why there was no answer." })
export type NoAnswerReason = typeof NoAnswerReason.Type

/** Why a server does not show a record as it is stored. */
export const ObservationReason = Schema.Literal("cname_flattened", "proxied").annotations({
  identifier: "ObservationReason",
  description:
    "`cname_flattened`: the provider answers with the addresses of the target in place of the CNAME, or with nothing while the target has none. That counts as `present`, except for DKIM keys and other policies behind a CNAME, which are not served then. `proxied`: the provider answers with addresses of its own (a proxy). That counts as `present` where the provider's API showed the record, so that `expected` is `proxied`; else the customer has to turn the proxy off."
})
export type ObservationReason = typeof ObservationReason.Type

/** A record that was observed in place of a desired one; `ttl` in seconds, from a resolver the remaining ones. */
export const ObservedRecord = Schema.Struct({
  type: Schema.String,
  value: Schema.String,
  ttl: Ttl,
  priority: Schema.optionalWith(Priority, { exact: true })
}).annotations({ identifier: "ObservedRecord" })
export type ObservedRecord = typeof ObservedRecord.Type

/** How many records an observation shows of one server at most. */
export const maxSeenRecords = 16

/** The answer of one server about a desired record. */
export const ServerObservation = Schema.Struct({
  server: Schema.String.annotations({ description: "A name server by its host name, a resolver by its address." }),
  kind: Schema.Literal("authoritative", "public"),
  status: ObservationStatus,
  silence: Schema.optionalWith(NoAnswerReason, { exact: true }),
  reason: Schema.optionalWith(ObservationReason, { exact: true }),
  seen: Schema.Array(ObservedRecord).annotations({
    description:
      "What stands in the place of the record, at most sixteen: its set, or what excludes it. A value of more than 1,024 characters is cut, and so are shorter ones where all of them take more than 1 MiB; it ends in `…` then."
  })
}).annotations({ identifier: "ServerObservation" })
export type ServerObservation = typeof ServerObservation.Type

/**
 * A record of the effective intent and the answers of the servers: authoritative ones first, then resolvers. `wasBeside`
 * remembers the first check that read its host in the zone, beside the subdomain: whether its value was there.
 */
export class RecordObservation extends Schema.Class<RecordObservation>("RecordObservation")({
  expected: DnsRecord,
  observed: Schema.Array(ServerObservation),
  status: ObservationStatus,
  diagnosis: Schema.optionalWith(Diagnosis, { exact: true }),
  wasBeside: Schema.optionalWith(Schema.Boolean, { exact: true }),
  checkedAt: Schema.optionalWith(Timestamp, { exact: true })
}) {}

/** A required record that authoritative servers do not show, and what they show in its place; long values are cut. */
export const MissingRecord = Schema.Struct({
  host: Schema.String.annotations({ description: "The host, relative to the domain." }),
  type: Schema.String,
  expected: Schema.String.annotations({ description: "The value that should be there." }),
  seen: Schema.Array(Schema.String).annotations({
    description: "What servers show in its place, as `<TYPE> <value>`; none where they show nothing."
  }),
  diagnosis: Schema.optionalWith(DiagnosisCode, { exact: true }),
  fix: Schema.optionalWith(Schema.String.annotations({ description: fixDescription }), { exact: true })
}).annotations({ identifier: "MissingRecord" })
export type MissingRecord = typeof MissingRecord.Type

export const maxMissingRecords = 10

/**
 * The last answers of the servers. `removals` are those about records that the customer removes by hand and that only
 * some servers still show. `lastCheckedAt` is when one name server of an `active` connection was last asked, absent where
 * a check asks all; `checkedAt` of a record says when all were asked.
 */
export const Observations = Schema.Struct({
  records: Schema.Array(RecordObservation),
  toRemove: Schema.optionalWith(Schema.Array(ChangeRecord), { exact: true }),
  removals: Schema.optionalWith(Schema.Array(RecordObservation), { exact: true }),
  failure: Schema.optionalWith(FailureCode, { exact: true }),
  lastCheckedAt: Schema.optionalWith(Timestamp, { exact: true }),
  nextCheckAt: Schema.optionalWith(Timestamp, { exact: true })
})
