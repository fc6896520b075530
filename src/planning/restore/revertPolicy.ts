import { type DmarcRecord, hasEqualTags, parseDmarc } from "../../domain/DmarcRecord.ts"
import { defaultTerm, formatSpf, normalizeSpf, parseSpf } from "../../domain/SpfRecord.ts"
import { isAll, isDirective, isModifier, normalizeTerm, type SpfTerm } from "../../domain/SpfTerm.ts"
import { applyDmarcOptions } from "../dmarc/applyDmarcOptions.ts"
import { mergeSpf } from "../spf/mergeSpf.ts"

/** How a text was changed: `before` is absent where there was none. */
export interface PolicyTextChange {
  readonly before: string | undefined
  readonly after: string
}

/**
 * An SPF record, into which somebody else has written since, without what a change of it brought and with what that
 * took; nothing, where the change brought the record and no term of anybody else remains.
 */
export const revertSpfChange = (served: string, change: PolicyTextChange): string | undefined => {
  const [old, written, now] = [change.before ?? "", change.after, served].map(parseSpf)
  if (old === undefined || written === undefined || now === undefined) return served
  const kept = now.filter(notAmong(termsOnlyIn(written, old)))
  const isOurs = kept.length < now.length || normalizeSpf(now) === normalizeSpf(written)
  if (change.before === undefined && isOurs && kept.every(isTerminal)) return undefined
  const terms = mergeSpf(withTerminalOf(old, written, kept), termsOnlyIn(old, written).filter(isDirective))
  if (change.before !== undefined && normalizeSpf(terms) === normalizeSpf(old)) return change.before
  return normalizeSpf(terms) === normalizeSpf(now) ? served : formatSpf(terms)
}

type Terms = ReadonlyArray<SpfTerm>

/** Mechanisms with their qualifiers and modifiers; what decides in the end is nobody's alone. */
const termsOnlyIn = (one: Terms, other: Terms): Terms =>
  one.filter((term) => !isTerminal(term) && notAmong(other)(term))

const notAmong =
  (terms: Terms) =>
  (term: SpfTerm): boolean =>
    !terms.some((other) => normalizeTerm(other) === normalizeTerm(term))

const isTerminal = (term: SpfTerm): boolean => isAll(term) || (isModifier(term) && term.name === "redirect")

/** The old terminal, where that of the change is still there. */
const withTerminalOf = (old: Terms, written: Terms, now: Terms): Terms => {
  const [earlier, later, served] = [old, written, now].map(defaultTerm)
  return earlier !== undefined &&
    later !== undefined &&
    served !== undefined &&
    normalizeTerm(later) === normalizeTerm(served)
    ? now.map((term) => (term === served ? earlier : term))
    : now
}

/**
 * A DMARC record, into which somebody else has written since, without what a change of it brought and with what that
 * took; nothing, where the change brought the record and no tag of anybody else remains.
 */
export const revertDmarcChange = (served: string, change: PolicyTextChange): string | undefined => {
  const [old, written, now] = [change.before ?? versionAndPolicyOf(change.after), change.after, served].map(parseDmarc)
  if (old === undefined || written === undefined || now === undefined) return served
  const ours = [...new Set([...old.tags.keys(), ...written.tags.keys()])].filter(
    (name) => !agree(name, old, written) && agree(name, written, now)
  )
  const rest = applyDmarcOptions(now, {
    removeTags: ours.filter((name) => !old.tags.has(name)),
    overrideTags: Object.fromEntries([...old.tags].filter(([name]) => ours.includes(name)))
  })
  const isOurs = ours.length > 0 || hasEqualTags(written.tags, now.tags)
  return isOurs && hasEqualTags(rest.tags, old.tags) ? change.before : rest.text
}

/** Without these a record is none: what stays in one that a change brought needs them. */
const versionAndPolicyOf = (text: string): string => `v=DMARC1; p=${parseDmarc(text).tags.get("p")}`

const agree = (name: string, one: DmarcRecord, other: DmarcRecord): boolean =>
  hasEqualTags(tagIn(one, name), tagIn(other, name))

const tagIn = ({ tags }: DmarcRecord, name: string): ReadonlyMap<string, string> =>
  new Map([...tags].filter(([other]) => other === name))
