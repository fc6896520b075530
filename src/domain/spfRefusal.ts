import { Array, Option } from "effect"
import type { ValueRefused } from "./DnsRecord.ts"
import { firstMalformed, firstRepeated, isSpf, parseSpf } from "./SpfRecord.ts"
import { grammarOf, isAll, type SpfMalformed, type SpfModifier } from "./SpfTerm.ts"

/** Why a wanted text that is meant as an SPF record cannot be one. */
export const spfRefusal = (value: string): Option.Option<ValueRefused> => {
  if (!isMeantAsSpf(value)) return Option.none()
  const terms = parseSpf(value)
  return Option.firstSomeOf([
    isSpf(value) ? Option.none() : Option.some(refusals.version),
    Option.map(firstMalformed(terms), refusals.malformed),
    Option.map(firstRepeated(terms), refusals.repeated),
    Option.map(
      Array.findFirst(terms.filter(isAll), ({ qualifier }) => qualifier === "+"),
      () => refusals.allowsAll
    )
  ])
}

/** Also where white space, quotes or a wrong separator keep receivers from finding it. */
const isMeantAsSpf = (value: string): boolean => /^[\s"']*v\s*=\s*spf1(?!\d)/i.test(value)

const refusals = {
  version: {
    code: "spf_version_malformed",
    message: "an SPF record begins with `v=spf1` and a space (RFC 7208 section 4.5)"
  },
  malformed: ({ text }: SpfMalformed): ValueRefused => ({
    code: "spf_term_malformed",
    message: `\`${excerpt(text)}\` is no term of an SPF record: ${grammarOf(text)}`
  }),
  repeated: ({ name }: SpfModifier): ValueRefused => ({
    code: "spf_modifier_repeated",
    message: `\`${name}=\` must not appear more than once (RFC 7208 section 6)`
  }),
  allowsAll: {
    code: "spf_allows_all",
    message: "`+all` lets everybody send mail in the name of the host; write `~all` or `-all`"
  }
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text).toWellFormed()
