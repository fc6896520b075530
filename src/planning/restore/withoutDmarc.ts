import { type DmarcRecord, isSameTags, parseDmarc } from "../../domain/DmarcRecord.ts"
import { amend } from "../dmarc/amend.ts"
import type { TextChange } from "./withoutSpf.ts"

/**
 * A DMARC record, into which somebody else has written since, without what a change of it brought and with what that
 * took; nothing, where the change brought the record and no tag of anybody else remains.
 */
export const withoutDmarc = (served: string, change: TextChange): string | undefined => {
  const [old, written, now] = [change.before ?? versionAndPolicyOf(change.after), change.after, served].map(parseDmarc)
  if (old === undefined || written === undefined || now === undefined) return served
  const ours = [...new Set([...old.tags.keys(), ...written.tags.keys()])].filter(
    (name) => !agree(name, old, written) && agree(name, written, now)
  )
  const rest = amend(now, {
    removeTags: ours.filter((name) => !old.tags.has(name)),
    overrideTags: Object.fromEntries([...old.tags].filter(([name]) => ours.includes(name)))
  })
  const isOurs = ours.length > 0 || isSameTags(written.tags, now.tags)
  return isOurs && isSameTags(rest.tags, old.tags) ? change.before : rest.text
}

/** Without these a record is none: what stays in one that a change brought needs them. */
const versionAndPolicyOf = (text: string): string => `v=DMARC1; p=${parseDmarc(text).tags.get("p")}`

const agree = (name: string, one: DmarcRecord, other: DmarcRecord): boolean =>
  isSameTags(tagIn(one, name), tagIn(other, name))

const tagIn = ({ tags }: DmarcRecord, name: string): ReadonlyMap<string, string> =>
  new Map([...tags].filter(([other]) => other === name))
