import type { Option } from "effect"

/** What may be asked of the DNS beyond the zone; `name` is absolute and in normal form. */
export interface Question {
  readonly name: string
  readonly type: "A" | "AAAA" | "MX" | "TXT" | "CAA"
}

/** `name TYPE`, by which the answer to a question is found. */
export const questionKey = ({ name, type }: Question): string => `${name} ${type}`

/**
 * The values that a resolver would give, aliases followed, each in the logical form of `ZoneRecord.value` (an MX is its
 * target): empty where there is no such record or no such name, `none` where the answer is not known.
 */
export type Lookup = (question: Question) => Option.Option<ReadonlyArray<string>>
