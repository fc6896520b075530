import { Array } from "effect"
import type { ChangeRecord } from "../../domain/Plan.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"

/** A removed record and the one that replaces it; one of both may be missing. */
export interface RecordPair {
  readonly before?: LiveRecord
  readonly after?: ChangeRecord
}

/**
 * Pairs the removed with the added members of a set: first those with the same value and another priority, then those
 * of a kind of which a host has only one, then the last one with the last one, unless one of the two is of such a kind.
 * The rest remains unpaired.
 */
export const pairRecords = (
  removed: ReadonlyArray<LiveRecord>,
  added: ReadonlyArray<ChangeRecord>
): ReadonlyArray<RecordPair> => {
  const byValue = match(({ value }) => value, { pairs: [], removed, added })
  const byKind = match(kindOf, byValue)
  const [removedKinds, addedKinds] = [byKind.removed, byKind.added].map((records) => records.map(kindOf).join())
  const isLastPair = byKind.removed.length === 1 && byKind.added.length === 1 && removedKinds === addedKinds
  const { pairs, ...rest } = isLastPair ? match(() => "last", byKind) : byKind
  return [...pairs, ...rest.removed.map((before) => ({ before })), ...rest.added.map((after) => ({ after }))]
}

interface Matching {
  readonly pairs: ReadonlyArray<Required<RecordPair>>
  readonly removed: ReadonlyArray<LiveRecord>
  readonly added: ReadonlyArray<ChangeRecord>
}

/** Pairs records with equal identities, in their order; records without an identity stay unpaired. */
const match = (identityOf: (record: LiveRecord | ChangeRecord) => string | undefined, matching: Matching): Matching => {
  const { added, pairs, removed } = matching
  if (removed.length === 0 || added.length === 0) return matching
  const replacements = Map.groupBy(added, identityOf)
  const found = [...Map.groupBy(removed, identityOf)].flatMap(([identity, records]) =>
    identity === undefined
      ? []
      : Array.zipWith(records, replacements.get(identity) ?? [], (before, after) => ({ before, after }))
  )
  const paired = new Set<LiveRecord | ChangeRecord>(found.flatMap(({ after, before }) => [before, after]))
  return {
    pairs: [...pairs, ...found],
    removed: removed.filter((record) => !paired.has(record)),
    added: added.filter((record) => !paired.has(record))
  }
}

/** The kind of a record of which a host can have only one: an alias, or a kind of TXT record. */
const kindOf = (record: LiveRecord | ChangeRecord): string | undefined =>
  aliases.has(record.type) ? "alias" : singletonTxtKind(record)

const aliases: ReadonlySet<string> = new Set(["CNAME", "ALIAS", "ANAME"])
