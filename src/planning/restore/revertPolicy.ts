import { type DmarcRecord, hasEqualTags, parseDmarc } from "../../domain/records/DmarcRecord.ts"
import { findDefaultTerm, formatSpf, normalizeSpf, parseSpf } from "../../domain/records/SpfRecord.ts"
import { isAll, isDirective, isModifier, normalizeTerm, type SpfTerm } from "../../domain/records/SpfTerm.ts"
import { type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import { applyDmarcOptions } from "../../domain/records/AdvancedDmarcOptions.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { mergeSpf } from "../spf/mergeSpf.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"

type TxtRecord = Pick<LiveRecord, "host" | "type" | "value">

/** How a policy text was changed: `before` is absent if there was none. */
interface PolicyTextChange {
  readonly before: string | undefined
  readonly after: string
}

/** The kind of a policy that several connections edit together. */
export const findSharedPolicyKind = (record: TxtRecord): "SPF" | "DMARC" | undefined => {
  const kind = findSingletonTxtKind(record)
  return kind === "SPF" || kind === "DMARC" ? kind : undefined
}

/** Reverts a change of a shared policy edited since. Undefined if the change created it and nothing else remains. */
export const revertPolicyChange = (name: DomainName, record: TxtRecord, change: PolicyTextChange): string | undefined =>
  findSharedPolicyKind(record) === "SPF"
    ? revertSpfChange(name, record.value, change)
    : revertDmarcChange(record.value, change)

/** Whether a shared policy of a zone has anything that a change added to it, whatever else it says now. */
export const holdsPolicyChange = ({ domain, recordsAt }: LiveZone, { after, before }: Change): boolean => {
  const kind = after && findSharedPolicyKind(after)
  if (after === undefined || kind === undefined) return false
  const change = { before: before?.value, after: after.value }
  const hasAddition = kind === "SPF" ? hasAddedTerm(toFqdn(after.host, domain), change) : hasAddedTag(change)
  return recordsAt(after.host).some((live) => findSharedPolicyKind(live) === kind && hasAddition(live.value))
}

const hasAddedTerm =
  (name: DomainName, { after, before = "" }: PolicyTextChange) =>
  (served: string): boolean => {
    const isForeign = isNotAmong(parseSpf(served, name))
    return termsOnlyIn(parseSpf(after, name), parseSpf(before, name)).some((term) => !isForeign(term))
  }

const hasAddedTag =
  ({ after, before = versionAndPolicyOf(after) }: PolicyTextChange) =>
  (served: string): boolean => {
    const [old, written, current] = [parseDmarc(before), parseDmarc(after), parseDmarc(served)]
    return [...written.tags.keys()].some(
      (name) => !hasEqualTag(name, old, written) && hasEqualTag(name, written, current)
    )
  }

const revertSpfChange = (name: DomainName, served: string, change: PolicyTextChange): string | undefined => {
  const [old, written, current] = [change.before ?? "", change.after, served].map((text) => parseSpf(text, name))
  if (old === undefined || written === undefined || current === undefined) return served
  const kept = current.filter(isNotAmong(termsOnlyIn(written, old)))
  const isOwn = kept.length < current.length || normalizeSpf(current) === normalizeSpf(written)
  if (change.before === undefined && isOwn && kept.every(isTerminal)) return undefined
  const terms = mergeSpf(restoreTerminal(old, written, kept), termsOnlyIn(old, written).filter(isDirective))
  if (change.before !== undefined && normalizeSpf(terms) === normalizeSpf(old)) return change.before
  return normalizeSpf(terms) === normalizeSpf(current) ? served : formatSpf(terms)
}

/** The mechanisms, with their qualifiers, and modifiers of one record that the other lacks; the terminal is shared. */
const termsOnlyIn = (terms: ReadonlyArray<SpfTerm>, others: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfTerm> =>
  terms.filter((term) => !isTerminal(term)).filter(isNotAmong(others))

const isNotAmong = (terms: ReadonlyArray<SpfTerm>): ((term: SpfTerm) => boolean) => {
  const known = new Set(terms.map(normalizeTerm))
  return (term) => !known.has(normalizeTerm(term))
}

const isTerminal = (term: SpfTerm): boolean => isAll(term) || (isModifier(term) && term.name === "redirect")

/** Restores the old terminal, if the served one is still that of the change. */
const restoreTerminal = (
  old: ReadonlyArray<SpfTerm>,
  written: ReadonlyArray<SpfTerm>,
  current: ReadonlyArray<SpfTerm>
): ReadonlyArray<SpfTerm> => {
  const [oldTerminal, writtenTerminal, currentTerminal] = [old, written, current].map(findDefaultTerm)
  return oldTerminal !== undefined &&
    writtenTerminal !== undefined &&
    currentTerminal !== undefined &&
    normalizeTerm(writtenTerminal) === normalizeTerm(currentTerminal)
    ? current.map((term) => (term === currentTerminal ? oldTerminal : term))
    : current
}

const revertDmarcChange = (served: string, change: PolicyTextChange): string | undefined => {
  const [old, written, current] = [change.before ?? versionAndPolicyOf(change.after), change.after, served].map(
    parseDmarc
  )
  if (old === undefined || written === undefined || current === undefined) return served
  const ownTags = [...new Set([...old.tags.keys(), ...written.tags.keys()])].filter(
    (name) => !hasEqualTag(name, old, written) && hasEqualTag(name, written, current)
  )
  const own = new Set(ownTags)
  const reverted = applyDmarcOptions(current, {
    removeTags: ownTags.filter((name) => !old.tags.has(name)),
    overrideTags: Object.fromEntries([...old.tags].filter(([name]) => own.has(name)))
  })
  const isOwn = ownTags.length > 0 || hasEqualTags(written.tags, current.tags)
  return isOwn && hasEqualTags(reverted.tags, old.tags) ? change.before : reverted.text
}

/** The tags that every DMARC record needs, also one that remains of a record that a change created. */
const versionAndPolicyOf = (text: string): string => `v=DMARC1; p=${parseDmarc(text).tags.get("p")}`

const hasEqualTag = (name: string, one: DmarcRecord, other: DmarcRecord): boolean =>
  hasEqualTags(onlyTag(one, name), onlyTag(other, name))

const onlyTag = ({ tags }: DmarcRecord, name: string): ReadonlyMap<string, string> => {
  const value = tags.get(name)
  return new Map(value === undefined ? [] : [[name, value]])
}
