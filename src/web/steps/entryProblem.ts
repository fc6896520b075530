/** Why the domain that somebody typed is not connected: the key of a text. */
export type EntryProblem = "entryInvalid" | "problemBusy" | "problemOffline" | "problemRefused" | "problemSession"

/** The body of a refusal, as far as the form reads it. */
export interface EntryRefusal {
  readonly error?: {
    readonly message?: string
    readonly details?: ReadonlyArray<{ readonly code: string; readonly message: string }>
  }
}

/** Only what is no domain has to be typed otherwise: the service also refuses domains that are fine. */
export const entryProblemOf = (status: number, { error }: EntryRefusal): EntryProblem => {
  if (status === 422 && error?.details?.some(({ code }) => codeOfName.test(code)) === true) return "entryInvalid"
  const problems: { readonly [status: number]: EntryProblem } = {
    400: "entryInvalid",
    401: "problemSession",
    403: "problemSession",
    429: "problemBusy"
  }
  return problems[status] ?? (status < 500 ? "problemRefused" : "problemOffline")
}

/** The codes of a text that is no name of a domain; others, such as `domain_of_test_mode`, are of a domain. */
const codeOfName = /^domain_((is|has)_\w+|not_idna|(label_)?too_long)$/
