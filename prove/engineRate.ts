import { Workflow } from "@effect/workflow"
import { Effect, Layer, Redacted, Schema } from "effect"
import { singleProcessEngine } from "../src/lifecycle/scheduler/WorkflowEngine.ts"
import { databasePoolAt } from "../src/persistence/postgres/databasePool.ts"
import { createProofDatabase } from "./ProofDatabase.ts"

/** How many workflows that do nothing the engine of the service runs in a second: no life can be shorter. */
export const measureEngineRate = Effect.gen(function* () {
  const { url } = yield* createProofDatabase
  const pool = databasePoolAt(Redacted.make(url))
  const run = (nth: number) => nothing.execute({ nth })
  const measured = Effect.gen(function* () {
    yield* Effect.forEach(numbers(0, warmUps), run, { concurrency: atOnce })
    const beganAt = performance.now()
    yield* Effect.forEach(numbers(warmUps, workflows), run, { concurrency: atOnce })
    return workflows / ((performance.now() - beganAt) / 1_000)
  })
  return yield* measured.pipe(
    Effect.provide(
      Layer.provideMerge(
        nothing.toLayer(() => Effect.void),
        Layer.provide(singleProcessEngine, pool)
      )
    ),
    Effect.orDie
  )
})

const warmUps = 100
const workflows = 500
const atOnce = 64

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, nth) => from + nth)

const nothing = Workflow.make({
  name: "nothing",
  payload: { nth: Schema.Int },
  idempotencyKey: ({ nth }) => String(nth)
})
