import { Either } from "effect"
import { refuse, suggestionOf, type ValueIssue } from "../error/ErrorDetail.ts"
import type { RecordField } from "./RecordField.ts"
import { divideWords } from "./RecordFormat.ts"
import { hasStrayCharacter, splitWords } from "./presentation.ts"
import { parseNameOrNullTarget } from "./target.ts"

/** A type whose desired value is written as in a zone file. */
interface PresentationForm {
  readonly type: string
  readonly fields: Readonly<Record<string, RecordField>>
  /** How the value is written, and the standard that says so. */
  readonly form: string
  /** Finds a fault of fields that are each right by themselves. */
  readonly findFault?: (texts: ReadonlyArray<string>) => string | undefined
  /** Mends what people type wrong; the result is suggested if it is right. */
  readonly mend?: (words: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** Makes the parser of a desired value that is written as in a zone file, where a name needs no dot at its end. */
export const parsePresentation = (form: PresentationForm): ((value: string) => Either.Either<string, ValueIssue>) => {
  const { mend = (words) => words, type } = form
  const recordStart = new RegExp(`^(?:\\S+\\s+)?(?:\\d+\\s+)?(?:IN\\s+)?(?:\\d+\\s+)?${type}\\s+(?=\\S)`, "i")
  const refuseStray = refuse("value_malformed", `the value must be ${form.form}: a quote or backslash stands alone`)
  return (value) =>
    Either.orElse(hasStrayCharacter(value) ? refuseStray : parseWords(form, splitWords(value)), (issue) => {
      const suggestion = parseWords(form, mend(splitWords(value.replace(recordStart, "").replace(/[()]/g, " "))))
      return Either.left({ ...suggestionOf(suggestion), ...issue })
    })
}

const parseWords = (
  presentation: PresentationForm,
  words: ReadonlyArray<string>
): Either.Either<string, ValueIssue> => {
  const { fields, findFault, form, type } = presentation
  const refuseFor = (reason: string) => refuse("value_malformed", `the value must be ${form}: ${reason}`)
  return Either.gen(function* () {
    const divided = yield* Either.orElse(divideWords(type, fields, words), refuseFor)
    const texts = yield* Either.all(
      divided.map(([field, own], at) =>
        field.form === "name"
          ? Either.mapLeft(parseNameOrNullTarget(own.join("")), ({ suggestion, ...issue }) =>
              suggestion === undefined
                ? issue
                : { ...issue, ...suggestionOf(parseWords(presentation, words.with(at, suggestion))) }
            )
          : Either.orElse(field.parse(own, "."), refuseFor)
      )
    )
    const fault = findFault?.(texts)
    return fault === undefined ? texts.filter((text) => text !== "").join(" ") : yield* refuseFor(fault)
  })
}

/** Joins the digits of a fingerprint or digest, which people copy with colons or blanks between them. */
export const joinDigits =
  (from: number) =>
  (words: ReadonlyArray<string>): ReadonlyArray<string> => [
    ...words.slice(0, from),
    words.slice(from).join("").replaceAll(":", "")
  ]

/** Finds a digest whose length is not that of its algorithm, by the bytes that each algorithm has. */
export const findDigestFault = (
  digest: string,
  algorithm: string,
  lengths: Readonly<Record<string, number>>
): string | undefined => {
  const bytes = lengths[algorithm]
  return bytes === undefined || digest.length === 2 * bytes
    ? undefined
    : `the digest has ${digest.length / 2} bytes, where the algorithm ${algorithm} gives ${bytes}`
}
