import { RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import { type ConnectionDocument, hasEnded } from "./ConnectionDocument.ts"
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
const explainOAuthFailure = ({ failure, intent, state }: ConnectionDocument, words: Words): string | undefined => {
  if (state !== "awaiting_authorization" || failure === undefined) return undefined
  const { next, reason } = words.failures[failure.code]
  return interpolate(`${reason} ${next}`, { domain: intent.domain })
}

/** Whether the problem ends once the service responds again. */
export const isTransient = (problem: ProblemKey | undefined): boolean =>
  problem === "problemOffline" || problem === "problemSession" || problem === "problemStart"

/**
 * The text of the problem that the customer sees: of the last command, of the connection to the service, or of a
 * sign-in.
 */
export const formatProblem = ({ connection, error, notice }: ShownProblems, words: Words): string | undefined => {
  if (hasEnded(connection)) return undefined
  const problem = notice ?? (error === undefined ? undefined : problemKeyOf(error))
  if (problem !== undefined) return words[problem]
  return connection === undefined ? undefined : explainOAuthFailure(connection, words)
}

interface ShownProblems {
  readonly connection: ConnectionDocument | undefined
  readonly error: unknown
  readonly notice: ProblemKey | undefined
}
