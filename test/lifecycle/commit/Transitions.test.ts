import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { Transitions } from "../../../src/lifecycle/commit/Transitions.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { effect } from "../../support/effectTest.ts"
import { connectionRecordIn, newIntent, pendingChange } from "../state/connectionRecords.ts"

const intentsAfter = (event: LifecycleEvent) => {
  const change = pendingChange("active", true)
  const current = connectionRecordIn("applying", change)
  return Effect.flatMap(Transitions, (transitions) => transitions.apply(current, [event])).pipe(
    Effect.map((transition) => [transition.newIntent, transition.countingIntent]),
    Effect.provide(Layer.provide(Transitions.layer(defaultStateTimeouts), Identifiers.layer))
  )
}

effect("the end of a change writes the new intent once more, for rows in which earlier versions kept the old one", () =>
  Effect.gen(function* () {
    expect(yield* intentsAfter(LifecycleEvent.Applied())).toEqual([newIntent.effectiveIntent, undefined])
  })
)

effect("while a change waits, its intent is not written again", () =>
  Effect.gen(function* () {
    const [written, counting] = yield* intentsAfter(LifecycleEvent.PlanInvalidated({ code: "zone_changed" }))
    expect([written, counting]).toEqual([undefined, connectionRecordIn("applying").connection.effectiveIntent])
  })
)
