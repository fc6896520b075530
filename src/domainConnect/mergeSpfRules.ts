import { Array } from "effect"

/** The terms of an SPF text, without its version and what stands for all other senders. */
export const listSpfRules = (text: string): ReadonlyArray<string> =>
  listTerms(text.replace(/^v=spf1/i, "")).filter((term) => !isDefaultTerm(term))

/**
 * The rules of SPFM that permit what an SPF text permits. What it redirects to is included: the merged record has an end
 * of its own.
 */
export const listPermittedRules = (text: string): ReadonlyArray<string> => {
  const terms = listTerms(text)
  const redirect = terms.some(isAll) ? undefined : terms.find(isRedirectTerm)
  const included = redirect === undefined ? [] : [redirect.replace(/^redirect=/i, "include:")]
  return [...new Set([...listSpfRules(text), ...included])]
}

/** Adds missing SPFM rules, each once, before the term for all other senders; a new text ends in `~all`. */
export const mergeSpfRules = (present: string | undefined, rules: string): string => {
  const terms = listTerms(present ?? "v=spf1 ~all")
  const known = new Set(terms.map((term) => term.toLowerCase()))
  const added = Array.dedupeWith(listSpfRules(rules), (one, other) => one.toLowerCase() === other.toLowerCase())
  const missing = added.filter((rule) => !known.has(rule.toLowerCase()))
  const end = terms.findIndex(isDefaultTerm)
  return terms.toSpliced(end === -1 ? terms.length : end, 0, ...missing).join(" ")
}

/** Whether a text is an SPF record. */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

const listTerms = (text: string): ReadonlyArray<string> => text.split(/ +/).filter((term) => term !== "")

const isAll = (term: string): boolean => /^[-~?+]?all$/i.test(term)

const isRedirectTerm = (term: string): boolean => /^redirect=/i.test(term)

const isDefaultTerm = (term: string): boolean => isAll(term) || isRedirectTerm(term)
