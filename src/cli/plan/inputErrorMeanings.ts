/** What each error of the command line's JSON means; those that the HTTP API has too mean the same there. */
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

/** What each code of an issue means that only the command line has. */
export const caseIssueMeanings = {
  unknown_provider: "No provider of the catalog or of `PROVIDERS_FILE` has this id.",
  zone_elsewhere: "The domain does not lie in the zone that `zoneName` names.",
  unknown_capability: "No capability of a provider has this name.",
  unknown_value: "The capability cannot have this value."
} as const

/** The code of an error of the command line. */
export type InputErrorCode = keyof typeof inputErrorMeanings

/** The code of an issue that only the command line has. */
export type CaseIssueCode = keyof typeof caseIssueMeanings
