import { RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import type { ConnectionDocument } from "./ConnectionDocument.ts"
import { MissingTokenError } from "./TokenSource.ts"
import { interpolate } from "./ViewModel.ts"
import type { Words } from "./words/en.ts"

/** What stands in the customer's way, by its text. */
export type ProblemKey = Extract<keyof Words, `problem${string}`>

/** What to tell of a request that was refused, or that nobody answered. */
export const problemKey = (trouble: unknown): ProblemKey => {
  if (trouble instanceof MissingTokenError) return "problemStart"
  if (trouble instanceof ServiceUnreachable) return "problemOffline"
  if (!(trouble instanceof RequestRejected)) return "problemUnknown"
  if (["plan_digest_mismatch", "plan_expired", "acknowledgement_required"].includes(trouble.code)) return "problemStale"
  const problems: { readonly [status: number]: ProblemKey } = {
    401: "problemSession",
    403: "problemSession",
    404: "problemNotFound",
    409: "problemRefused",
    422: "problemInput",
    429: "problemBusy",
    503: "problemOffline"
  }
  return problems[trouble.status] ?? "problemUnknown"
}

/** Why nothing came of the visit to the provider from which the customer is back. */
export const oauthFailureText = ({ failure, intent, state }: ConnectionDocument, words: Words): string | undefined => {
  if (state !== "awaiting_authorization" || failure === undefined) return undefined
  const { next, reason } = words.failures[failure.code]
  return interpolate(`${reason} ${next}`, { domain: intent.domain })
}

/** Whether it is over once the service answers again. */
export const isTransient = (problem: ProblemKey | undefined): boolean =>
  problem === "problemOffline" || problem === "problemSession" || problem === "problemStart"
