import { expect } from "bun:test"
import { Effect, type Layer, Option } from "effect"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId, WebhookEventId } from "../../../src/domain/webhook/WebhookEndpoint.ts"
import { WebhookDeliveryStore } from "../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "../../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { withLayer } from "../../support/effectTest.ts"

const applicationId = ApplicationId.make("app")

const endpointId = WebhookEndpointId.make("whe_1")

let events = 0

/** Writes an event that is due at once; its endpoint is created before the first. */
const insertEventOf = (owner: ApplicationId, receiver: WebhookEndpointId, data: string) =>
  Effect.gen(function* () {
    const endpoints = yield* WebhookEndpointStore
    if (Option.isNone(yield* endpoints.find(owner, receiver)))
      yield* endpoints.create(
        {
          applicationId: owner,
          id: receiver,
          settings: { url: "https://hooks.example.com/" },
          secret: { keyVersion: 1, nonce: new Uint8Array(12), ciphertext: new Uint8Array(16) }
        },
        5,
        Option.none()
      )
    const id = WebhookEventId.make(`evt_${(events += 1)}`)
    yield* (yield* WebhookDeliveryStore).insertTest(owner, receiver, { id, data }, 1_000)
    return id
  })

const insertEvent = insertEventOf(applicationId, endpointId, "{}")

const request = {
  limit: 10,
  perEndpoint: 10,
  perApplication: 10,
  inFlight: {},
  inFlightOf: {},
  bytes: 1_000,
  bytesPerEndpoint: 1_000,
  bytesPerApplication: 1_000,
  bytesInFlight: {},
  bytesInFlightOf: {},
  keyVersions: [1]
}

const claim = (leaseSeconds: number) =>
  Effect.flatMap(WebhookDeliveryStore, (store) => store.claim({ ...request, leaseSeconds }))

const outcome = { millis: 1, retryInSeconds: 3_600, isGone: false, pauseEventId: "evt_pause" }

