import type { Either } from "effect"
import type { UnansweredRRset } from "../domain/plan/Zone.ts"

/** A question to the DNS about something outside the zone; `name` is absolute and in normal form. */
export interface LookupQuestion {
  readonly name: string
  readonly type: "A" | "AAAA" | "MX" | "TXT" | "CAA" | "CNAME" | "TLSA"
}

/** `name TYPE`, the key under which the answer to a question is found. */
export const questionKeyOf = ({ name, type }: LookupQuestion): string => `${name} ${type}`

/** A notice for the operator about a question that nobody answered. */
export const describeUnanswered = ({ name, type }: Pick<UnansweredRRset, "name" | "type">): string =>
  `The ${type} record of ${name} could not be looked up.`

/** How many aliases resolvers follow; they give up on longer chains and on loops. */
export const maxAliases = 8

/** Each question once, in the order given. */
export const dedupeQuestions = (questions: ReadonlyArray<LookupQuestion>): ReadonlyArray<LookupQuestion> => [
  ...new Map(questions.map((question) => [questionKeyOf(question), question])).values()
]

/**
 * Answers a question as a resolver would, following aliases. Values are those of `ZoneRecord.value`, none without such a
 * record. An unknown answer gives the question to ask: the same one, or that for the target of an alias.
 */
export type DnsLookup = (question: LookupQuestion) => Either.Either<ReadonlyArray<string>, LookupQuestion>
