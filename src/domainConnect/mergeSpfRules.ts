/** The terms of an SPF text, without its version and what stands for all other senders. */
export const listSpfRules = (text: string): ReadonlyArray<string> =>
  text
    .replace(/^v=spf1/i, "")
    .split(/ +/)
    .filter((term) => term !== "" && !isDefaultTerm(term))

/** Adds missing SPFM rules before the term for all other senders; a new text ends in `~all`. */
export const mergeSpfRules = (present: string | undefined, rules: string): string => {
  const terms = (present ?? "v=spf1 ~all").split(/ +/).filter((term) => term !== "")
  const known = new Set(terms.map((term) => term.toLowerCase()))
  const added = listSpfRules(rules).filter((rule) => !known.has(rule.toLowerCase()))
  const end = terms.findIndex(isDefaultTerm)
  return terms.toSpliced(end === -1 ? terms.length : end, 0, ...added).join(" ")
}

const isDefaultTerm = (term: string): boolean => /^[-~?+]?all$/i.test(term) || /^redirect=/i.test(term)
