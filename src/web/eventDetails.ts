/** The step that the customer sees; the event `step` names it. In `domain` the customer types it. */
export type Step = "domain" | ConnectionStep

/** A step of a connection. */
export type ConnectionStep =
  | "check"
  | "review"
  | "ways"
  | "sign_in"
  | "by_hand"
  | "progress"
  | "live"
  | "disconnected"
  | "degraded"
  | "failure"

/** What is wrong with one record. */
export interface ReportedDiagnosis {
  /** The full name of the host. */
  readonly name: string
  readonly type: string
  readonly code: string
}
