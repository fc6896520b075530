import { Array } from "effect"
import { createHash } from "node:crypto"

/**
 * When connections are looked at: a cycle, the longest time between two looks, has 4,096 slots. The zone names the slot,
 * so that connections of a zone are looked at together, and the zones of a server evenly.
 */
export const slotsPerCycle = 4_096

export type LooksPerCycle = 1 | 2 | 4

/** Where each number of looks begins among the keys of rows: a row is found by one key in all of its slots. */
const firstKeys: Readonly<Record<LooksPerCycle, number>> = {
  1: 0,
  2: slotsPerCycle,
  4: slotsPerCycle + slotsPerCycle / 2
}

/** The key of the connections of a zone that are looked at so many times in a cycle. */
export const lookKeyOf = (zone: string, looks: LooksPerCycle): number =>
  firstKeys[looks] + (createHash("sha256").update(zone).digest().readUInt16BE() % (slotsPerCycle / looks))

export const lookKeysIn = (slot: number): ReadonlyArray<number> => [
  slot,
  firstKeys[2] + (slot % (slotsPerCycle / 2)),
  firstKeys[4] + (slot % (slotsPerCycle / 4))
]

export const slotsOf = (key: number): ReadonlyArray<number> => {
  const looks = looksOf(key)
  return Array.makeBy(looks, (nth) => key - firstKeys[looks] + (nth * slotsPerCycle) / looks)
}

export const looksOf = (key: number): LooksPerCycle => (key < firstKeys[2] ? 1 : key < firstKeys[4] ? 2 : 4)

/**
 * Numbers the looks at a key; `round` is the cycle. By consecutive numbers the servers of a zone take turns. Each key
 * begins elsewhere, so that the zones of a provider do not all ask the same of its servers in a cycle.
 */
export const lookNumber = (key: number, slot: number, round: number): number => {
  const looks = looksOf(key)
  return key + round * looks + Math.floor((slot * looks) / slotsPerCycle)
}

/** When a slot comes next after a moment; both in milliseconds since 1970. */
export const nextTimeOf = (slot: number, cycleMillis: number, after: number): number => {
  const offset = (slot * cycleMillis) / slotsPerCycle
  return Math.ceil((Math.floor((after - offset) / cycleMillis) + 1) * cycleMillis + offset)
}

/** How long a connection has been active, and ago its records were last found missing; undefined if never. In milliseconds. */
interface WatchedAges {
  readonly active: number
  readonly drift: number | undefined
}

/** Most records that go, go in the first days, or where some went before: such connections are looked at more often. */
export const chooseLooks = ({ active, drift = Infinity }: WatchedAges): LooksPerCycle => {
  if (active < day) return 4
  return active < 7 * day || drift < 30 * day ? 2 : 1
}

const day = 86_400_000
