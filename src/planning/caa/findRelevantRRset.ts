import { Array, Either, Option } from "effect"
import { type DomainName, selfAndAncestors } from "../../domain/DomainName.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"

/** The CAA records that apply to a name, as far as they are known. */
export interface RelevantRRset {
  /** The name that answered with them. */
  readonly at: Option.Option<string>
  readonly values: ReadonlyArray<string>
  /** The questions about lower names whose answers are not known. */
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Finds the relevant CAA records of a name: climbs from the name to its top-level domain, past the apex of its zone, to
 * the first name with CAA records (RFC 8659 section 3). An alias answers with the records of its target, without those
 * above the target.
 */
export const findRelevantRRset = (name: DomainName, lookup: DnsLookup): RelevantRRset => {
  const levels = selfAndAncestors(name).map((level) => ({ level, answer: lookup({ name: level, type: "CAA" }) }))
  const [below, [found]] = Array.span(levels, ({ answer }) => Either.isLeft(answer) || answer.right.length === 0)
  return {
    at: Option.fromNullable(found?.level),
    values: found === undefined ? [] : Either.getOrElse(found.answer, () => []),
    unanswered: Array.getLefts(below.map(({ answer }) => answer))
  }
}