/** What every implementation does with claims; the last test of a delivery settles it. */
export const webhookDeliveryContract = <E>(
  name: string,
  layer: Layer.Layer<WebhookDeliveryStore | WebhookEndpointStore, E>
): void =>
  withLayer(name, layer, (live) => {
    live("a claim that nobody settles is due again after its lease, and the former claim cannot settle it", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const id = yield* insertEvent
        const [lost] = yield* claim(0)
        const [held] = yield* claim(60)
        expect([lost?.event.id, held?.event.id]).toEqual([id, id])
        expect(yield* claim(60)).toEqual([])
        if (lost === undefined || held === undefined) return
        yield* store.settle(lost, { ...outcome, error: "timeout" })
        expect((yield* store.list(endpointId, {}, { limit: 1 }))[0]).toMatchObject({ attempts: 0, status: "pending" })
        yield* store.settle(held, { ...outcome, status: 200 })
        expect((yield* store.list(endpointId, {}, { limit: 1 }))[0]).toMatchObject({ attempts: 1, status: "delivered" })
      })
    )

    live("a delivery is left to processes that have the master key of its endpoint", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const id = yield* insertEvent
        expect(yield* store.claim({ ...request, keyVersions: [2, 3], leaseSeconds: 60 })).toEqual([])
        const [claimed] = yield* store.claim({ ...request, keyVersions: [2, 1], leaseSeconds: 60 })
        expect(claimed?.event.id).toBe(id)
        if (claimed !== undefined) yield* store.settle(claimed, { ...outcome, status: 200 })
      })
    )

    live("no more deliveries of an application are claimed than it may have under way", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        yield* Effect.replicateEffect(insertEvent, 5)
        const claimWith = (underWay: number) =>
          store.claim({
            ...request,
            perApplication: 3,
            inFlightOf: { [applicationId]: underWay, other: 9 },
            leaseSeconds: 0
          })
        expect(yield* claimWith(3)).toEqual([])
        expect(yield* claimWith(2)).toHaveLength(1)
        const claimed = yield* claimWith(0)
        expect(claimed).toHaveLength(3)
        const rest = yield* claim(60)
        yield* Effect.forEach(rest, (delivery) => store.settle(delivery, { ...outcome, status: 200 }))
        expect(rest).toHaveLength(5)
      })
    )

    live("of long events no more are claimed than the endpoint, the application and all may have under way", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const long = "x".repeat(100)
        yield* Effect.replicateEffect(insertEventOf(applicationId, endpointId, long), 4)
        const another = ApplicationId.make("another")
        yield* Effect.replicateEffect(insertEventOf(another, WebhookEndpointId.make("whe_2"), long), 2)
        const claimedOf = (sizes: Partial<typeof request>) =>
          Effect.map(store.claim({ ...request, ...sizes, leaseSeconds: 0 }), (claimed) =>
            [applicationId, another].map((owner) => claimed.filter((each) => each.applicationId === owner).length)
          )
        expect(yield* claimedOf({ bytesPerApplication: 150 })).toEqual([2, 2])
        expect(yield* claimedOf({ bytesPerApplication: 150, bytesInFlightOf: { [applicationId]: 100 } })).toEqual([
          1, 2
        ])
        expect(yield* claimedOf({ bytesPerApplication: 150, bytesInFlightOf: { [applicationId]: 150 } })).toEqual([
          0, 2
        ])
        expect(yield* claimedOf({ bytes: 150 })).toEqual([1, 1])
        const perEndpoint = { bytesPerEndpoint: 150, bytesInFlight: { [endpointId]: 100 } }
        expect(yield* claimedOf(perEndpoint)).toEqual([1, 2])
        const rest = yield* claim(60)
        yield* Effect.forEach(rest, (delivery) => store.settle(delivery, { ...outcome, status: 200 }))
        expect(rest).toHaveLength(6)
      })
    )

    live(
      "a test event beyond the limit of an hour is neither written nor delivered, and other applications have their own",
      () =>
        Effect.gen(function* () {
          const store = yield* WebhookDeliveryStore
          const insert = (application: string, id: string) =>
            store.insertTest(
              ApplicationId.make(application),
              WebhookEndpointId.make(`whe_${application}`),
              { id: WebhookEventId.make(id), data: "{}" },
              2
            )
          for (const id of ["evt_a1", "evt_a2"])
            expect(yield* insert("a", id)).toMatchObject({ value: { eventId: id, type: "endpoint.test" } })
          expect(yield* insert("a", "evt_a3")).toEqual(Option.none())
          expect(yield* insert("b", "evt_b1")).toMatchObject({ value: { eventId: "evt_b1" } })
          const delivered = yield* store.list(WebhookEndpointId.make("whe_a"), {}, { limit: 10 })
          expect(delivered.map(({ eventId }) => String(eventId))).toEqual(["evt_a2", "evt_a1"])
        })
    )

    live("replays beyond the limit of an hour make nothing due, and other applications have their own", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const prepare = (application: string) =>
          Effect.gen(function* () {
            const [owner, receiver] = [ApplicationId.make(application), WebhookEndpointId.make(`whe_${application}`)]
            yield* Effect.replicateEffect(insertEventOf(owner, receiver, "{}"), 2)
            const claimed = yield* claim(60)
            yield* Effect.forEach(claimed, (delivery) => store.settle(delivery, { ...outcome, status: 200 }))
            return {
              replay: (limit: number) => store.replay(owner, receiver, {}, { limit, limitPerHour: 3 }),
              countDue: Effect.map(
                store.list(receiver, { statuses: ["pending"] }, { limit: 10 }),
                ({ length }) => length
              ),
              usedReplays: Effect.map(store.readRates(owner), ({ replays }) => replays.used)
            }
          })
        const first = yield* prepare("replaying")
        expect(Option.map(yield* first.replay(2), ({ length }) => length)).toEqual(Option.some(2))
        const again = yield* claim(60)
        yield* Effect.forEach(again, (delivery) => store.settle(delivery, { ...outcome, status: 200 }))
        expect(yield* first.replay(2)).toEqual(Option.none())
        expect([yield* first.countDue, yield* first.usedReplays]).toEqual([0, 2])
        expect(Option.isSome(yield* first.replay(1))).toBe(true)
        expect([yield* first.countDue, yield* first.usedReplays]).toEqual([1, 3])
        const other = yield* prepare("other")
        expect(Option.isSome(yield* other.replay(2))).toBe(true)
        const rest = yield* claim(60)
        yield* Effect.forEach(rest, (delivery) => store.settle(delivery, { ...outcome, status: 200 }))
      })
    )

    live("of many replays at once, to several endpoints of an application, no more are made than an hour allows", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const owner = ApplicationId.make("parallel")
        const receivers = [1, 2, 3].map((nth) => WebhookEndpointId.make(`whe_parallel${nth}`))
        yield* Effect.forEach(receivers, (receiver) => insertEventOf(owner, receiver, "{}"))
        const replays = Array.from({ length: 5 }, () => receivers).flat()
        const outcomes = yield* Effect.forEach(
          replays,
          (receiver) => store.replay(owner, receiver, {}, { limit: 1, limitPerHour: 7 }),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(Option.isSome)).toHaveLength(7)
        const rest = yield* claim(60)
        yield* Effect.forEach(rest, (delivery) => store.settle(delivery, { ...outcome, status: 200 }))
      })
    )

    live("a renewed claim is due again after the new lease", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        const id = yield* insertEvent
        const [first] = yield* claim(60)
        if (first === undefined) throw new Error("nothing was claimed")
        yield* store.renew([first], 0)
        const [second] = yield* claim(0)
        expect(second?.event.id).toBe(id)
        if (second === undefined) return
        yield* store.renew([second], 60)
        expect(yield* claim(60)).toEqual([])
        yield* store.settle(second, { ...outcome, status: 200 })
      })
    )

    live("a claim of another process, and one that is settled, cannot be renewed", () =>
      Effect.gen(function* () {
        const store = yield* WebhookDeliveryStore
        yield* insertEvent
        const [former] = yield* claim(0)
        const [current] = yield* claim(60)
        if (former === undefined || current === undefined) throw new Error("nothing was claimed")
        yield* store.renew([former], 0)
        expect(yield* claim(60)).toEqual([])
        yield* store.settle(current, { ...outcome, error: "timeout" })
        yield* store.renew([current], 0)
        expect(yield* claim(60)).toEqual([])
      })
    )
  })
