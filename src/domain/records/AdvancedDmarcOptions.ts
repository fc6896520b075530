import { Array, Option, Order, Schema } from "effect"
import {
  checkDmarcTag,
  checkDmarcTagName,
  type DmarcRecord,
  hasEqualTags,
  isDmarcHost,
  makeDmarcRecord
} from "./DmarcRecord.ts"
import { type ErrorDetail, toIntentRecordPointer, toJsonPointer, type ValueIssue } from "../error/ErrorDetail.ts"
import { boundedArray, boundedRecord, boundedString, optional } from "../values/boundedSchemas.ts"
import { FalseByDefault } from "../values/documentedDefaults.ts"
import type { RecordType } from "./recordTypes.ts"

const Tags = boundedRecord({ max: 50, maxLength: 4_096 })

/** How an existing DMARC record is merged into the desired one; only on a TXT record at a `_dmarc` host. */
export const AdvancedDmarcOptions = Schema.Struct({
  inheritRootDmarc: optional(FalseByDefault).annotations({
    description: "Whether a host below the domain without a record begins with that of the domain."
  }),
  overrideTags: optional(Tags).annotations({ description: "Tags that take the place of existing ones." }),
  removeTags: optional(boundedArray(boundedString(100), { max: 50 })).annotations({
    description: "The names of tags to remove."
  }),
  addTagsIfNotExist: optional(Tags).annotations({ description: "Tags to add where there are none of these names." })
}).annotations({ identifier: "AdvancedDmarcOptions" })
export type AdvancedDmarcOptions = typeof AdvancedDmarcOptions.Type

/** A desired record, as far as its DMARC options are concerned; `host` is in normal form. */
interface RecordWithOptions {
  readonly type: RecordType
  readonly host: string
  readonly advancedDmarcOptions?: AdvancedDmarcOptions
}

/** Lists the faults of the `advancedDmarcOptions` of the record at `index` of the request. */
export const checkDmarcOptions = (
  { advancedDmarcOptions: options, host, type }: RecordWithOptions,
  index: number
): ReadonlyArray<ErrorDetail> => {
  if (options === undefined) return []
  const pointer = toIntentRecordPointer(index, "advancedDmarcOptions")
  if (type !== "TXT" || !isDmarcHost(host)) {
    return [
      {
        pointer,
        code: "dmarc_options_elsewhere",
        message: "advancedDmarcOptions belong on a TXT record whose host is `_dmarc` or begins with `_dmarc.`"
      }
    ]
  }
  const { addTagsIfNotExist = {}, overrideTags = {}, removeTags = [] } = options
  const tagsToSet = new Set(
    [...Object.keys(overrideTags), ...Object.keys(addTagsIfNotExist)].map((tag) => tag.toLowerCase())
  )
  return [
    ...checkTagsToSet(overrideTags, `${pointer}/overrideTags`),
    ...checkTagsToRemove(removeTags, tagsToSet, `${pointer}/removeTags`),
    ...checkTagsToSet(addTagsIfNotExist, `${pointer}/addTagsIfNotExist`)
  ]
}

const checkTagsToSet = (tags: Readonly<Record<string, string>>, pointer: string): ReadonlyArray<ErrorDetail> =>
  [...Map.groupBy(Object.entries(tags), ([tag]) => tag.toLowerCase()).values()].flatMap((spellings) =>
    spellings.flatMap(([tag, value], index) =>
      detailAt(`${pointer}${toJsonPointer([tag])}`, checkTagToSet(tag, value, index > 0))
    )
  )

const checkTagToSet = (tag: string, value: string, isRepeated: boolean): Option.Option<ValueIssue> => {
  if (tag.toLowerCase() === "v") {
    return Option.some({ code: "dmarc_version_fixed", message: "v is always DMARC1 and cannot be set" })
  }
  return isRepeated
    ? Option.some({ code: "dmarc_tag_repeated", message: "names that differ in letter case only are the same tag" })
    : checkDmarcTag(tag, value)
}

const checkTagsToRemove = (
  tags: ReadonlyArray<string>,
  tagsToSet: ReadonlySet<string>,
  pointer: string
): ReadonlyArray<ErrorDetail> =>
  tags.flatMap((tag, index) => detailAt(`${pointer}/${index}`, checkTagToRemove(tag, tagsToSet)))

const checkTagToRemove = (tag: string, tagsToSet: ReadonlySet<string>): Option.Option<ValueIssue> => {
  const name = tag.toLowerCase()
  if (name === "v" || name === "p") {
    return Option.some({ code: "dmarc_tag_required", message: `${name} cannot be removed` })
  }
  if (tagsToSet.has(name)) {
    return Option.some({
      code: "dmarc_tag_contradicted",
      message: "a tag that is removed cannot also be set by overrideTags or addTagsIfNotExist"
    })
  }
  return checkDmarcTagName(tag)
}

const detailAt = (pointer: string, issue: Option.Option<ValueIssue>): ReadonlyArray<ErrorDetail> =>
  Option.toArray(Option.map(issue, ({ code, message }) => ({ pointer, code, message })))

/** Whether the options have any effect; empty ones have none. */
export const hasDmarcOptions = ({
  addTagsIfNotExist,
  inheritRootDmarc,
  overrideTags,
  removeTags
}: AdvancedDmarcOptions): boolean =>
  inheritRootDmarc === true ||
  [removeTags, overrideTags, addTagsIfNotExist].some((part) => part !== undefined && Object.keys(part).length > 0)

/** Removes, overrides and adds tags, new ones last and sorted. A record that has the result stays unchanged. */
export const applyDmarcOptions = (base: DmarcRecord, options: AdvancedDmarcOptions): DmarcRecord => {
  const removed = new Set((options.removeTags ?? []).map((name) => name.toLowerCase()))
  const overrides = byName(options.overrideTags)
  const desired = new Map([...byName(options.addTagsIfNotExist), ...overrides])
  const kept = [...base.tags]
    .filter(([name]) => !removed.has(name))
    .map(([name, value]) => [name, overrides.get(name) ?? value] as const)
  const added = [...desired].filter(([name]) => !base.tags.has(name))
  const amended = makeDmarcRecord([...kept, ...Array.sortWith(added, ([name]) => name, Order.string)])
  const isAmbiguous = base.duplicates.some((name) => overrides.has(name))
  return hasEqualTags(amended.tags, base.tags) && !isAmbiguous ? base : amended
}

const byName = (tags: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
