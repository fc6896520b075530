import { Refused, Unreachable } from "./ConnectionClient.ts"
import type { ConnectionDocument } from "./documents.ts"
import { NoSession } from "./TokenHolder.ts"
import { fill } from "./View.ts"
import type { Words } from "./words/en.ts"

/** What stands in the customer's way, by its text. */
export type Problem = Extract<keyof Words, `problem${string}`>

/** What to tell of a request that was refused, or that nobody answered. */
export const problemOf = (trouble: unknown): Problem => {
  if (trouble instanceof NoSession) return "problemStart"
  if (trouble instanceof Unreachable) return "problemOffline"
  if (!(trouble instanceof Refused)) return "problemUnknown"
  if (["plan_digest_mismatch", "plan_expired", "acknowledgement_required"].includes(trouble.code)) return "problemStale"
  const problems: { readonly [status: number]: Problem } = {
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
export const visitInVain = ({ failure, intent, state }: ConnectionDocument, words: Words): string | undefined => {
  if (state !== "awaiting_authorization" || failure === undefined) return undefined
  const { next, reason } = words.failures[failure.code]
  return fill(`${reason} ${next}`, { domain: intent.domain })
}

/** Whether it is over once the service answers again. */
export const isPassing = (problem: Problem | undefined): boolean =>
  problem === "problemOffline" || problem === "problemSession" || problem === "problemStart"
