import { Either } from "effect"
import { isDetailCode } from "../error/detailMeanings.ts"
import { parseTarget } from "../names/DomainName.ts"
import type { ValueIssue } from "../error/ErrorDetail.ts"

/** The target that means "no target": null MX (RFC 7505), SRV (RFC 2782). */
export const nullTarget = "."

/** Parses the name that a desired record points to. */
export const parseTargetName = (value: string): Either.Either<string, ValueIssue> =>
  Either.mapLeft(parseTarget(value), ({ code, message, ...issue }) => {
    const targetCode = code.replace(/^host_/, "target_")
    return {
      ...issue,
      code: isDetailCode(targetCode) ? targetCode : code,
      message: message.replace("the host", "the target")
    }
  })

/** Parses a name, or `.` for none. */
export const parseNameOrNullTarget = (value: string): Either.Either<string, ValueIssue> =>
  value === nullTarget ? Either.right(nullTarget) : parseTargetName(value)

/** Whether a word is a whole number of 16 bits. */
export const isUint16 = (digits: string): boolean => /^\d{1,5}$/.test(digits) && Number(digits) <= 65_535
