import { Array, Order } from "effect"
import type { AdvancedDmarcOptions } from "../../domain/AdvancedDmarcOptions.ts"
import { dmarcFromTags, type DmarcRecord, hasEqualTags } from "../../domain/DmarcRecord.ts"

/** Whether the options have any effect; empty ones have none. */
export const hasDmarcOptions = ({
  addTagsIfNotExist,
  inheritRootDmarc,
  overrideTags,
  removeTags
}: AdvancedDmarcOptions): boolean =>
  inheritRootDmarc === true ||
  [removeTags, overrideTags, addTagsIfNotExist].some((part) => part !== undefined && Object.keys(part).length > 0)

/**
 * Removes, overrides and adds the tags that the options name; added tags are last, sorted by name. A record with the
 * resulting tags already is returned as it is.
 */
export const applyDmarcOptions = (base: DmarcRecord, options: AdvancedDmarcOptions): DmarcRecord => {
  const removed = new Set((options.removeTags ?? []).map((name) => name.toLowerCase()))
  const overrides = byName(options.overrideTags)
  const desired = new Map([...byName(options.addTagsIfNotExist), ...overrides])
  const kept = [...base.tags]
    .filter(([name]) => !removed.has(name))
    .map(([name, value]) => [name, overrides.get(name) ?? value] as const)
  const added = [...desired].filter(([name]) => !base.tags.has(name))
  const amended = dmarcFromTags([...kept, ...Array.sortWith(added, ([name]) => name, Order.string)])
  const isAmbiguous = base.duplicates.some((name) => overrides.has(name))
  return hasEqualTags(amended.tags, base.tags) && !isAmbiguous ? base : amended
}

const byName = (tags: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
