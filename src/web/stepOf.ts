import type { ConnectionDocument } from "./documents.ts"

/** What the customer sees: one step of the way. */
export type Step = "changes" | "access" | "manual" | "progress" | "success" | "failure"

/** What the customer has said on this page and the service does not know yet. */
export interface Said {
  /** The plan that the customer agreed to on the way to letting the service in. */
  readonly approvedDigest?: string
  /** Whether the customer wants another way than by hand. */
  readonly wantsOtherWay?: boolean
}

/** Which step the customer is at. */
export const stepOf = ({ plan, state }: ConnectionDocument, { approvedDigest, wantsOtherWay }: Said): Step => {
  switch (state) {
    case "awaiting_authorization":
      if (plan === undefined) return "progress"
      return plan.digest === approvedDigest ? "access" : "changes"
    case "planned":
      return "changes"
    case "awaiting_manual":
      return wantsOtherWay === true ? "access" : "manual"
    case "active":
    case "disconnected":
      return "success"
    case "degraded":
    case "failed":
    case "expired":
    case "canceled":
      return "failure"
    case "requested":
    case "authorizing":
    case "authorized":
    case "applying":
    case "verifying":
    case "disconnecting":
      return "progress"
  }
}
