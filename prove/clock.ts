import { HttpServer } from "@effect/platform"
import { Context, Duration, Effect, Layer } from "effect"
import { Lab } from "../test/support/lab/Lab.ts"
import { labPowerDns, labService } from "../test/support/labService.ts"
import { skewedClock } from "../test/support/skewedClock.ts"
import { makeApiClient } from "./ApiClient.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  oneClickStates,
  timelineOf,
  waitForState
} from "./connectionSteps.ts"
import { createProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { createZones, recordsFor, typicalLines } from "./proofZones.ts"

/** Two processes share the work, of which one has a clock that is an hour ahead, and the other one an hour behind. */
export const clock: Effect.Effect<ProofResult, never, Lab> = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    yield* createZones(lab, ["clock.com"], typicalLines)
    const database = yield* createProofDatabase
    const apis = yield* Effect.forEach([hour, -hour], (offset) =>
      Effect.gen(function* () {
        const environment = { DATABASE_URL: database.url, CLUSTER: "true", DATABASE_CONNECTIONS: "6" }
        const service = labService([labPowerDns], { environment })
        const context = yield* Layer.build(Layer.provide(service, skewedClock(offset).layer))
        const url = yield* HttpServer.addressFormattedWith(Effect.succeed).pipe(
          Effect.provideService(HttpServer.HttpServer, Context.get(context, HttpServer.HttpServer))
        )
        return makeApiClient(url, database.key)
      })
    )
    const startedAt = Date.now()
    const timelines = yield* Effect.forEach(
      Array.from({ length: connections }, (_, nth) => nth),
      (nth) =>
        Effect.gen(function* () {
          const domain = `c${nth}.clock.com`
          const credential = { apiToken: lab.pdns.key }
          const desired = { idempotencyKey: domain, domain, records: recordsFor(domain), credential }
          // Each request goes to the other process than the one before.
          const [first = neverCalled, second = neverCalled] = nth % 2 === 0 ? apis : apis.toReversed()
          const connection = yield* createPlannedConnection(first, desired)
          yield* authorizeAndApprove(second, connection, desired)
          yield* waitForState(first, connection.id, ["active"], 100)
          return yield* timelineOf(second, connection.id)
        }),
      { concurrency: 4 }
    )
    const states = timelines.map((steps) => steps.map(({ to }) => to).join())
    const moments = timelines.flatMap((steps) => steps.map(({ at }) => at))
    return {
      figures: { connections, states: [...new Set(states)] },
      targets: [
        expectNone(
          "connections that took another way",
          states.filter((taken) => taken !== oneClickStates.join())
        ),
        expectNone(
          "timelines whose times go back",
          timelines.filter((steps) => steps.some(({ at }, nth) => at < (steps[nth - 1]?.at ?? 0)))
        ),
        expectNone(
          "times by the clock of a process",
          moments.filter((at) => Math.abs(at - startedAt) > hour / 2)
        )
      ]
    }
  }).pipe(Effect.orDie)
)

const hour = Duration.toMillis("1 hour")

const connections = 20

const neverCalled = makeApiClient("http://127.0.0.1:9", "")
