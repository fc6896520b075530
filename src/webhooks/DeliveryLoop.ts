import { Duration, Effect, FiberSet, Layer, Metric, Queue, Ref } from "effect"
import { type ClaimedDelivery, WebhookDeliveryStore } from "../persistence/stores/WebhookDeliveryStore.ts"
import { metrics } from "../runtime/metrics.ts"
import { WebhookSender } from "./WebhookSender.ts"

/**
 * How many attempts this process makes at the same time: in all, and to one endpoint, so that a receiver which takes 0.3 s
 * gets 200 events a second. An endpoint that fails gets one at a time: it takes a thousand that hang to delay the others.
 */
export const deliveryBounds = { total: 1_024, perEndpoint: 64 }

/** Longer than an attempt takes with both statements around it. */
const leaseSeconds = 60

const pollInterval = Duration.millis(200)

/** The database may be away. */
const afterFailure = Duration.seconds(1)

/** What becomes free within this time is claimed together. */
const gatherTime = Duration.millis(10)

/**
 * Claims due deliveries and attempts them for the life of the process. What an ended process had claimed is due again
 * after the lease; the receiver may then get an event twice, by the same `webhook-id`.
 */
export const deliveryLoop = Layer.scopedDiscard(
  Effect.gen(function* () {
    const store = yield* WebhookDeliveryStore
    const { attempt } = yield* WebhookSender
    const run = yield* FiberSet.makeRuntime()
    const inFlight = yield* Ref.make<Readonly<Record<string, number>>>({})
    const count = (endpointId: string, change: number) =>
      Ref.update(inFlight, (counts) => {
        const { [endpointId]: before = 0, ...others } = counts
        return before + change === 0 ? others : { ...others, [endpointId]: before + change }
      })

    const wake = yield* Queue.sliding<void>(1)
    const mayHaveMore = yield* Ref.make(false)
    const wakeIfMore = Effect.flatMap(Ref.get(mayHaveMore), (more) =>
      more ? Queue.offer(wake, undefined) : Effect.void
    )

    const start = (delivery: ClaimedDelivery) =>
      Effect.zipRight(
        count(delivery.endpointId, 1),
        Effect.sync(() =>
          run(
            attempt(delivery).pipe(
              Effect.catchAllCause((cause) =>
                Effect.logWarning("An attempt was not recorded, and will be made again", cause)
              ),
              Effect.annotateLogs({ endpointId: delivery.endpointId, eventId: delivery.event.id }),
              Effect.ensuring(Effect.zipRight(count(delivery.endpointId, -1), wakeIfMore))
            )
          )
        )
      )

    const tick = Effect.gen(function* () {
      const counts = yield* Ref.get(inFlight)
      const free = deliveryBounds.total - Object.values(counts).reduce((sum, each) => sum + each, 0)
      if (free <= 0) return
      const { perEndpoint } = deliveryBounds
      const claimed = yield* store.claim({ limit: free, perEndpoint, inFlight: counts, leaseSeconds })
      yield* Effect.forEach(claimed, start, { discard: true })
      const isFull = Object.values(yield* Ref.get(inFlight)).some((each) => each >= perEndpoint)
      yield* Ref.set(mayHaveMore, isFull || claimed.length >= free)
    })

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

/** Measures the backlog every five seconds for the life of the process, so that reading metrics queries no database. */
export const deliveryMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const store = yield* WebhookDeliveryStore
    yield* store.measureBacklog.pipe(
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
