import { Array } from "effect"
import type { ChangeRecord } from "../../domain/Plan.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"

/** What goes and what comes in its place; one of both may be missing. */
export interface RecordPair {
  readonly before?: LiveRecord
  readonly after?: ChangeRecord
}

/**
 * Pairs the members of a set that go with those that come: first the same data with another priority, then those of
 * which a host has only one, then the last one with the last one, unless one of the two is of a kind of its own. The
 * rest goes and comes unpaired.
 */
export const pairRecords = (
  going: ReadonlyArray<LiveRecord>,
  coming: ReadonlyArray<ChangeRecord>
): ReadonlyArray<RecordPair> => {
  const byData = match(({ value }) => value, { pairs: [], going, coming })
  const byKind = match(kindOf, byData)
  const [lastGoing, lastComing] = [byKind.going, byKind.coming].map((left) => left.map(kindOf).join())
  const isLastPair = byKind.going.length === 1 && byKind.coming.length === 1 && lastGoing === lastComing
  const { pairs, ...rest } = isLastPair ? match(() => "the last", byKind) : byKind
  return [...pairs, ...rest.going.map((before) => ({ before })), ...rest.coming.map((after) => ({ after }))]
}

interface Matching {
  readonly pairs: ReadonlyArray<Required<RecordPair>>
  readonly going: ReadonlyArray<LiveRecord>
  readonly coming: ReadonlyArray<ChangeRecord>
}

/** Pairs those whose identity is the same, in their order; those without an identity stay unpaired. */
const match = (identityOf: (record: LiveRecord | ChangeRecord) => string | undefined, matching: Matching): Matching => {
  const { coming, going, pairs } = matching
  if (going.length === 0 || coming.length === 0) return matching
  const heirs = Map.groupBy(coming, identityOf)
  const found = [...Map.groupBy(going, identityOf)].flatMap(([identity, records]) =>
    identity === undefined
      ? []
      : Array.zipWith(records, heirs.get(identity) ?? [], (before, after) => ({ before, after }))
  )
  const paired = new Set<LiveRecord | ChangeRecord>(found.flatMap(({ after, before }) => [before, after]))
  return {
    pairs: [...pairs, ...found],
    going: going.filter((record) => !paired.has(record)),
    coming: coming.filter((record) => !paired.has(record))
  }
}

/** What a host can have only once: an alias, or a TXT record of a kind. */
const kindOf = (record: LiveRecord | ChangeRecord): string | undefined =>
  aliases.has(record.type) ? "alias" : singletonTxtKind(record)

const aliases: ReadonlySet<string> = new Set(["CNAME", "ALIAS", "ANAME"])
