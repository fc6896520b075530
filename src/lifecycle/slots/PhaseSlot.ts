import { Context, Effect } from "effect"

/** The slot of `PhasesInFlight` that the current work holds. Work that holds none, such as a dry run, waits as it likes. */
export class PhaseSlot extends Context.Reference<PhaseSlot>()("lifecycle/PhaseSlot", {
  defaultValue: (): SlotHandle => ({ releaseWhile: (waiting) => waiting })
}) {}

export interface SlotHandle {
  /**
   * Runs an effect that mostly waits for other servers. If it takes longer than a moment, the slot is free for others
   * until it ends, and is then taken again before this returns. One within another has no effect.
   */
  readonly releaseWhile: <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Runs an effect that mostly waits for name servers, outside the slots if it takes longer than a moment. */
export const releaseSlotWhile = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(PhaseSlot, ({ releaseWhile }) => releaseWhile(waiting))
