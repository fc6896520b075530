import { Array, Option } from "effect"
import { type DmarcRecord, policyRank } from "../../domain/DmarcRecord.ts"
import type { Warning } from "../../domain/Plan.ts"

/** Ranks of the policies for the domain, for names below it that exist, and for those that do not, as far as known. */
export type Policies = ReadonlyArray<number>

/** What a record asks of receivers: nothing if one policy is none (RFC 9989 section 4.10.1), less in test mode (4.7). */
export const policiesOf = ({ tags }: DmarcRecord): Policies => {
  const p = tags.get("p")
  const sp = tags.get("sp") ?? p
  const np = tags.get("np") ?? sp
  const stated = Option.getOrElse(Option.all([p, sp, np].map((policy) => policyRank(policy))), () => [0, 0, 0])
  return tags.get("t")?.toLowerCase() === "y" ? stated.map((rank) => Math.max(0, rank - 1)) : stated
}

/** What applies to a domain without a record of its own, by the record above it. */
export const inheritedPolicies: (above: Option.Option<DmarcRecord>) => Policies = Option.match({
  onNone: () => [0],
  onSome: (record) => policiesOf(record).slice(1, 2)
})

/** Whether mail is treated less or more strictly than before, as far as both are known. */
export const policyWarnings = (before: Policies, after: Policies): ReadonlyArray<Warning> => {
  const shifts = Array.zipWith(before, after, (from, to) => to - from)
  return [
    ...(shifts.some((shift) => shift < 0) ? ["dmarc_policy_weakened" as const] : []),
    ...(shifts.some((shift) => shift > 0) ? ["dmarc_policy_strengthened" as const] : [])
  ]
}
