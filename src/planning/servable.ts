import { Array, Either, Option } from "effect"
import type { FailureCode } from "../domain/Connection.ts"
import type { DnsRecord } from "../domain/DnsRecord.ts"
import type { Capabilities } from "../domain/Provider.ts"
import { excludes } from "./conflicts.ts"
import { isApex, type LiveZone, recordsAt, selfAndAbove, serves } from "./LiveZone.ts"
import { isSameSet } from "./Role.ts"
import { byHost, type Wanted } from "./Wanted.ts"

/** Why a wanted record cannot be planned. */
export interface Refusal {
  readonly code: FailureCode
  readonly record: DnsRecord
}

/** The wanted records that can be planned, and the optional ones that are left out because they cannot. */
export interface Servable {
  readonly wanted: ReadonlyArray<Wanted>
  readonly skipped: ReadonlyArray<Refusal>
}

/** Separates the optional records that cannot be planned; a required one that cannot is the refusal of the plan. */
export const servable = (
  wanted: ReadonlyArray<Wanted>,
  zone: LiveZone,
  capabilities: Capabilities
): Either.Either<Servable, Refusal> => {
  const hosts = byHost(wanted)
  const circumstances = { zone, capabilities, wantedAt: (host: string) => hosts.get(host) ?? [] }
  const [remaining, refusals] = Array.partitionMap(wanted, (one) =>
    Option.match(refusalOf(one, circumstances), {
      onNone: () => Either.left(one),
      onSome: (code) => Either.right({ code, record: one.record })
    })
  )
  return Option.match(
    Array.findFirst(refusals, ({ record }) => !record.optional),
    { onNone: () => Either.right({ wanted: remaining, skipped: refusals }), onSome: Either.left }
  )
}

interface Circumstances {
  readonly zone: LiveZone
  readonly capabilities: Capabilities
  readonly wantedAt: (host: string) => ReadonlyArray<Wanted>
}

type Rule = (wanted: Wanted, circumstances: Circumstances) => boolean

const refusalOf = (wanted: Wanted, circumstances: Circumstances): Option.Option<FailureCode> =>
  Option.map(
    Array.findFirst(rules, ([, refuses]) => refuses(wanted, circumstances)),
    ([code]) => code
  )

/** What exists below NS or DNAME is served elsewhere, unless the intent itself delegates there or removes the DNAME. */
const isDelegatedElsewhere: Rule = ({ record }, { wantedAt, zone }) =>
  selfAndAbove(record.host).some(
    (host) =>
      (!isApex(zone, host) && serves(zone, host, "NS") && !wantedAt(host).some(({ role }) => role === "DELEGATION")) ||
      (host !== record.host &&
        serves(zone, host, "DNAME") &&
        !wantedAt(host).some(({ role }) => excludes(role, "DNAME")))
  )

/** A capability that is unknown is not relied on; a set that is served already needs none. */
const lacks =
  (capability: keyof Capabilities, needed: "ALIAS" | "NS"): Rule =>
  ({ record, role }, { capabilities, wantedAt, zone }) =>
    role === needed &&
    capabilities[capability] !== "supported" &&
    !isSameSet(role, wantedAt(record.host), recordsAt(zone, record.host))

/** A CNAME answers for CAA too (RFC 8659 section 3), and CAA alone is no reason to remove it. */
const meetsCname: Rule = ({ record, role }, { wantedAt, zone }) =>
  role === "CAA" &&
  recordsAt(zone, record.host).some((live) => live.role === "CNAME") &&
  wantedAt(record.host).every((other) => other.role === "CAA")

const rules: ReadonlyArray<readonly [FailureCode, Rule]> = [
  ["host_delegated_elsewhere", isDelegatedElsewhere],
  ["apex_cname_unsupported", lacks("cnameFlattening", "ALIAS")],
  ["record_type_unsupported", lacks("rootNSModification", "NS")],
  ["caa_host_is_cname", meetsCname]
]
