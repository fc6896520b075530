import { Schema } from "effect"

/** A piece of work that the lifecycle runs on its own. The names are stored in rows and sent to workflows. */
export const Phase = Schema.Literal("discover", "provision", "verify", "restore", "expire")
export type Phase = typeof Phase.Type

/** The next phase of a connection, and in how many seconds from now it is due. */
export interface ScheduledPhase {
  readonly phase: Phase
  readonly inSeconds: number
}
