import { Data } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"

/** A plan was not carried out; `written` says whether any of it may be in the zone. `detail` is for operators. */
export class ApplyFailed extends Data.TaggedError("ApplyFailed")<{
  readonly code: FailureCode
  readonly written: boolean
  readonly detail: string
}> {}
