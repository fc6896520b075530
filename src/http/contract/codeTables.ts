import { DateTime } from "effect"
import { type ConnectionState, FailureCode } from "../../domain/connection/Connection.ts"
import { severityOf, Warning, warningMeanings } from "../../domain/plan/Warning.ts"
import { detailMeanings } from "../../domain/error/detailMeanings.ts"
import { failureMeanings } from "../../domain/connection/failureMeanings.ts"
import { errorMeanings } from "./errorMeanings.ts"
import { errorCodes } from "./errorResponses.ts"
import { makeFailure } from "../../lifecycle/state/failures.ts"

/** The meaning of a code, for the page of the service and for docs/errors-and-warnings.md. */
interface CodeRow<Code extends string = string> {
  readonly code: Code
  /** Failures and warnings have a prefix, since some have the name of an error. */
  readonly anchor: string
  readonly meaning: string
  readonly notes: ReadonlyArray<string>
}

export const errorRows: ReadonlyArray<CodeRow> = Object.entries(errorCodes).flatMap(([status, codes]) =>
  codes.map((code) => ({ code, anchor: code, meaning: errorMeanings[code], notes: [status] }))
)

export const detailRows: ReadonlyArray<CodeRow> = Object.entries(detailMeanings).map(([code, meaning]) => ({
  code,
  anchor: code,
  meaning,
  notes: []
}))

/** Every code of a failure of a connection, whether a retry can help, and where that resumes. */
export const failureRows: ReadonlyArray<CodeRow<FailureCode>> = FailureCode.literals.map((code) => ({
  code,
  anchor: `failure-${code}`,
  meaning: failureMeanings[code],
  notes: [makeFailureIn("verifying", code).retryable ? "yes" : "no", resumeStateOf(code)]
}))

/** Every warning of a plan, with its severity. */
export const warningRows: ReadonlyArray<CodeRow<Warning>> = Warning.literals.map((code) => ({
  code,
  anchor: `warning-${code}`,
  meaning: warningMeanings[code],
  notes: [severityOf(code)]
}))

/** The state in which a retry resumes; two states show that it depends on the state in which the failure came. */
function resumeStateOf(code: FailureCode): string {
  const [first, second] = [makeFailureIn("verifying", code), makeFailureIn("applying", code)].map(
    (failure) => failure.resumeState
  )
  if (first === undefined) return "–"
  return first === second ? `\`${first}\`` : "the state in which it failed"
}

function makeFailureIn(state: ConnectionState, code: FailureCode) {
  return makeFailure({ state }, { code }, DateTime.unsafeMake(0))
}
