import { Array, Option } from "effect"
import { type DmarcRecord, isValidDmarc, parseDmarc, rankPolicy } from "../../domain/DmarcRecord.ts"
import { HostName, toFqdn } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import { findSingletonTxtKind } from "../../domain/DnsRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { walkDmarcTree } from "./walkDmarcTree.ts"

/** The known ranks of the policies for the domain, for existing names below it, and for names that do not exist. */
export type DmarcStrictness = ReadonlyArray<number>

/** How strict a record is: not at all if a policy is invalid (RFC 9989 section 4.10.1), and less in test mode (4.7). */
export const rankStrictness = ({ tags }: DmarcRecord): DmarcStrictness => {
  const p = tags.get("p")
  const sp = tags.get("sp") ?? p
  const np = tags.get("np") ?? sp
  const ranks = Option.getOrElse(Option.all([p, sp, np].map((policy) => rankPolicy(policy))), () => [0, 0, 0])
  return tags.get("t")?.toLowerCase() === "y" ? ranks.map((rank) => Math.max(0, rank - 1)) : ranks
}

/** The strictness for a domain without a record of its own, by the record above it. */
export const rankInheritedStrictness: (inherited: Option.Option<DmarcRecord>) => DmarcStrictness = Option.match({
  onNone: () => [0],
  onSome: (record) => rankStrictness(record).slice(1, 2)
})

/** Warns if mail is treated less or more strictly than before, as far as both are known. */
export const warnAboutStrictness = (before: DmarcStrictness, after: DmarcStrictness): ReadonlyArray<Warning> => {
  const rankChanges = Array.zipWith(before, after, (rankBefore, rankAfter) => rankAfter - rankBefore)
  return [
    ...(rankChanges.some((rankChange) => rankChange < 0) ? ["dmarc_policy_weakened" as const] : []),
    ...(rankChanges.some((rankChange) => rankChange > 0) ? ["dmarc_policy_strengthened" as const] : [])
  ]
}

/** A zone with the answers of the DNS while that zone is served. */
interface ServedZone {
  readonly live: LiveZone
  readonly lookup: DnsLookup
}

/** Compares the DMARC policies that apply at a host in two states of a zone, and warns of a change. */
export const compareDmarcStrictness = (
  host: string,
  [zoneBefore, zoneAfter]: readonly [before: ServedZone, after: ServedZone]
): { readonly warnings: ReadonlyArray<Warning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const [before, after] = [strictnessAt(host, zoneBefore), strictnessAt(host, zoneAfter)]
  return {
    warnings: warnAboutStrictness(before.strictness, after.strictness),
    unanswered: [...before.unanswered, ...after.unanswered]
  }
}

const strictnessAt = (host: string, { live, lookup }: ServedZone) => {
  const texts = live.recordsAt(host).filter((record) => findSingletonTxtKind(record) === "DMARC")
  const record = Array.findFirst(
    texts.map(({ value }) => parseDmarc(value)),
    isValidDmarc
  )
  if (Option.isSome(record)) return { strictness: rankStrictness(record.value), unanswered: [] }
  const { applicable, unanswered } = walkDmarcTree(
    toFqdn(HostName.make(host), live.domain).replace(/^_dmarc\./, ""),
    lookup
  )
  return { strictness: Option.match(applicable, { onNone: () => [], onSome: rankInheritedStrictness }), unanswered }
}
