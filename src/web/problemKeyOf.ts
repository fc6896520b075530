import { RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import type { ConnectionDocument } from "./ConnectionDocument.ts"
import { MissingTokenError } from "./TokenSource.ts"
import { interpolate } from "./ViewModel.ts"
import type { Words } from "./words/en.ts"

/** The key of an error text. */
export type ProblemKey = Extract<keyof Words, `problem${string}`>

/** Returns the key of the error text for a request that failed. */
export const problemKeyOf = (error: unknown): ProblemKey => {
  if (error instanceof MissingTokenError) return "problemStart"
  if (error instanceof ServiceUnreachable) return "problemOffline"
  if (!(error instanceof RequestRejected)) return "problemUnknown"
  if (["plan_digest_mismatch", "plan_expired", "acknowledgement_required"].includes(error.code)) return "problemStale"
  const problems: { readonly [status: number]: ProblemKey } = {
    401: "problemSession",
    403: "problemSession",
    404: "problemNotFound",
    409: "problemRefused",
    422: "problemInput",
    429: "problemBusy",
    503: "problemOffline"
  }
  return problems[error.status] ?? "problemUnknown"
}

/** Explains to a customer who is back from the provider why the authorization failed. */
export const explainOAuthFailure = (
  { failure, intent, state }: ConnectionDocument,
  words: Words
): string | undefined => {
  if (state !== "awaiting_authorization" || failure === undefined) return undefined
  const { next, reason } = words.failures[failure.code]
  return interpolate(`${reason} ${next}`, { domain: intent.domain })
}

/** Whether the problem ends once the service responds again. */
export const isTransient = (problem: ProblemKey | undefined): boolean =>
  problem === "problemOffline" || problem === "problemSession" || problem === "problemStart"
