import { Effect } from "effect"
import { ProviderError, toWriteFailure } from "../ProviderError.ts"

/**
 * Runs the calls that make one change after each other. If a later one is refused, the first is undone by `undo`; if
 * that is not possible, the outcome is unknown, because a part of the change is made.
 */
export const runInOrder = (
  calls: ReadonlyArray<Effect.Effect<void, ProviderError>>,
  undo?: Effect.Effect<void, ProviderError>
): Effect.Effect<void, ProviderError> =>
  Effect.forEach(
    calls,
    (call, index) =>
      Effect.catchAll(call, (error) => {
        if (index === 0 || toWriteFailure(error)._tag === "OutcomeUnknown") return error
        const { detail, ...rest } = error
        const partlyMade = new ProviderError({ ...rest, kind: "failing", detail: `only a part is written: ${detail}` })
        return index === 1 && undo !== undefined
          ? Effect.matchEffect(undo, { onFailure: () => partlyMade, onSuccess: () => error })
          : partlyMade
      }),
    { discard: true }
  )
