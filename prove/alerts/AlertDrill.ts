import type { Effect, Scope } from "effect"
import type { Lab } from "../../test/support/lab/Lab.ts"
import type { DrillGround, GroundSettings } from "./DrillGround.ts"

/** How an alert is made to fire at a running service. */
export interface AlertDrill extends GroundSettings {
  readonly alert: string
  /** What is planted. */
  readonly cause: string
  /** Plants the cause, which stays until the scope closes. */
  readonly plant: (ground: DrillGround) => Effect.Effect<unknown, never, Lab | Scope.Scope>
}
