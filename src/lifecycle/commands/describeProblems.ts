import type { ErrorDetail } from "../../domain/ErrorDetail.ts"
import { maxErrorDetails } from "../../domain/ErrorDetail.ts"

/** Counts the problems in a part of a request, and names the first one. */
export const describeProblems = (subject: string, details: ReadonlyArray<ErrorDetail>): string => {
  const [first] = details
  const count = details.length < maxErrorDetails ? `${details.length}` : `${details.length} or more`
  const problems = `${count} ${details.length === 1 ? "problem" : "problems"} in ${subject}`
  if (first === undefined) return problems
  const message = first.pointer === "" ? first.message : `${first.pointer}: ${first.message}`
  return `${problems}: ${message}`.slice(0, maxMessageLength)
}

const maxMessageLength = 300
