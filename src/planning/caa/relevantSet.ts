import { Array, Option } from "effect"
import { type DomainName, selfAndAncestors } from "../../domain/DomainName.ts"
import type { Lookup, Question } from "../Lookup.ts"

/** The CAA records that count for a name, as far as they are known. */
export interface RelevantSet {
  /** The name that answered with them. */
  readonly at: Option.Option<string>
  readonly values: ReadonlyArray<string>
  /** What could have answered before that and is not known. */
  readonly unanswered: ReadonlyArray<Question>
}

/**
 * Climbs from the name to its top-level domain, past the apex of its zone, until there is a set (RFC 8659 section 3).
 * An alias is asked for the set of its target, above which nothing counts; `aliases` gives targets that are still to
 * come.
 */
export const relevantSet = (
  name: DomainName,
  lookup: Lookup,
  aliases: ReadonlyMap<string, string> = new Map()
): RelevantSet => {
  const levels = selfAndAncestors(name).map((level) => {
    const question: Question = { name: aliases.get(level) ?? level, type: "CAA" }
    return { question, answer: lookup(question) }
  })
  const [below, [found]] = Array.span(levels, ({ answer }) => !Option.exists(answer, Array.isNonEmptyReadonlyArray))
  return {
    at: Option.fromNullable(found?.question.name),
    values: found === undefined ? [] : Option.getOrElse(found.answer, () => []),
    unanswered: below.flatMap(({ answer, question }) => (Option.isNone(answer) ? [question] : []))
  }
}
