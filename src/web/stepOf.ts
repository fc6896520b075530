import type { ConnectionDocument, FailureDocument } from "./ConnectionDocument.ts"
import type { ConnectionStep } from "./eventDetails.ts"

export type { ConnectionStep }

/** The place of each step among the four that the bar names: Check, Review, Connect, Live. */
export const stepNumbers: { readonly [_ in ConnectionStep]?: number } = {
  check: 1,
  review: 2,
  ways: 3,
  sign_in: 3,
  by_hand: 3,
  progress: 3,
  live: 4
}

/** The choices of the customer on this page that the service does not know yet. */
interface LocalChoices {
  /** Whether the customer agreed to the plan. */
  readonly hasAgreed: boolean
  /** Whether the customer wants another way than the one in progress. */
  readonly wantsOtherMethod: boolean
}

/** Returns the step to show for a connection: whatever the way, nothing is entered before the review. */
export const stepOf = (connection: ConnectionDocument, choices: LocalChoices): ConnectionStep => {
  const { control, direction, plan, state } = connection
  const { hasAgreed, wantsOtherMethod } = choices
  switch (state) {
    case "requested":
      return "check"
    case "awaiting_authorization":
      if (plan === undefined) return "check"
      return hasAgreed ? "ways" : "review"
    case "planned":
      return "review"
    case "authorizing":
      return wantsOtherMethod ? "ways" : "sign_in"
    case "awaiting_manual":
      if (wantsOtherMethod) return "ways"
      return hasAgreed ? "by_hand" : "review"
    case "active":
      return "live"
    case "disconnected":
    case "degraded":
      return state
    case "failed":
      return hasRefusedAccess(connection) && (hasAgreed || direction === "restore") ? "ways" : "failure"
    case "expired":
    case "canceled":
      return "failure"
    case "authorized":
    case "applying":
      return "progress"
    case "disconnecting":
      // A plan from public DNS is one that the customer carries out.
      return plan?.basis === "public_dns" ? "by_hand" : "progress"
    case "verifying":
      if (control?.challenge === undefined) return "progress"
      return wantsOtherMethod ? "ways" : "by_hand"
  }
}

/** Whether the provider did not let the service in, or not change anything: another key, or another way, leads on. */
export const hasRefusedAccess = ({ failure, plan, state }: ConnectionDocument): boolean =>
  state === "failed" &&
  plan !== undefined &&
  failure !== undefined &&
  (failure.resumeState === "awaiting_authorization" || isLocked(failure))

/** Whether the same key opens the zone again once its owner has unlocked it at the provider. */
export const isLocked = ({ code, resumeState }: FailureDocument): boolean =>
  resumeState !== undefined && (code === "provider_zone_locked" || code === "provider_record_locked")
