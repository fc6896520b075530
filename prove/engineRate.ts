import { Workflow } from "@effect/workflow"
import { Effect, Layer, Redacted, Schema } from "effect"
import { singleProcessEngine } from "../src/lifecycle/scheduler/WorkflowEngine.ts"
import { databasePoolAt } from "../src/persistence/postgres/databasePool.ts"
import { createProofDatabase } from "./ProofDatabase.ts"

/** Measures how many empty workflows per second the engine of the service runs: an upper limit for connections. */
export const measureEngineRate = Effect.gen(function* () {
  const { url } = yield* createProofDatabase
  const pool = databasePoolAt(Redacted.make(url))
  const run = (nth: number) => emptyWorkflow.execute({ nth })
  const measure = Effect.gen(function* () {
    yield* Effect.forEach(numbers(0, warmUps), run, { concurrency })
    const startedAt = performance.now()
    yield* Effect.forEach(numbers(warmUps, workflows), run, { concurrency })
    return workflows / ((performance.now() - startedAt) / 1_000)
  })
  return yield* measure.pipe(
    Effect.provide(
      Layer.provideMerge(
        emptyWorkflow.toLayer(() => Effect.void),
        Layer.provide(singleProcessEngine, pool)
      )
    ),
    Effect.orDie
  )
})

const warmUps = 100
const workflows = 500
const concurrency = 64

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, nth) => from + nth)

const emptyWorkflow = Workflow.make({
  name: "nothing",
  payload: { nth: Schema.Int },
  idempotencyKey: ({ nth }) => String(nth)
})
