import { normalSpf, formatSpf, parseSpf, terminalOf } from "../../domain/SpfRecord.ts"
import { isAll, isDirective, isModifier, normalTerm, type SpfTerm } from "../../domain/SpfTerm.ts"
import { mergeSpf } from "../spf/mergeSpf.ts"

/** How a text was changed: `before` is absent where there was none. */
export interface TextChange {
  readonly before: string | undefined
  readonly after: string
}

/**
 * An SPF record, into which somebody else has written since, without what a change of it brought and with what that
 * took; nothing, where the change brought the record and no term of anybody else remains.
 */
export const withoutSpf = (served: string, change: TextChange): string | undefined => {
  const [old, written, now] = [change.before ?? "", change.after, served].map(parseSpf)
  if (old === undefined || written === undefined || now === undefined) return served
  const kept = now.filter(notAmong(termsOnlyIn(written, old)))
  const isOurs = kept.length < now.length || normalSpf(now) === normalSpf(written)
  if (change.before === undefined && isOurs && kept.every(isTerminal)) return undefined
  const terms = mergeSpf(withTerminalOf(old, written, kept), termsOnlyIn(old, written).filter(isDirective))
  if (change.before !== undefined && normalSpf(terms) === normalSpf(old)) return change.before
  return normalSpf(terms) === normalSpf(now) ? served : formatSpf(terms)
}

type Terms = ReadonlyArray<SpfTerm>

/** Mechanisms with their qualifiers and modifiers; what decides in the end is nobody's alone. */
const termsOnlyIn = (one: Terms, other: Terms): Terms =>
  one.filter((term) => !isTerminal(term) && notAmong(other)(term))

const notAmong =
  (terms: Terms) =>
  (term: SpfTerm): boolean =>
    !terms.some((other) => normalTerm(other) === normalTerm(term))

const isTerminal = (term: SpfTerm): boolean => isAll(term) || (isModifier(term) && term.name === "redirect")

/** The old terminal, where that of the change is still there. */
const withTerminalOf = (old: Terms, written: Terms, now: Terms): Terms => {
  const [earlier, later, served] = [old, written, now].map(terminalOf)
  return earlier !== undefined &&
    later !== undefined &&
    served !== undefined &&
    normalTerm(later) === normalTerm(served)
    ? now.map((term) => (term === served ? earlier : term))
    : now
}
