import { Effect, Layer } from "effect"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"

/** Identifiers that count from one, in Crockford's base 32, so that tests can name them. */
export const sequentialIdentifiers = Layer.sync(Identifiers, () => {
  const counter = { last: 0 }
  return {
    next: (prefix) =>
      Effect.sync(() => {
        counter.last += 1
        return `${prefix}_${encode(counter.last, 26)}`
      })
  }
})

const encode = (value: number, length: number): string =>
  length === 0 ? "" : encode(Math.floor(value / 32), length - 1) + alphabet.charAt(value % 32)

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
