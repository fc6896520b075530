import { Array, Either, Option } from "effect"
import { type DmarcRecord, isValidDmarc, parseDmarc, rankPolicy } from "../../domain/records/DmarcRecord.ts"
import { apexHost, HostName, toFqdn } from "../../domain/names/DomainName.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { dedupeQuestions, type DnsLookup, type LookupQuestion } from "../DnsLookup.ts"
import { walkDmarcTree } from "./walkDmarcTree.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { listAnswers } from "../zone/wildcards.ts"

/** How receivers treat mail that fails DMARC: of the domain, of names below it, and of names that do not exist. */
type DmarcStrictness = ReadonlyArray<AppliedPolicy>

/** The parts of a policy that receivers apply. Alignment and the share of mail count only if the policy asks to act. */
interface AppliedPolicy {
  /** 0 for `none`, 1 for `quarantine`, 2 for `reject`. */
  readonly rank: number
  /** The percentage of failing mail that the policy applies to (RFC 7489 section 6.3). */
  readonly share: number
  /** Whether the names in DKIM signatures and of SPF must equal the domain of the author. */
  readonly isDkimStrict: boolean
  readonly isSpfStrict: boolean
}

const noPolicy: AppliedPolicy = { rank: 0, share: 100, isDkimStrict: false, isSpfStrict: false }

/** How strict a record is: not at all if a policy is invalid (RFC 9989 section 4.10.1), and less in test mode (4.7). */
export const rankStrictness = ({ tags }: DmarcRecord): DmarcStrictness => {
  const p = tags.get("p")
  const sp = tags.get("sp") ?? p
  const np = tags.get("np") ?? sp
  const ranks = Option.getOrElse(Option.all([p, sp, np].map((policy) => rankPolicy(policy))), () => [0, 0, 0])
  const tested = isTag(tags, "t", "y") ? ranks.map((rank) => Math.max(0, rank - 1)) : ranks
  return tested.map((rank) =>
    rank === 0
      ? noPolicy
      : {
          rank,
          share: shareOf(tags),
          isDkimStrict: isTag(tags, "adkim", "s"),
          isSpfStrict: isTag(tags, "aspf", "s")
        }
  )
}

const isTag = (tags: DmarcRecord["tags"], name: string, value: string): boolean =>
  tags.get(name)?.toLowerCase() === value

const shareOf = (tags: DmarcRecord["tags"]): number => {
  const share = tags.get("pct") ?? ""
  return /^(\d{1,2}|100)$/.test(share) ? Number(share) : 100
}

/** The strictness for a domain without a record of its own and for names below it, by the record above it. */
const rankInheritedStrictness: (inherited: Option.Option<DmarcRecord>) => DmarcStrictness = Option.match({
  onNone: () => [noPolicy, noPolicy, noPolicy],
  onSome: (record) => {
    const [, existing = noPolicy, nonexistent = noPolicy] = rankStrictness(record)
    return [existing, existing, nonexistent]
  }
})

/** Warns if mail is treated less or more strictly than before, as far as both are known. */
export const warnAboutStrictness = (before: DmarcStrictness, after: DmarcStrictness): ReadonlyArray<Warning> => {
  const changes = Array.zipWith(before, after, compareApplied).flat()
  return [
    ...(changes.some((change) => change < 0) ? ["dmarc_policy_weakened" as const] : []),
    ...(changes.some((change) => change > 0) ? ["dmarc_policy_strengthened" as const] : [])
  ]
}

/** Negative numbers for what becomes less strict, positive ones for what becomes stricter. */
const compareApplied = (before: AppliedPolicy, after: AppliedPolicy): ReadonlyArray<number> => {
  const rank = after.rank - before.rank
  // Strict alignment of a policy that has just begun to act, or no longer acts, follows from that.
  if (before.rank === 0 || after.rank === 0) return [rank]
  return [
    rank,
    after.share - before.share,
    Number(after.isDkimStrict) - Number(before.isDkimStrict),
    Number(after.isSpfStrict) - Number(before.isSpfStrict)
  ]
}

/** A zone before or after a plan, with the answers of the DNS while it is served. */
export interface ServedZone {
  readonly live: LiveZone
  readonly lookup: DnsLookup
}

