import { Either, Option } from "effect"
import { parseTarget } from "../names/DomainName.ts"
import type { ValueIssue } from "../error/ErrorDetail.ts"
import { canonicalizeAddressOfFamily } from "../names/IpAddress.ts"
import { findPastedAddress } from "../names/PastedName.ts"
import { withoutInvisible } from "./unquoteText.ts"

export const parseAddress =
  (family: 4 | 6) =>
  (value: string): Either.Either<string, ValueIssue> =>
    Either.fromOption(canonicalizeAddressOfFamily(family, value), () => notAnAddress(family, value.trim()))

/** Suggests the type for a value that is no address of the family, and the value without spaces around it. */
const notAnAddress = (family: 4 | 6, value: string): ValueIssue => {
  const other = family === 4 ? ({ family: 6, type: "AAAA" } as const) : ({ family: 4, type: "A" } as const)
  const hint = Option.isSome(canonicalizeAddressOfFamily(other.family, value))
    ? `; one of IPv${other.family} belongs in a record of the type ${other.type}`
    : /[a-z]/i.test(value) && Either.isRight(parseTarget(value))
      ? "; a name belongs in a CNAME record"
      : ""
  return {
    code: `value_is_no_ipv${family}_address`,
    message: `the value must be one IPv${family} address${hint}`,
    ...Option.match(canonicalizeAddressOfFamily(family, findPastedAddress(withoutInvisible(value))), {
      onNone: () => ({}),
      onSome: (suggestion) => ({ suggestion })
    })
  }
}
