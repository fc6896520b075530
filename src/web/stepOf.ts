import type { ConnectionDocument } from "./ConnectionDocument.ts"

/** The step that the customer sees. */
export type Step = "changes" | "access" | "oauthPending" | "manual" | "progress" | "success" | "failure"

/** The number that the indicator of three steps shows for each step. */
export const stepNumbers: { readonly [_ in Step]?: number } = {
  changes: 1,
  access: 2,
  oauthPending: 2,
  manual: 2,
  progress: 3,
  success: 3
}

/** The choices of the customer on this page that the service does not know yet. */
interface LocalChoices {
  /** Whether the customer agreed to the plan. */
  readonly hasAgreed: boolean
  /** Whether the customer wants another authorization method than the one in progress. */
  readonly wantsOtherMethod: boolean
}

/** Returns the step to show for a connection. */
export const stepOf = (
  { control, plan, state }: ConnectionDocument,
  { hasAgreed, wantsOtherMethod }: LocalChoices
): Step => {
  switch (state) {
    case "awaiting_authorization":
      if (plan === undefined) return "progress"
      return hasAgreed ? "access" : "changes"
    case "planned":
      return "changes"
    case "authorizing":
      return wantsOtherMethod ? "access" : "oauthPending"
    case "awaiting_manual":
      return wantsOtherMethod ? "access" : "manual"
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
      return "progress"
    case "disconnecting":
      // A plan from public DNS is one that the customer carries out.
      return plan?.basis === "public_dns" ? "manual" : "progress"
    case "verifying":
      if (control?.challenge === undefined) return "progress"
      return wantsOtherMethod ? "access" : "manual"
  }
}
