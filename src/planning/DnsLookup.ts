import type { Either } from "effect"

/** What may be asked of the DNS beyond the zone; `name` is absolute and in normal form. */
export interface LookupQuestion {
  readonly name: string
  readonly type: "A" | "AAAA" | "MX" | "TXT" | "CAA"
}

/** `name TYPE`, by which the answer to a question is found. */
export const questionKey = ({ name, type }: LookupQuestion): string => `${name} ${type}`

/** How many aliases resolvers follow: on longer chains and on loops they give up. */
export const maxAliases = 8

/** Each question once, in the order in which they came. */
export const distinctQuestions = (questions: ReadonlyArray<LookupQuestion>): ReadonlyArray<LookupQuestion> => [
  ...new Map(questions.map((question) => [questionKey(question), question])).values()
]

/**
 * The values that a resolver would give, aliases followed, each in the logical form of `ZoneRecord.value` (an MX is its
 * target): empty where there is no such record or no such name. Where that is not known, what has to be asked: the same
 * of the name that an alias leads to.
 */
export type DnsLookup = (question: LookupQuestion) => Either.Either<ReadonlyArray<string>, LookupQuestion>
