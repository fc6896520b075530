import type { ConnectionDocument } from "./ConnectionDocument.ts"

/** What the customer sees: one step of the way. */
export type Step = "changes" | "access" | "visit" | "manual" | "progress" | "success" | "failure"

/** Where on the way of three each step is. */
export const stepNumbers: { readonly [_ in Step]?: number } = {
  changes: 1,
  access: 2,
  visit: 2,
  manual: 2,
  progress: 3,
  success: 3
}

/** What the customer has said on this page and the service does not know yet. */
export interface LocalChoices {
  /** Whether the customer agreed to the plan. */
  readonly hasAgreed: boolean
  /** Whether the customer wants another way than the one that was chosen. */
  readonly wantsOtherMethod: boolean
}

/** Which step the customer is at. */
export const stepOf = (
  { plan, state }: ConnectionDocument,
  { hasAgreed, wantsOtherMethod: wantsOtherWay }: LocalChoices
): Step => {
  switch (state) {
    case "awaiting_authorization":
      if (plan === undefined) return "progress"
      return hasAgreed ? "access" : "changes"
    case "planned":
      return "changes"
    case "authorizing":
      return wantsOtherWay ? "access" : "visit"
    case "awaiting_manual":
      return wantsOtherWay ? "access" : "manual"
    case "active":
    case "disconnected":
      return "success"
    case "degraded":
    case "failed":
    case "expired":
    case "canceled":
      return "failure"
    case "requested":
    case "authorized":
    case "applying":
    case "verifying":
    case "disconnecting":
      return "progress"
  }
}
