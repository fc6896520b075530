import { expect } from "bun:test"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId, WebhookEventId } from "../../src/domain/webhook/WebhookEndpoint.ts"
import type { ClaimedDelivery } from "../../src/persistence/stores/webhooks/claimDeliveries.ts"
import { WebhookDeliveryStore } from "../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { deliveryLoop } from "../../src/webhooks/DeliveryLoop.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { effect } from "../support/effectTest.ts"
import { Tables } from "../support/memory/Tables.ts"
import { webhookDeliveryStoreInMemory, webhookEndpointStoreInMemory } from "../support/memory/webhookStoresInMemory.ts"

const applicationId = ApplicationId.make("app")

const endpointId = WebhookEndpointId.make("whe_1")

const outbox = Layer.provide(Layer.merge(webhookDeliveryStoreInMemory, webhookEndpointStoreInMemory), Tables.layer)

/** Events of this length that wait for one endpoint. */
const insertEvents = (count: number, length: number) =>
  Effect.gen(function* () {
    const { create } = yield* WebhookEndpointStore
    const secret = { keyVersion: 1, nonce: new Uint8Array(12), ciphertext: new Uint8Array(16) }
    const settings = { url: "https://hooks.example.com/" }
    yield* create({ applicationId, id: endpointId, settings, secret }, 5, Option.none())
    const { insertTest } = yield* WebhookDeliveryStore
    const data = "x".repeat(length)
    for (let nth = 1; nth <= count; nth += 1)
      yield* insertTest(applicationId, endpointId, { id: WebhookEventId.make(`evt_${nth}`), data }, count)
  })

/** An event that waits for one endpoint. */
const insertEvent = insertEvents(1, 2)

/** Starts the loop of a process; `attempts` has the claims of its attempts, and `answer` ends one. */
const startLoop = (attempts: Array<number>, answer: (delivery: ClaimedDelivery) => Effect.Effect<void>) =>
  Layer.build(
    Layer.provide(
      deliveryLoop,
      Layer.succeed(WebhookSender, {
        keyVersions: [1],
        attempt: (delivery) =>
          Effect.zipRight(
            Effect.sync(() => attempts.push(delivery.claim)),
            answer(delivery)
          )
      })
    )
  )

/** The same with attempts that get no answer until the process stops, which ends them without a trace. */
const startLoopWithoutAnswers = (attempts: Array<number>) =>
  Effect.gen(function* () {
    const stopped = yield* Effect.makeLatch()
    yield* startLoop(attempts, () => stopped.await)
    yield* Effect.addFinalizer(() => stopped.open)
  })

effect("an attempt that takes longer than its lease is not made a second time", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvent
    yield* startLoopWithoutAnswers(attempts)
    yield* TestClock.adjust("15 seconds")
    expect(attempts).toEqual([1])
  }).pipe(Effect.provide(outbox))
)

effect("what a process had claimed is sent by another one within seconds of its end", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvent
    yield* Effect.scoped(Effect.zipRight(startLoopWithoutAnswers(attempts), TestClock.adjust("13 seconds")))
    expect(attempts).toEqual([1])
    yield* startLoopWithoutAnswers(attempts)
    yield* TestClock.adjust("3 seconds")
    expect(attempts).toEqual([1])
    yield* TestClock.adjust("4 seconds")
    expect(attempts).toEqual([1, 2])
  }).pipe(Effect.provide(outbox))
)

effect("an attempt that is answered soon after its process was told to stop is not made by another one", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    const answered = yield* Effect.makeLatch()
    const { settle } = yield* WebhookDeliveryStore
    const start = startLoop(attempts, (delivery) =>
      answered.await.pipe(
        Effect.zipRight(settle(delivery, { millis: 1, retryInSeconds: 5, isGone: false, pauseEventId: "evt_2" })),
        Effect.orDie
      )
    )
    yield* insertEvent
    const process = yield* Effect.fork(Effect.scoped(Effect.zipRight(start, Effect.sleep("1 second"))))
    yield* TestClock.adjust("3 seconds")
    yield* answered.open
    yield* Fiber.join(process)
    yield* start
    yield* TestClock.adjust("15 seconds")
    expect(attempts).toEqual([1])
  }).pipe(Effect.provide(outbox))
)

effect("a process that is told to stop waits five seconds for answers, and no longer", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvent
    const process = yield* Effect.fork(
      Effect.scoped(
        Effect.zipRight(
          startLoop(attempts, () => Effect.never),
          Effect.sleep("1 second")
        )
      )
    )
    yield* TestClock.adjust("5 seconds")
    expect([attempts, yield* process.poll]).toEqual([[1], Option.none()])
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(process)
  }).pipe(Effect.provide(outbox))
)

effect("the long events of an endpoint are not held in memory all at once", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvents(10, 1_048_576)
    yield* startLoopWithoutAnswers(attempts)
    yield* TestClock.adjust("15 seconds")
    expect(attempts).toHaveLength(2)
  }).pipe(Effect.provide(outbox))
)
