import { Either, Option } from "effect"
import type { DnsLookup, LookupQuestion } from "../../src/planning/DnsLookup.ts"

/** A DNS lookup without aliases: an unknown answer raises the question itself. */
export const fakeLookup =
  (valuesOf: (question: LookupQuestion) => Option.Option<ReadonlyArray<string>>): DnsLookup =>
  (question) =>
    Either.fromOption(valuesOf(question), () => question)
