import { expect } from "bun:test"
import { Either } from "effect"
import type { ValueIssue } from "../../src/domain/error/ErrorDetail.ts"

/** The expected result for each input: its normal form, or `!` and the error code. */
export type Outcomes = Readonly<Record<string, string>>

/** The outcomes of inputs that are their own normal form. */
export const unchanged = (...inputs: ReadonlyArray<string>): Outcomes =>
  Object.fromEntries(inputs.map((input) => [input, input]))

/** The outcomes of inputs that are all refused with one code. */
export const rejected = (code: string, ...inputs: ReadonlyArray<string>): Outcomes =>
  Object.fromEntries(inputs.map((input) => [input, `! ${code}`]))

/** Parses every input and compares all outcomes at once. */
export const expectOutcomes = (
  parse: (input: string) => Either.Either<string, { readonly code: string }>,
  expected: Outcomes
): void => {
  const outcome = (input: string) =>
    Either.match(parse(input), { onLeft: ({ code }) => `! ${code}`, onRight: (normal) => normal })
  expect(Object.fromEntries(Object.keys(expected).map((input) => [input, outcome(input)]))).toEqual(expected)
}

/** Parses every input and compares the code and the suggestion of each. */
export const expectSuggestions = (
  parse: (input: string) => Either.Either<string, ValueIssue>,
  expected: Readonly<Record<string, readonly [code: string, suggestion?: string]>>
): void => {
  const outcome = (input: string): readonly [code: string, suggestion?: string] =>
    Either.match(parse(input), {
      onLeft: ({ code, suggestion }) => (suggestion === undefined ? ([code] as const) : ([code, suggestion] as const)),
      onRight: (normal) => ["accepted", normal] as const
    })
  expect(Object.fromEntries(Object.keys(expected).map((input) => [input, outcome(input)]))).toEqual(expected)
}
