import { Array, Duration, Effect, FiberSet, Layer, Metric, Number, Queue, Record, Ref } from "effect"
import { actAs } from "../domain/access/Actor.ts"
import { WebhookDeliveryStore } from "../persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { metrics } from "../runtime/metrics.ts"
import { WebhookSender } from "./WebhookSender.ts"
import type { ClaimedDelivery } from "../persistence/stores/webhooks/claimDeliveries.ts"

/**
 * How many attempts this process makes at once: in all, for an application, and to an endpoint, so that a receiver that
 * takes 0.3 s gets 200 events a second. A failing endpoint gets one at a time: only a thousand hanging endpoints, or the
 * slow ones of four applications, delay others. Bytes are limited alike: an event may have megabytes.
 */
export const deliveryBounds = {
  total: 1_024,
  perApplication: 256,
  perEndpoint: 64,
  bytes: 32 * 1_048_576,
  bytesPerApplication: 8 * 1_048_576,
  bytesPerEndpoint: 2 * 1_048_576
}

/** How soon the claims of an ended process are due again; a shorter absence of the database costs no repetition. */
const leaseSeconds = 6

/** How often the leases of attempts that take longer are prolonged. */
const renewalInterval = Duration.seconds(2)

const pollInterval = Duration.millis(200)

/** How long attempts that are under way may take when the process stops; most receivers answer sooner. */
export const stopTimeout = Duration.seconds(5)

/** The database may be away. */
const afterFailure = Duration.seconds(1)

/** Deliveries that become due within this time are claimed together. */
const gatherTime = Duration.millis(10)

/**
 * Claims and attempts due deliveries, prolongs its claims, and lets attempts end when it stops. After a kill the receiver
 * may get an event twice, by the same `webhook-id`, once the lease is over.
 */
export const deliveryLoop = Layer.scopedDiscard(
  Effect.gen(function* () {
    const store = yield* WebhookDeliveryStore
    const { attempt, keyVersions } = yield* WebhookSender
    const attempts = yield* FiberSet.make()
    const run = yield* FiberSet.runtime(attempts)()
    const inFlight = new Set<ClaimedDelivery>()

    const wake = yield* Queue.sliding<void>(1)
    const mayHaveMore = yield* Ref.make(false)
    const wakeIfMore = Effect.flatMap(Ref.get(mayHaveMore), (more) =>
      more ? Queue.offer(wake, undefined) : Effect.void
    )

    const start = (delivery: ClaimedDelivery) => {
      inFlight.add(delivery)
      run(
        attempt(delivery).pipe(
          actAs({ actor: { type: "service", id: "webhooks" } }),
          Effect.catchAllCause((cause) =>
            Effect.logWarning("An attempt was not recorded, and will be made again", cause)
          ),
          Effect.annotateLogs({ endpointId: delivery.endpointId, eventId: delivery.event.id }),
          Effect.ensuring(
            Effect.zipRight(
              Effect.sync(() => inFlight.delete(delivery)),
              wakeIfMore
            )
          )
        )
      )
    }

    const tick = Effect.gen(function* () {
      const { bytesPerApplication, bytesPerEndpoint, perApplication, perEndpoint } = deliveryBounds
      const free = deliveryBounds.total - inFlight.size
      const freeBytes = deliveryBounds.bytes - sizeOf(inFlight)
      if (free <= 0 || freeBytes <= 0) return
      const claimed = yield* store.claim({
        limit: free,
        perEndpoint,
        perApplication,
        inFlight: countBy(inFlight, endpointOf),
        inFlightOf: countBy(inFlight, applicationOf),
        bytes: freeBytes,
        bytesPerEndpoint,
        bytesPerApplication,
        bytesInFlight: sizesBy(inFlight, endpointOf),
        bytesInFlightOf: sizesBy(inFlight, applicationOf),
        keyVersions,
        leaseSeconds
      })
      claimed.forEach(start)
      const isFull =
        Object.values(countBy(inFlight, endpointOf)).some((each) => each >= perEndpoint) ||
        Object.values(countBy(inFlight, applicationOf)).some((each) => each >= perApplication) ||
        Object.values(sizesBy(inFlight, endpointOf)).some((each) => each >= bytesPerEndpoint) ||
        Object.values(sizesBy(inFlight, applicationOf)).some((each) => each >= bytesPerApplication)
      yield* Ref.set(mayHaveMore, isFull || claimed.length >= free || sizeOf(claimed) >= freeBytes)
    })

    yield* Effect.suspend(() => (inFlight.size === 0 ? Effect.void : store.renew([...inFlight], leaseSeconds))).pipe(
      // The store has logged the failure; a delivery that was not renewed is sent twice at most.
      Effect.ignore,
      Effect.delay(renewalInterval),
      Effect.forever,
      Effect.forkScoped
    )

    // Layers are released in reverse order: no more is claimed by then, and what is claimed still renewed.
    yield* Effect.addFinalizer(() =>
      FiberSet.awaitEmpty(attempts).pipe(Effect.interruptible, Effect.timeoutOption(stopTimeout))
    )

    yield* tick.pipe(
      Effect.catchAllCause((cause) =>
        Effect.zipRight(
          Effect.logWarning("Due deliveries were not claimed, will try again", cause),
          Effect.sleep(afterFailure)
        )
      ),
      Effect.zipRight(Effect.ignore(Effect.timeout(Queue.take(wake), pollInterval))),
      Effect.zipRight(Effect.sleep(gatherTime)),
      Effect.forever,
      Effect.interruptible,
      Effect.forkScoped
    )
  })
)

const countBy = (
  deliveries: ReadonlySet<ClaimedDelivery>,
  keyOf: (delivery: ClaimedDelivery) => string
): Readonly<Record<string, number>> => Record.map(Array.groupBy(deliveries, keyOf), Array.length)

/** The length of the events, which are nearly all ASCII. */
const sizeOf = (deliveries: Iterable<ClaimedDelivery>): number =>
  Number.sumAll(Array.map(Array.fromIterable(deliveries), ({ event }) => event.data.length))

const sizesBy = (
  deliveries: ReadonlySet<ClaimedDelivery>,
  keyOf: (delivery: ClaimedDelivery) => string
): Readonly<Record<string, number>> => Record.map(Array.groupBy(deliveries, keyOf), sizeOf)

const endpointOf = ({ endpointId }: ClaimedDelivery): string => endpointId

const applicationOf = ({ applicationId }: ClaimedDelivery): string => applicationId

/** Measures the backlog every five seconds for the life of the process, so that reading metrics queries no database. */
export const deliveryMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const store = yield* WebhookDeliveryStore
    yield* store.measureBacklog.pipe(
      Effect.tap(({ paused }) => Metric.set(metrics.webhookEndpointsPaused.metric, paused)),
      Effect.tap(({ waiting }) => Metric.set(metrics.webhooksWaiting.metric, waiting)),
      Effect.tap(({ oldestSeconds }) => Metric.set(metrics.webhooksWaitingOldestSeconds.metric, oldestSeconds)),
      // The store has logged it.
      Effect.ignore,
      Effect.delay(Duration.seconds(5)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
