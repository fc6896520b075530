import { isSpf, parseSpf } from "../../domain/SpfRecord.ts"
import { isAll, isDirective, normalTerm, type SpfTerm } from "../../domain/SpfTerm.ts"

/** Whether an SPF record takes nothing back: it is the one before with mechanisms added and nothing else changed. */
export const isSpfAddition = (before: string, after: string): boolean => {
  if (!isSpf(before) || !isSpf(after)) return false
  const [earlier, later] = [parseSpf(before), parseSpf(after)]
  const found = later.reduce(
    (count, term) => (earlier[count] && normalTerm(earlier[count]) === normalTerm(term) ? count + 1 : count),
    0
  )
  return found === earlier.length && later.length - found === mechanismsIn(later) - mechanismsIn(earlier)
}

const mechanismsIn = (terms: ReadonlyArray<SpfTerm>): number =>
  terms.filter((term) => isDirective(term) && !isAll(term)).length
