import type { Either } from "effect"

/** What may be asked of the DNS beyond the zone; `name` is absolute and in normal form. */
export interface Question {
  readonly name: string
  readonly type: "A" | "AAAA" | "MX" | "TXT" | "CAA"
}

/** `name TYPE`, by which the answer to a question is found. */
export const questionKey = ({ name, type }: Question): string => `${name} ${type}`

/**
 * The values that a resolver would give, aliases followed, each in the logical form of `ZoneRecord.value` (an MX is its
 * target): empty where there is no such record or no such name. Where that is not known, what has to be asked: the same
 * of the name that an alias leads to.
 */
export type Lookup = (question: Question) => Either.Either<ReadonlyArray<string>, Question>
