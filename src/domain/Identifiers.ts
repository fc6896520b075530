import { Clock, Context, Effect, Layer } from "effect"

/** What an id names; the ids of one kind sort by the time of their making. */
export type IdentifierPrefix = "con" | "key" | "evt" | "req" | "own" | "run"

/**
 * Makes ids such as `con_01JD…`: a prefix, 48 bits of milliseconds and 80 random bits in Crockford's base 32. Within one
 * millisecond, and while the clock is behind, each id is the successor of the one before.
 */
export class Identifiers extends Context.Tag("domain/Identifiers")<
  Identifiers,
  { readonly next: (prefix: IdentifierPrefix) => Effect.Effect<string> }
>() {
  static readonly layer = Layer.sync(Identifiers, () => {
    const last = { millis: -1, digits: "" }
    return {
      next: (prefix) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          last.digits = millis > last.millis ? `${timePart(millis)}${randomPart()}` : successor(last.digits)
          last.millis = Math.max(millis, last.millis)
          return `${prefix}_${last.digits}`
        })
    }
  })

  /** Counts from one: for tests that name ids. */
  static readonly layerSequence = Layer.sync(Identifiers, () => {
    const counter = { last: 0 }
    return {
      next: (prefix) =>
        Effect.sync(() => {
          counter.last += 1
          return `${prefix}_${encode(counter.last, 26)}`
        })
    }
  })
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** A whole number below 2^53 with leading zeros. */
const encode = (value: number, length: number): string =>
  length === 0 ? "" : encode(Math.floor(value / 32), length - 1) + alphabet.charAt(value % 32)

const timePart = (millis: number): string => encode(millis, 10)

/** The next number, digit by digit; whoever were to get beyond the last of a millisecond gets into the next one. */
const successor = (digits: string): string => {
  const rest = digits.slice(0, -1)
  const next = alphabet.charAt(alphabet.indexOf(digits.slice(-1)) + 1)
  return next === "" ? `${successor(rest)}0` : `${rest}${next}`
}

/** Each of the 16 bytes gives five bits. */
const randomPart = (): string => {
  if (pool.next === pool.bytes.length) {
    crypto.getRandomValues(pool.bytes)
    pool.next = 0
  }
  const end = pool.next + 16
  let digits = ""
  for (; pool.next < end; pool.next += 1) digits += alphabet.charAt((pool.bytes[pool.next] ?? 0) & 31)
  return digits
}

/** Asking the system for 16 bytes costs as much as asking for some thousand. */
const pool = { bytes: new Uint8Array(4_096), next: 4_096 }
