import { Array, Order } from "effect"
import type { AdvancedDmarcOptions } from "../../domain/AdvancedDmarcOptions.ts"
import { dmarcFromTags, type DmarcRecord, hasEqualTags } from "../../domain/DmarcRecord.ts"

export type DmarcOptions = typeof AdvancedDmarcOptions.Type

/** Whether the options ask for anything: empty ones are as good as none. */
export const hasDmarcOptions = ({
  addTagsIfNotExist,
  inheritRootDmarc,
  overrideTags,
  removeTags
}: DmarcOptions): boolean =>
  inheritRootDmarc === true ||
  [removeTags, overrideTags, addTagsIfNotExist].some((part) => part !== undefined && Object.keys(part).length > 0)

/**
 * A record with tags removed, set and added, new ones last in the order of their names. One that is so already comes
 * back as it is.
 */
export const applyDmarcOptions = (base: DmarcRecord, options: DmarcOptions): DmarcRecord => {
  const removed = new Set((options.removeTags ?? []).map((name) => name.toLowerCase()))
  const overriding = byName(options.overrideTags)
  const wanted = new Map([...byName(options.addTagsIfNotExist), ...overriding])
  const kept = [...base.tags]
    .filter(([name]) => !removed.has(name))
    .map(([name, value]) => [name, overriding.get(name) ?? value] as const)
  const added = [...wanted].filter(([name]) => !base.tags.has(name))
  const amended = dmarcFromTags([...kept, ...Array.sortWith(added, ([name]) => name, Order.string)])
  const isAmbiguous = base.duplicates.some((name) => overriding.has(name))
  return hasEqualTags(amended.tags, base.tags) && !isAmbiguous ? base : amended
}

const byName = (tags: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
