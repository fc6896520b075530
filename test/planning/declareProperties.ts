import { afterAll, test } from "bun:test"
import { FastCheck as fc } from "effect"

interface PropertyOptions<Input, Prepared> {
  readonly inputs: fc.Arbitrary<Input>
  /** Computes what several properties need of an input. */
  readonly prepare: (input: Input) => Prepared
  readonly numRuns: number
}

/** CI checks a change by the same inputs each time; every other run draws new ones. */
const ciSeed = 7

/**
 * Declares a test for each property that holds for every input. All properties check the same inputs, so that each input
 * is drawn and prepared only once.
 */
export const declareProperties = <Input, Prepared>({ inputs, numRuns, prepare }: PropertyOptions<Input, Prepared>) => {
  const parameters = { numRuns, seed: process.env["CI"] === "true" ? ciSeed : Math.trunc(Math.random() * 2 ** 31) }
  let drawn: ReadonlyArray<Prepared> | undefined
  afterAll(() => (drawn = undefined))
  /** `holdsOverall` checks at the end what must be true of all inputs together. */
  return (name: string, holds: (prepared: Prepared) => void, holdsOverall = () => {}): void =>
    test(name, () => {
      try {
        drawn ??= fc.sample(inputs, parameters).map(prepare)
        for (const prepared of drawn) holds(prepared)
        holdsOverall()
      } catch (failure) {
        // Draws the same inputs again, and reports the seed and the smallest input that breaks the property.
        fc.assert(
          fc.property(inputs, (input) => holds(prepare(input))),
          parameters
        )
        throw failure
      }
    })
}
