import { Data } from "effect"
import type { ErrorDetail } from "../../domain/ErrorDetail.ts"
import { escapeNonPrintable } from "./escapeNonPrintable.ts"

/** What was given makes no plan; `code` is a word of the API where it says the same, `issues` point into the input. */
export class BadInput extends Data.TaggedError("BadInput")<{
  readonly code:
    | "not_utf8"
    | "malformed_json"
    | "invalid_request"
    | "unprocessable"
    | "invalid_option"
    | "file_unreadable"
    | "malformed_zone_file"
    | "line_too_long"
    | "internal_error"
  readonly message: string
  readonly issues?: ReadonlyArray<ErrorDetail>
}> {
  /** The input has another form than it should, at these places. */
  static readonly fromIssues = (issues: ReadonlyArray<ErrorDetail>): BadInput =>
    new BadInput({ code: "invalid_request", message: "the input does not fit; see issues", issues })

  /** The same at one place. */
  static readonly atPointer = (pointer: string, code: string, message: string): BadInput =>
    BadInput.fromIssues([{ pointer, code, message }])

  /** The same, said of a file that holds a part of the input. */
  inFile(path: string, part = ""): BadInput {
    const issues = this.issues?.map((issue) => ({ ...issue, pointer: `${part}${issue.pointer}` }))
    return new BadInput({
      code: this.code,
      message: `${path}: ${this.message}`,
      ...(issues === undefined ? {} : { issues })
    })
  }

  /** For people: what is wrong, and a line for each place where it is. */
  get text(): string {
    return [this.message, ...(this.issues ?? []).map(({ message, pointer }) => `  ${pointer || "/"}  ${message}`)]
      .map(escapeNonPrintable)
      .join("\n")
  }

  /** For scripts, which find the error where they expect the plan. */
  get json() {
    const { code, issues, message } = this
    return { error: { code, message, ...(issues === undefined ? {} : { issues }) } }
  }
}
