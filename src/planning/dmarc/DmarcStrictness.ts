import { Array, Option } from "effect"
import { type DmarcRecord, isValidDmarc, parseDmarc, policyRank } from "../../domain/DmarcRecord.ts"
import { HostName, toFqdn } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { walkDmarcTree } from "./walkDmarcTree.ts"

/** Ranks of the policies for the domain, for names below it that exist, and for those that do not, as far as known. */
export type DmarcStrictness = ReadonlyArray<number>

/** What a record asks of receivers: nothing if one policy is none (RFC 9989 section 4.10.1), less in test mode (4.7). */
export const strictnessOf = ({ tags }: DmarcRecord): DmarcStrictness => {
  const p = tags.get("p")
  const sp = tags.get("sp") ?? p
  const np = tags.get("np") ?? sp
  const stated = Option.getOrElse(Option.all([p, sp, np].map((policy) => policyRank(policy))), () => [0, 0, 0])
  return tags.get("t")?.toLowerCase() === "y" ? stated.map((rank) => Math.max(0, rank - 1)) : stated
}

/** What applies to a domain without a record of its own, by the record above it. */
export const inheritedStrictness: (above: Option.Option<DmarcRecord>) => DmarcStrictness = Option.match({
  onNone: () => [0],
  onSome: (record) => strictnessOf(record).slice(1, 2)
})

/** Whether mail is treated less or more strictly than before, as far as both are known. */
export const strictnessWarnings = (before: DmarcStrictness, after: DmarcStrictness): ReadonlyArray<Warning> => {
  const shifts = Array.zipWith(before, after, (from, to) => to - from)
  return [
    ...(shifts.some((shift) => shift < 0) ? ["dmarc_policy_weakened" as const] : []),
    ...(shifts.some((shift) => shift > 0) ? ["dmarc_policy_strengthened" as const] : [])
  ]
}

/** A zone, and what the DNS answers while it is served. */
export interface ServedZone {
  readonly live: LiveZone
  readonly lookup: DnsLookup
}

/** Whether mail is treated less or more strictly by the DMARC policy that applies at a host in one zone and another. */
export const compareDmarcStrictness = (
  host: string,
  [from, to]: readonly [from: ServedZone, to: ServedZone]
): { readonly warnings: ReadonlyArray<Warning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const [before, after] = [policiesAt(host, from), policiesAt(host, to)]
  return {
    warnings: strictnessWarnings(before.policies, after.policies),
    unanswered: [...before.unanswered, ...after.unanswered]
  }
}

const policiesAt = (host: string, { live, lookup }: ServedZone) => {
  const texts = live.recordsAt(host).filter((record) => singletonTxtKind(record) === "DMARC")
  const record = Array.findFirst(
    texts.map(({ value }) => parseDmarc(value)),
    isValidDmarc
  )
  if (Option.isSome(record)) return { policies: strictnessOf(record.value), unanswered: [] }
  const { applicable, unanswered } = walkDmarcTree(
    toFqdn(HostName.make(host), live.domain).replace(/^_dmarc\./, ""),
    lookup
  )
  return { policies: Option.match(applicable, { onNone: () => [], onSome: inheritedStrictness }), unanswered }
}