/** The differences between two policies; `isUnknown` if one of them depends on `unanswered` questions. */
interface StrictnessComparison {
  readonly warnings: ReadonlyArray<Warning>
  readonly isUnknown: boolean
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** The policies that apply before and after a change, with the questions that they depend on. */
type StrictnessStates = readonly [before: FoundStrictness, after: FoundStrictness]

const compareStates = (states: StrictnessStates): StrictnessComparison => {
  const [before, after] = states
  return {
    warnings: warnAboutStrictness(before.strictness, after.strictness),
    isUnknown: states.some(({ strictness }) => strictness.length === 0),
    unanswered: dedupeQuestions(states.flatMap(({ unanswered }) => unanswered))
  }
}

/** Compares the DMARC policies that apply at a host in two states of a zone, and warns of a change. */
export const compareDmarcStrictness = (
  host: string,
  [zoneBefore, zoneAfter]: readonly [before: ServedZone, after: ServedZone]
): StrictnessComparison => compareStates([strictnessAt(host, zoneBefore), strictnessAt(host, zoneAfter)])

/** Compares what names below a host inherit if they have no record of their own. */
export const compareInheritedStrictness = (
  host: string,
  [zoneBefore, zoneAfter]: readonly [before: ServedZone, after: ServedZone]
): StrictnessComparison => {
  const nameBelow = toFqdn(`below.${host}`, zoneBefore.live.domain)
  return compareStates([inheritedStrictnessAt(nameBelow, zoneBefore), inheritedStrictnessAt(nameBelow, zoneAfter)])
}

/**
 * Compares the policy for names that do not exist (`np`) with the one that applies to a name once it exists.
 * `leavesNp`: the policy stays, but treats the name otherwise because it exists.
 */
export const compareNewName = (
  host: string,
  [zoneBefore, zoneAfter]: readonly [before: ServedZone, after: ServedZone]
): StrictnessComparison & { readonly leavesNp: boolean } => {
  const name = toFqdn(host, zoneBefore.live.domain)
  const policyHost = host === apexHost ? "_dmarc" : `_dmarc.${host}`
  const before = inheritedStrictnessAt(name, zoneBefore)
  // A wildcard that answers for the policy too is compared by itself.
  const hasOwnPolicy = zoneAfter.live.recordsAt(policyHost).length > 0
  const after = hasOwnPolicy ? strictnessAt(policyHost, zoneAfter) : inheritedStrictnessAt(name, zoneAfter)
  const [existing, nonexistent] = [before.strictness.slice(1, 2), before.strictness.slice(2)]
  return {
    ...compareStates([
      { ...before, strictness: nonexistent },
      { ...after, strictness: after.strictness.slice(0, 1) }
    ]),
    leavesNp: !hasOwnPolicy && warnAboutStrictness(nonexistent, existing).length > 0
  }
}

const inheritedStrictnessAt = (name: string, { lookup }: ServedZone): FoundStrictness => {
  const { applicable, unanswered } = walkDmarcTree(name, lookup)
  return { strictness: Option.match(applicable, { onNone: () => [], onSome: rankInheritedStrictness }), unanswered }
}

const strictnessAt = (host: string, { live, lookup }: ServedZone): FoundStrictness => {
  const name = toFqdn(HostName.make(host), live.domain)
  const records = listAnswers(live, host)
  // The DNS, which a public zone asks at unknown hosts, answers for the name as it is before the change.
  const alias = records.find(({ role, value }) => role === "CNAME" && value !== nullTarget)
  const answer =
    alias === undefined
      ? Either.right(records.filter(({ type }) => type === "TXT").map(({ value }) => value))
      : lookup({ name: alias.value, type: "TXT" })
  if (Either.isLeft(answer)) return { strictness: [], unanswered: [answer.left] }
  return findAppliedStrictness(name, answer.right, lookup)
}

/** The policy that was found; its strictness is empty if it depends on unanswered questions. */
interface FoundStrictness {
  readonly strictness: DmarcStrictness
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** The policy for a name's mail: its only valid DMARC record, else the one above (RFC 9989 section 4.10). */
export const findAppliedStrictness = (
  name: string,
  texts: ReadonlyArray<string>,
  lookup: DnsLookup
): FoundStrictness => {
  const [record, ...others] = texts.map(parseDmarc).filter(({ isVersioned }) => isVersioned)
  if (record !== undefined && others.length === 0) {
    return {
      strictness: isValidDmarc(record) ? rankStrictness(record) : rankInheritedStrictness(Option.none()),
      unanswered: []
    }
  }
  const { applicable, unanswered } = walkDmarcTree(name.replace(/^_dmarc\./, ""), lookup)
  const unknown = others.length === 0 ? [] : rankInheritedStrictness(Option.none())
  return {
    strictness: Option.match(applicable, { onNone: () => unknown, onSome: rankInheritedStrictness }),
    unanswered
  }
}
