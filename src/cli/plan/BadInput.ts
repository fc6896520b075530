import { Data } from "effect"
import { describeProblems, type ErrorDetail } from "../../domain/error/ErrorDetail.ts"

/** The input cannot be planned; `code` is that of the API for the same fault, `issues` point into the input. */
export class BadInput extends Data.TaggedError("BadInput")<{
  readonly code: InputErrorCode
  readonly message: string
  readonly issues?: ReadonlyArray<InputIssue>
}> {
  /**
   * The input does not have the right form, at these places, which the message counts as in the API; `total` is their
   * full number, of which they may be the first.
   */
  static readonly fromIssues = (issues: ReadonlyArray<InputIssue>, total?: number): BadInput =>
    new BadInput({ code: "invalid_request", message: describeProblems("the input", issues, total), issues })

  /** As `fromIssues`, where the input was not searched for other issues. */
  static readonly fromFirstIssue = (issues: ReadonlyArray<InputIssue>): BadInput =>
    new BadInput({
      code: "invalid_request",
      message: describeProblems("the input, which may have more", issues),
      issues
    })

  /** As `fromIssues`, with one issue. */
  static readonly atPointer = (pointer: string, code: CaseIssueCode, message: string): BadInput =>
    BadInput.fromIssues([{ pointer, code, message }])

  /** Moves the error to the file that contains the part of the input. */
  inFile(path: string, part = ""): BadInput {
    const issues = this.issues?.map(({ conflictsWith, pointer, ...issue }) => ({
      ...issue,
      pointer: `${part}${pointer}`,
      ...(conflictsWith === undefined ? {} : { conflictsWith: `${part}${conflictsWith}` })
    }))
    return new BadInput({
      code: this.code,
      message: `${path}: ${issues === undefined ? this.message : describeProblems("the input", issues)}`,
      ...(issues === undefined ? {} : { issues })
    })
  }

  /** The error for people: what is wrong, and a line for each issue. */
  get text(): string {
    return [this.message, ...(this.issues ?? []).map(formatIssue)].map(escapeNonPrintable).join("\n")
  }

  /** The error for scripts, in place of the plan. */
  get json() {
    const { code, issues, message } = this
    return { error: { code, message, ...(issues === undefined ? {} : { issues }) } }
  }
}

/** Makes text safe for a terminal: control, invisible and unassigned characters become `\u{…}`. */
export const escapeNonPrintable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** Quotes the beginning of a piece of input. */
export const quoteInput = (text: string): string =>
  text.length > maxQuoted ? `"${escapeNonPrintable(text.slice(0, maxQuoted))}…"` : `"${escapeNonPrintable(text)}"`

const maxQuoted = 60

const formatIssue = ({ conflictsWith, message, pointer, suggestion }: InputIssue): string => {
  const other = conflictsWith === undefined ? "" : ` (see ${conflictsWith})`
  return `  ${pointer || "/"}  ${message}${other}${suggestion === undefined ? "" : `; perhaps ${suggestion}`}`
}

/** The meaning of each error in the command line's JSON, the same as in the HTTP API where that has the error too. */
export const inputErrorMeanings = {
  not_utf8: "The input is not UTF-8.",
  malformed_json: "The input is empty, or it is not JSON.",
  invalid_request: "The input does not have the right form; `issues` names each fault.",
  unprocessable: "The intent cannot be planned as it is written; `issues` names each fault.",
  invalid_option: "Some options exclude each other, or one of them is missing.",
  file_unreadable: "A named file does not exist or cannot be read.",
  malformed_zone_file: "The zone file breaks the format of RFC 1035, or has no record of the zone.",
  line_too_long: "A line of `--stdin` has more than 8 MiB.",
  internal_error: "The planner failed, which is a fault of the service: report it with the input."
} as const

/** The meanings of the issue codes that only the command line has. */
export const caseIssueMeanings = {
  unknown_provider: "No provider of the catalog or of `PROVIDERS_FILE` has this id.",
  zone_elsewhere: "The domain does not lie in the zone that `zoneName` names.",
  unknown_capability: "No capability of a provider has this name.",
  unknown_value: "The capability cannot have this value."
} as const

type InputErrorCode = keyof typeof inputErrorMeanings

/** The code of an issue that only the command line has. */
export type CaseIssueCode = keyof typeof caseIssueMeanings

/** What is wrong at one place of the input. */
interface InputIssue extends Omit<ErrorDetail, "code"> {
  readonly code: ErrorDetail["code"] | CaseIssueCode
}
