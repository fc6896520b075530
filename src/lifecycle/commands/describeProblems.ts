import type { ErrorDetail } from "../../domain/ErrorDetail.ts"
import { maxErrorDetails } from "../../domain/ErrorDetail.ts"

/**
 * Counts the problems in a part of a request, and names the first one. Of `total` problems `details` lists the first; without
 * it, nobody has looked for more than an error lists.
 */
export const describeProblems = (subject: string, details: ReadonlyArray<ErrorDetail>, total?: number): string => {
  const [first] = details
  const count = total ?? details.length
  const isOpen = total === undefined && count === maxErrorDetails
  const listed = count > details.length ? `, ${details.length} of them listed` : ""
  const problems = `${count}${isOpen ? " or more" : ""} ${count === 1 ? "problem" : "problems"} in ${subject}${listed}`
  if (first === undefined) return problems
  const message = first.pointer === "" ? first.message : `${first.pointer}: ${first.message}`
  return `${problems}: ${message}`.slice(0, maxMessageLength)
}

const maxMessageLength = 300
