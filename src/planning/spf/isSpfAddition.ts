import { isSpf } from "../../domain/SpfRecord.ts"
import { isAll, isDirective, normalTerm, parseTerm } from "../../domain/SpfTerm.ts"

/** Whether an SPF record takes nothing back: it is the one before with mechanisms added and nothing else changed. */
export const isSpfAddition = (before: string, after: string): boolean => {
  if (!isSpf(before) || !isSpf(after)) return false
  const earlier = wordsOf(before)
  const added: Array<string> = []
  const found = wordsOf(after).reduce((count, word) => {
    const known = earlier[count]
    if (known !== undefined && isSameTerm(known, word)) return count + 1
    added.push(word)
    return count
  }, 0)
  return found === earlier.length && added.every(isMechanism)
}

/** The terms as they are written, behind the version. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(" ")
    .slice(1)
    .filter((word) => word !== "")

/** A record may have thousands of terms; what is written alike need not be parsed. */
const isSameTerm = (one: string, other: string): boolean =>
  one === other || normalTerm(parseTerm(one)) === normalTerm(parseTerm(other))

const isMechanism = (word: string): boolean => {
  const term = parseTerm(word)
  return isDirective(term) && !isAll(term)
}
