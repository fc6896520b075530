import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { Lab } from "../../test/support/lab/Lab.ts"
import { status } from "../../test/support/lab/httpFaults.ts"
import { type ReceiverFault, startFaultyReceiver } from "../events/FaultyReceiver.ts"
import type { AlertDrill } from "./AlertDrill.ts"
import type { DrillGround } from "./DrillGround.ts"
import { enterCredential, keepDoing, plannedConnection, requestedConnection } from "./drillSteps.ts"

/** Alerts about what the service calls. */
export const outsideDrills: ReadonlyArray<AlertDrill> = [
  {
    alert: "DcsResolverDead",
    cause: "no resolver of DNS_RESOLVERS runs",
    plant: ({ api, resolver }) =>
      Effect.gen(function* () {
        yield* Effect.acquireRelease(resolver.stop, () =>
          // A start is a race.
          Effect.interruptible(Effect.orDie(resolver.start))
        )
        yield* Effect.forEach(numbers(5), (nth) =>
          Effect.delay(requestedConnection(api, `unresolved${nth}.drills.com`), "2 seconds")
        )
      })
  },
  {
    alert: "DcsPhasesWait",
    cause: "a customer connects domains at name servers that say nothing, with few slots",
    settings: { PHASES_IN_FLIGHT: "1" },
    plant: ({ api }) =>
      Effect.gen(function* () {
        const lab = yield* Lab
        yield* Effect.forEach(numbers(40), (nth) =>
          Effect.gen(function* () {
            yield* silentNameServer(`127.10.8.${nth}`)
            yield* lab.delegate(`silent${nth}.com`, [`ns1.silent${nth}.com`], `ns1.silent${nth} A 127.10.8.${nth}`)
          })
        )
        yield* Effect.forEach(numbers(40), (nth) => requestedConnection(api, `silent${nth}.com`), { concurrency: 4 })
      })
  },
  {
    alert: "DcsProviderFails",
    cause: "the API of the provider answers 500",
    plant: (ground) => failProvider(ground, 500)
  },
  {
    alert: "DcsProviderRefuses",
    cause: "the API of the provider answers 401",
    plant: (ground) => failProvider(ground, 401)
  },
  {
    alert: "DcsWebhooksWait",
    cause: "a receiver fails once and then answers nothing",
    plant: ({ api }) =>
      Effect.gen(function* () {
        let fault: ReceiverFault | undefined = "status"
        const receiver = yield* startFaultyReceiver(() => fault)
        yield* Effect.addFinalizer(() => Effect.sync(() => (fault = undefined)))
        const { body } = yield* Effect.orDie(api.post("/v1/webhook-endpoints", { url: receiver.url }))
        receiver.useSecret(body.secret)
        yield* plannedConnection(api, "hook0.drills.com")
        yield* Effect.repeat(
          Effect.delay(
            Effect.sync(() => receiver.attempts.length),
            "100 millis"
          ),
          {
            until: (attempts) => attempts > 0
          }
        )
        fault = "silence"
        yield* Effect.forEach(numbers(6), (nth) => plannedConnection(api, `hook${nth}.drills.com`))
      })
  },
  {
    alert: "DcsWebhooksPaused",
    cause: "a receiver answers 410",
    plant: ({ api }) =>
      Effect.gen(function* () {
        let code = 410
        const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(null, { status: code }) })
        yield* Effect.addFinalizer(() => Effect.promise(() => gone.stop(true)))
        const { body } = yield* Effect.orDie(
          api.post("/v1/webhook-endpoints", { url: `http://127.0.0.1:${gone.port}/hooks` })
        )
        yield* Effect.addFinalizer(() => {
          code = 204
          return Effect.orDie(api.post(`/v1/webhook-endpoints/${body.endpoint.id}/resume`, {}))
        })
        yield* plannedConnection(api, "gone-hook.drills.com")
      })
  }
]

const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1)

/** Lets calls for the zone fail while customers enter their credential. */
const failProvider = ({ api, provider }: DrillGround, code: number) =>
  Effect.gen(function* () {
    const { pdns } = yield* Lab
    yield* Effect.acquireRelease(provider.injectFault("drills.com", "any", status(code)), () =>
      provider.heal("drills.com")
    )
    let nth = 0
    yield* keepDoing(
      Effect.suspend(() => plannedConnection(api, `provider${(nth += 1)}.drills.com`)).pipe(
        Effect.flatMap((connection) => enterCredential(api, connection, pdns.key))
      ),
      1_000
    )
  })

/** A name server that takes every query and answers none. */
const silentNameServer = (address: string) =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createSocket>>((resume) => {
      const socket = createSocket("udp4")
      socket.bind(53, address, () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )
