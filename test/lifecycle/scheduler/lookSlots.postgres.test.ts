import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Deferred, Duration, Effect, Layer, Logger } from "effect"
import { KnownAnswers } from "../../../src/dns/zone/KnownAnswers.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { LookPhase } from "../../../src/lifecycle/phases/LookPhase.ts"
import { lookLoop } from "../../../src/lifecycle/scheduler/LookLoop.ts"
import { allStores, freshPool } from "../../persistence/freshDatabase.ts"
import { withLayer } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"
import { eventually } from "../../webhooks/Receiver.ts"

/** The loop of a process that looks at each connection in an hour, where there are none. */
const hourlyLoop = Layer.unwrapScoped(
  Effect.map(ScriptedInternet.make({ zones: {} }), (internet) => {
    const known = KnownAnswers.layer({ allowed: [], dial: internet.dial, queriesPerSecond: 1_000 })
    const phase = LookPhase.layer.pipe(Layer.provide(known), Layer.provide(scriptedDns(internet)))
    return Layer.provide(lookLoop(Duration.hours(1)), Layer.merge(phase, ConnectionSignals.layer))
  })
)

withLayer("the loop of looks", Layer.provideMerge(allStores, freshPool), (live) => {
  live(
    "takes a slot in its interval that a process with a longer one settled, or a database whose clock was ahead",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Layer.build(hourlyLoop)
        yield* eventually(
          Effect.filterOrFail(sql`select 1 from look_slots where looked_at is null`, ({ length }) => length === 0)
        )
        yield* sql`update look_slots set due_at = now() + interval '12 hours' where slot < 8`
        const late = sql`select slot from look_slots where due_at > now() + interval '2 hours'`
        expect(yield* eventually(Effect.filterOrFail(late, ({ length }) => length === 0))).toEqual([])
      })
  )

  live("says nothing of a look that the end of the process interrupts", () =>
    Effect.gen(function* () {
      const logged: Array<unknown> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void logged.push(message))
      )
      const begun = yield* Deferred.make<void>()
      const waiting = Layer.succeed(
        LookPhase,
        LookPhase.of({ run: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never) })
      )
      const loop = Layer.provide(lookLoop(Duration.hours(1)), Layer.merge(waiting, ConnectionSignals.layer))
      const sql = yield* SqlClient.SqlClient
      yield* sql`update look_slots set due_at = now()`
      yield* Effect.zipRight(Layer.build(loop), Deferred.await(begun)).pipe(Effect.scoped, Effect.provide(logger))
      expect(logged).toEqual([])
    })
  )
})
