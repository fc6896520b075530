import { createHash } from "node:crypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { encodeTime, monotonicFactory } from "ulid"

/** The kinds of ids; the ids of one kind sort by their time of creation. */
type IdentifierPrefix = "con" | "key" | "evt" | "req" | "own" | "run" | "prc" | "whe" | "adk" | "ask"

/**
 * Makes ids such as `con_01jd…`: a prefix and a ULID. Within a millisecond, or while the clock is behind, each id is
 * the successor of the last.
 */
export class Identifiers extends Context.Tag("domain/Identifiers")<
  Identifiers,
  { readonly next: (prefix: IdentifierPrefix) => Effect.Effect<string> }
>() {
  static readonly layer = Layer.sync(Identifiers, () => {
    const ulid = monotonicFactory(randomFraction)
    return {
      // The library takes the time of the process in place of 0.
      next: (prefix) =>
        Effect.clockWith((clock) =>
          Effect.succeed(`${prefix}_${ulid(Math.max(clock.unsafeCurrentTimeMillis(), 1)).toLowerCase()}`)
        )
    }
  })
}

/** One random byte as a fraction of 1. */
const randomFraction = (): number => {
  if (pool.next === pool.bytes.length) {
    crypto.getRandomValues(pool.bytes)
    pool.next = 0
  }
  const byte = pool.bytes[pool.next] ?? 0
  pool.next += 1
  return byte / 256
}

/** Random bytes in stock: 16 calls to the system for an id would take longer than all the rest. */
const pool = { bytes: new Uint8Array(4_096), next: 4_096 }

/** The id of an event at most once a day (UTC) for the same names: the day, and 128 bits of the names' SHA-256. */
export const makeDailyId = (prefix: IdentifierPrefix, names: ReadonlyArray<string>, now: DateTime.Utc): string => {
  const day = encodeTime(DateTime.toEpochMillis(DateTime.startOf(now, "day")), 10).toLowerCase()
  const hash = createHash("sha256").update(JSON.stringify(names)).digest("hex")
  return `${prefix}_${day}${hash.slice(0, 32)}`
}
