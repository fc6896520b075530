import { Either, Option } from "effect"
import type { DnsLookup, LookupQuestion } from "../../src/planning/DnsLookup.ts"

/** A DNS without aliases: what is not known of a name has to be asked of that name. */
export const fakeLookup =
  (valuesOf: (question: LookupQuestion) => Option.Option<ReadonlyArray<string>>): DnsLookup =>
  (question) =>
    Either.fromOption(valuesOf(question), () => question)
