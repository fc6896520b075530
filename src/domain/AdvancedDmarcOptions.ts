import { Option } from "effect"
import { checkDmarcTag, checkDmarcTagName, isDmarcHost } from "./DmarcRecord.ts"
import type { ValueIssue } from "./DnsRecord.ts"
import { type ErrorDetail, intentRecordPointer, toJsonPointer } from "./ErrorDetail.ts"
import type { IntentRecord } from "./Intent.ts"

/** What makes no sense in the `advancedDmarcOptions` of a record; `host` is its host in normal form. */
export const checkDmarcOptions = (record: IntentRecord, index: number, host: string): ReadonlyArray<ErrorDetail> => {
  const options = record.advancedDmarcOptions
  if (options === undefined) return []
  const pointer = intentRecordPointer(index, "advancedDmarcOptions")
  if (record.type !== "TXT" || !isDmarcHost(host)) {
    return [
      {
        pointer,
        code: "dmarc_options_elsewhere",
        message: "advancedDmarcOptions belong on a TXT record whose host is `_dmarc` or begins with `_dmarc.`"
      }
    ]
  }
  const { addTagsIfNotExist = {}, overrideTags = {}, removeTags = [] } = options
  const set = new Set([...Object.keys(overrideTags), ...Object.keys(addTagsIfNotExist)].map((tag) => tag.toLowerCase()))
  return [
    ...settingIssues(overrideTags, `${pointer}/overrideTags`),
    ...removalIssues(removeTags, set, `${pointer}/removeTags`),
    ...settingIssues(addTagsIfNotExist, `${pointer}/addTagsIfNotExist`)
  ]
}

const settingIssues = (tags: Readonly<Record<string, string>>, pointer: string): ReadonlyArray<ErrorDetail> =>
  [...Map.groupBy(Object.entries(tags), ([tag]) => tag.toLowerCase()).values()].flatMap((spellings) =>
    spellings.flatMap(([tag, value], at) =>
      issueAt(`${pointer}${toJsonPointer([tag])}`, settingRefusal(tag, value, at > 0))
    )
  )

const settingRefusal = (tag: string, value: string, isRepeated: boolean): Option.Option<ValueIssue> => {
  if (tag.toLowerCase() === "v") {
    return Option.some({ code: "dmarc_version_fixed", message: "v is always DMARC1 and cannot be set" })
  }
  return isRepeated
    ? Option.some({ code: "dmarc_tag_repeated", message: "names that differ in letter case only are the same tag" })
    : checkDmarcTag(tag, value)
}

const removalIssues = (
  tags: ReadonlyArray<string>,
  set: ReadonlySet<string>,
  pointer: string
): ReadonlyArray<ErrorDetail> => tags.flatMap((tag, at) => issueAt(`${pointer}/${at}`, removalRefusal(tag, set)))

const removalRefusal = (tag: string, set: ReadonlySet<string>): Option.Option<ValueIssue> => {
  const name = tag.toLowerCase()
  if (name === "v" || name === "p") {
    return Option.some({ code: "dmarc_tag_required", message: `${name} cannot be removed` })
  }
  if (set.has(name)) {
    return Option.some({
      code: "dmarc_tag_contradicted",
      message: "a tag that is removed cannot also be set by overrideTags or addTagsIfNotExist"
    })
  }
  return checkDmarcTagName(tag)
}

const issueAt = (pointer: string, refusal: Option.Option<ValueIssue>): ReadonlyArray<ErrorDetail> =>
  Option.toArray(Option.map(refusal, (refused) => ({ pointer, ...refused })))
