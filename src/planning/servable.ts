import { Array, Either, Option } from "effect"
import { nameOf } from "../domain/DomainName.ts"
import { onceOnlyKind } from "../domain/onceOnlyKind.ts"
import type { Capabilities } from "../domain/Provider.ts"
import { excludes } from "./changes/conflicts.ts"
import type { Refusal, RefusalCode } from "./Refusal.ts"
import { isSameSet } from "./Role.ts"
import { byHost, type Wanted } from "./Wanted.ts"
import { isApex, type LiveZone, selfAndAbove, serves } from "./zone/LiveZone.ts"

/** Separates what can stand in the zone from what cannot. */
export const separateServable = (
  wanted: ReadonlyArray<Wanted>,
  zone: LiveZone,
  capabilities: Capabilities
): [refused: ReadonlyArray<Refusal>, remaining: ReadonlyArray<Wanted>] => {
  const hosts = byHost(wanted)
  const circumstances = { zone, capabilities, wantedAt: (host: string) => hosts.get(host) ?? [] }
  return Array.partitionMap(wanted, (one) =>
    Option.match(refusalOf(one, circumstances), {
      onNone: () => Either.right(one),
      onSome: (code) => Either.left({ code, wanted: one })
    })
  )
}

interface Circumstances {
  readonly zone: LiveZone
  readonly capabilities: Capabilities
  readonly wantedAt: (host: string) => ReadonlyArray<Wanted>
}

type Rule = (wanted: Wanted, circumstances: Circumstances) => boolean

const refusalOf = (wanted: Wanted, circumstances: Circumstances): Option.Option<RefusalCode> =>
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

/** Nothing but glue can stand where the intent itself delegates, which at its domain only the zone can tell. */
const isDelegatedByIntent: Rule = ({ record, role }, { wantedAt, zone }) => {
  const delegations = selfAndAbove(record.host)
    .flatMap(wantedAt)
    .filter((other) => other.role === "DELEGATION")
  const name = nameOf(record.host, zone.domain)
  const isGlue = (role === "A" || role === "AAAA") && delegations.some((other) => other.record.value === name)
  return role !== "DELEGATION" && delegations.length > 0 && !isGlue
}

/** A capability that is unknown is not relied on; a set that is served already needs none. */
const lacks =
  (capability: keyof Capabilities, needed: "ALIAS" | "NS"): Rule =>
  ({ record, role }, { capabilities, wantedAt, zone }) =>
    role === needed &&
    capabilities[capability] !== "supported" &&
    !isSameSet(role, wantedAt(record.host), zone.recordsAt(record.host))

/** What a provider is known not to store; where nothing is known it is tried. */
const isUnsupported: Rule = ({ key, record, role }, { capabilities, zone }) =>
  ((role === "DELEGATION" && capabilities.subdomainNSModification === "unsupported") ||
    (role === "CAA" && capabilities.caaRecords === "unsupported") ||
    (record.host.startsWith("*") && capabilities.wildcardRecords === "unsupported") ||
    (onceOnlyKind(record) === "SPF" && capabilities.spfRecords === "unsupported")) &&
  !zone.recordsAt(record.host).some((live) => live.key === key)

/** A CNAME answers for CAA too (RFC 8659 section 3), and CAA alone is no reason to remove it. */
const meetsCname = ({ record, role }: Wanted, { wantedAt, zone }: Pick<Circumstances, "wantedAt" | "zone">): boolean =>
  role === "CAA" &&
  zone.recordsAt(record.host).some((live) => live.role === "CNAME") &&
  wantedAt(record.host).every((other) => other.role === "CAA")

/** What is left out takes nothing away: CAA records that are left alone at a CNAME do not either. */
export const separateAtAliases = (
  wanted: ReadonlyArray<Wanted>,
  zone: LiveZone
): [refused: ReadonlyArray<Refusal>, remaining: ReadonlyArray<Wanted>] => {
  const hosts = byHost(wanted)
  const wantedAt = (host: string) => hosts.get(host) ?? []
  return Array.partitionMap(wanted, (one) =>
    meetsCname(one, { zone, wantedAt })
      ? Either.left({ code: "caa_host_is_cname" as const, wanted: one })
      : Either.right(one)
  )
}

const rules: ReadonlyArray<readonly [RefusalCode, Rule]> = [
  ["host_delegated_elsewhere", isDelegatedElsewhere],
  ["host_delegated_elsewhere", isDelegatedByIntent],
  ["apex_cname_unsupported", lacks("cnameFlattening", "ALIAS")],
  ["record_type_unsupported", lacks("rootNSModification", "NS")],
  ["record_type_unsupported", isUnsupported],
  ["caa_host_is_cname", meetsCname]
]
