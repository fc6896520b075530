import { Schema } from "effect"
import { apexHost, type DomainName, HostName, toFqdn } from "../names/DomainName.ts"
import { DnsRecord } from "../records/DnsRecord.ts"
import { PlanDigest } from "../plan/Plan.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { boundedString } from "../values/boundedSchemas.ts"

export const ControlMethod = Schema.Literal("credential", "entered_records", "challenge").annotations({
  identifier: "ControlMethod",
  description:
    "`credential`: the service wrote at these hosts, or the challenge, with a credential of the zone. `entered_records`: the records were entered by hand, at hosts where no name server answered anything before. `challenge`: the zone shows the challenge."
})
export type ControlMethod = typeof ControlMethod.Type

/** A TXT record with a value that only one connection has: entering it proves control of the zone for that connection. */
const ControlChallenge = Schema.Struct({
  type: Schema.Literal("TXT"),
  host: boundedString(255).annotations({ description: "The host, relative to the domain." }),
  name: boundedString(255).annotations({ description: "The full name of the host." }),
  value: boundedString(255)
}).annotations({
  identifier: "ControlChallenge",
  description: "The TXT record that proves control once every name server shows it. It may be removed afterwards."
})
type ControlChallenge = typeof ControlChallenge.Type

export const Control = Schema.Struct({
  status: Schema.Literal("proven", "unproven"),
  by: Schema.optionalWith(ControlMethod, { exact: true }),
  challenge: Schema.optionalWith(ControlChallenge, { exact: true })
}).annotations({
  identifier: "Control",
  description:
    "Whether control is proven of every host of `intent`, and how. `challenge` is present where it must be entered before the connection becomes `active`, or before its new intent counts. Absent until the first plan, and in connections written by an earlier version."
})
export type Control = typeof Control.Type

/** The service's knowledge of the control of a domain by one connection. */
export const ControlProgress = Schema.Struct({
  /** Absent while control is not proven. */
  provenBy: Schema.optional(ControlMethod),
  /** When control was proven last; absent while it is not proven, and for proofs that earlier versions found. */
  provenAt: Schema.optional(Timestamp),
  /** The value of the challenge; a new one is made after control was lost. */
  challenge: Schema.optional(Schema.String),
  /** When this challenge was requested; absent in rows of earlier versions. */
  challengedAt: Schema.optional(Timestamp),
  /** Whether the challenge must be shown before the connection becomes `active`, or before its new intent counts. */
  isAwaited: Schema.Boolean,
  /** Whether the plan must carry the challenge once the customer chooses to enter the records by hand. */
  isAwaitedByHand: Schema.optional(Schema.Boolean),
  /** Whether a newer connection of another tenant has taken the hosts, since control was proven last. */
  isLost: Schema.Boolean,
  /**
   * Whether the records have been missing since control was proven, and are not back yet; in rows of earlier versions the
   * state says so.
   */
  isInterrupted: Schema.optional(Schema.Boolean),
  /** Whether control was proven for an intent that another one has replaced since. */
  isOfEarlierIntent: Schema.optional(Schema.Boolean),
  /** The only hosts proven: those entered by hand, or of the former intent; absent for a proof of the domain. */
  provenHosts: Schema.optional(Schema.Array(Schema.String)),
  /** The hosts at which earlier runs of a connection without a proof may have written; absent where there are none. */
  writtenHosts: Schema.optional(Schema.Array(Schema.String)),
  /** The digest of the plan that proves control if entered by hand, and servers without its records; else absent. */
  enterable: Schema.optional(Schema.Struct({ plan: PlanDigest, servers: Schema.Array(Schema.String) })),
  /** The connections of other tenants that were notified of this one. */
  notified: Schema.propertySignature(Schema.Array(Schema.String)).pipe(Schema.fromKey("told"))
})
export type ControlProgress = typeof ControlProgress.Type

export const initialControl: ControlProgress = { isAwaited: false, isLost: false, notified: [] }

export const makeChallengeRecord = (domain: DomainName, value: string): DnsRecord =>
  DnsRecord.make({ host: challengeHostOf(domain), type: "TXT", value, ttl: challengeTtl, optional: false })

/** The challenge as the API shows it. */
export const makeChallenge = (domain: DomainName, value: string): ControlChallenge => {
  const host = challengeHostOf(domain)
  return { type: "TXT", host, name: toFqdn(host, domain), value }
}

export const isChallenge = (
  record: { readonly host: string; readonly type: string; readonly value: string },
  domain: DomainName,
  value: string | undefined
): boolean => record.type === "TXT" && record.value === value && record.host === challengeHostOf(domain)

/** Below the domain; at the domain itself where no longer name is possible. */
const challengeHostOf = (domain: DomainName): HostName =>
  HostName.make(domain.length + challengeLabel.length + 1 > maxNameLength ? apexHost : challengeLabel)

const challengeLabel = "_domain-connection"

/** The most characters of a name without the dot of the root (RFC 1035 section 2.3.4). */
const maxNameLength = 253

/** Seconds: the record is needed for a short time. */
const challengeTtl = 300

/** Who holds hosts of a domain in an application, as seen by one of its tenants. */
export const HostHolding = Schema.Literal("this_tenant", "another_tenant", "nobody").annotations({
  identifier: "HostHolding",
  description:
    "Whether hosts of the domain are held in this application: by the tenant of the caller, by another one, or by nobody."
})
export type HostHolding = typeof HostHolding.Type
