import { expect } from "bun:test"
import { Effect, Layer, Option, TestClock } from "effect"
import { ApplicationId } from "../../src/domain/Tenancy.ts"
import { WebhookEndpointId, WebhookEventId } from "../../src/domain/WebhookEndpoint.ts"
import { WebhookDeliveryStore } from "../../src/persistence/stores/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "../../src/persistence/stores/WebhookEndpointStore.ts"
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

/** The loop of a process whose attempts get no answer; `attempts` has their claims. */
const loopWithoutAnswers = (attempts: Array<number>) =>
  Layer.provide(
    deliveryLoop,
    Layer.succeed(WebhookSender, {
      attempt: ({ claim }) =>
        Effect.zipRight(
          Effect.sync(() => attempts.push(claim)),
          Effect.never
        )
    })
  )

effect("an attempt that takes longer than its lease is not made a second time", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvent
    yield* Layer.build(loopWithoutAnswers(attempts))
    yield* TestClock.adjust("15 seconds")
    expect(attempts).toEqual([1])
  }).pipe(Effect.provide(outbox))
)

effect("what a process had claimed is sent by another one within seconds of its end", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvent
    yield* Effect.scoped(Effect.zipRight(Layer.build(loopWithoutAnswers(attempts)), TestClock.adjust("13 seconds")))
    expect(attempts).toEqual([1])
    yield* Layer.build(loopWithoutAnswers(attempts))
    yield* TestClock.adjust("3 seconds")
    expect(attempts).toEqual([1])
    yield* TestClock.adjust("4 seconds")
    expect(attempts).toEqual([1, 2])
  }).pipe(Effect.provide(outbox))
)

effect("the long events of an endpoint are not held in memory all at once", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = []
    yield* insertEvents(10, 1_048_576)
    yield* Layer.build(loopWithoutAnswers(attempts))
    yield* TestClock.adjust("15 seconds")
    expect(attempts).toHaveLength(2)
  }).pipe(Effect.provide(outbox))
)
