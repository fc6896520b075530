import { Either, Option } from "effect"
import type { Lookup, Question } from "../../src/planning/Lookup.ts"

/** A DNS without aliases: what is not known of a name has to be asked of that name. */
export const lookupBy =
  (valuesOf: (question: Question) => Option.Option<ReadonlyArray<string>>): Lookup =>
  (question) =>
    Either.fromOption(valuesOf(question), () => question)
