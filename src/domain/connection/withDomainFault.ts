import { Either, Option } from "effect"
import { parseDomain } from "../names/DomainName.ts"
import { type ErrorDetail, maxErrorDetails } from "../error/ErrorDetail.ts"

/** Adds the fault of the domain, which the faults of a schema would hide, unless one names its place already. */
export const withDomainFault = (
  details: ReadonlyArray<ErrorDetail>,
  domain: Option.Option<string>,
  pointer: string
): ReadonlyArray<ErrorDetail> => {
  const isKnown = details.some((detail) => pointer === detail.pointer || pointer.startsWith(`${detail.pointer}/`))
  const fault = Option.flatMap(domain, (text) => Either.getLeft(parseDomain(text)))
  return isKnown || Option.isNone(fault) ? details : [{ pointer, ...fault.value }, ...details].slice(0, maxErrorDetails)
}
