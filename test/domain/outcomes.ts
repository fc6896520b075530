import { expect } from "bun:test"
import { Either } from "effect"

/** What is to become of each input: its normal form, or `!` and the code of the refusal. */
export type Outcomes = Readonly<Record<string, string>>

/** The outcomes of inputs that are their own normal form. */
export const unchanged = (...inputs: ReadonlyArray<string>): Outcomes =>
  Object.fromEntries(inputs.map((input) => [input, input]))

/** The outcomes of inputs that are all refused for one reason. */
export const rejected = (code: string, ...inputs: ReadonlyArray<string>): Outcomes =>
  Object.fromEntries(inputs.map((input) => [input, `! ${code}`]))

/** Reads every input and compares all outcomes at once. */
export const expectOutcomes = (
  read: (input: string) => Either.Either<string, { readonly code: string }>,
  expected: Outcomes
): void => {
  const outcome = (input: string) =>
    Either.match(read(input), { onLeft: ({ code }) => `! ${code}`, onRight: (normal) => normal })
  expect(Object.fromEntries(Object.keys(expected).map((input) => [input, outcome(input)]))).toEqual(expected)
}
