import { Data } from "effect"
import type { ErrorDetail } from "../api/InvalidRequest.ts"
import { printable } from "./printable.ts"

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
  /** One fault, at one place of the input. */
  static readonly at = (pointer: string, code: string, message: string): BadInput =>
    new BadInput({ code: "invalid_request", message: unfit, issues: [{ pointer, code, message }] })

  /** The same, said of a file that holds a part of the input. */
  within(path: string, part = ""): BadInput {
    const issues = this.issues?.map((issue) => ({ ...issue, pointer: `${part}${issue.pointer}` }))
    return new BadInput({
      code: this.code,
      message: `${path}: ${this.message}`,
      ...(issues === undefined ? {} : { issues })
    })
  }

  /** For people: what is wrong, and a line for each place where it is. */
  get inWords(): string {
    return [this.message, ...(this.issues ?? []).map(({ message, pointer }) => `  ${pointer || "/"}  ${message}`)]
      .map(printable)
      .join("\n")
  }
}

/** What is said of input whose issues say the rest. */
export const unfit = "the input does not fit; see issues"
