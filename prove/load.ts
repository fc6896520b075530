import { Effect, Exit, Fiber, Ref, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { median } from "../bench/Report.ts"
import { residentMegabytesOf } from "../bench/processes.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { type DrillGround, startDrillGround } from "./alerts/DrillGround.ts"
import { keepDoing } from "./alerts/drillSteps.ts"
import type { ApiResponse } from "./ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "./connectionSteps.ts"
import { countEach } from "./countEach.ts"
import { startFaultyReceiver } from "./events/FaultyReceiver.ts"
import { countPending, createEndpoint } from "./events.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { createZones, dumpZone, recordsFor, typicalLines } from "./proofZones.ts"

/** Customers connect, are read and leave, for an hour, in a service that has 512 MiB. */
export const load = ({ isShort }: ProofOptions) => proveLoad({ seconds: isShort ? 120 : 3_600, clients: 4 })

/** The same for two minutes in a service that may have 64 descriptors open, while clients open streams. */
export const descriptors = () => proveLoad({ seconds: 120, clients: 2, descriptors: 64 })

interface LoadOptions {
  readonly seconds: number
  readonly clients: number
  readonly descriptors?: number
}

const proveLoad = (options: LoadOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const lab = yield* Lab
      yield* createZones(lab, zones, typicalLines)
      const ground = yield* startDrillGround(options)
      const receiver = yield* startFaultyReceiver(() => undefined)
      yield* createEndpoint(ground.api, receiver)
      const before = yield* Effect.forEach(zones, (zone) => dumpZone(lab.pdns, zone))
      const isOver = yield* Ref.make(false)
      const statuses: Array<string> = []
      const outcomes: Array<Exit.Exit<void, unknown>> = []
      const clients = Array.from({ length: options.clients }, (_, client) =>
        Effect.gen(function* () {
          for (let nth = 0; !(yield* Ref.get(isOver)); nth += 1) {
            const journey = playJourney({ ground, token: lab.pdns.key, name: `c${client}-${nth}`, statuses })
            const exit = yield* Effect.exit(journey)
            if (Exit.isFailure(exit)) yield* Effect.logWarning("A journey failed", exit.cause)
            outcomes.push(exit)
          }
        })
      )
      const playing = yield* Effect.fork(Effect.all(clients, { concurrency: "unbounded" }))
      const megabytes: Array<number> = []
      yield* keepDoing(
        Effect.sync(() => megabytes.push(residentMegabytesOf(ground.pid()))),
        1_000
      )
      if (options.descriptors !== undefined) yield* keepOpeningStreams(ground)
      yield* Effect.sleep(`${options.seconds} seconds`)
      yield* Ref.set(isOver, true)
      yield* Fiber.join(playing)
      yield* Effect.repeat(Effect.delay(countPending(ground.database), "500 millis"), {
        until: (pending) => pending === 0
      })
      const after = yield* Effect.forEach(zones, (zone) => dumpZone(lab.pdns, zone))
      const failures = outcomes.flatMap((exit) => (Exit.isFailure(exit) ? [String(exit.cause)] : []))
      const third = Math.ceil(megabytes.length / 3)
      const peak = peakMegabytesOf(ground.pid())
      return {
        figures: {
          journeys: outcomes.length,
          events: receiver.events.length,
          statuses: countEach(statuses),
          peakMegabytes: peak,
          // The first third has the start of the process in it.
          secondThirdMegabytes: median(megabytes.slice(third, 2 * third)),
          lastThirdMegabytes: median(megabytes.slice(2 * third)),
          failures: failures.slice(0, 5)
        },
        targets: [
          expectNone("customers who did not get through", failures),
          expectNone(
            "zones that differ from before",
            zones.filter((_, nth) => before[nth]?.join() !== after[nth]?.join())
          ),
          expectNone("events with a wrong signature", receiver.unsigned),
          // Requested, planned, active, disconnected: each is told.
          { kind: "gate" as const, what: "events", value: receiver.events.length, atLeast: 3 * outcomes.length },
          { kind: "gate" as const, what: "customers", value: outcomes.length, atLeast: options.clients },
          { kind: "gate" as const, what: "memory at most in MiB", value: peak, atMost: 512 }
        ]
      }
    }).pipe(Effect.orDie)
  )

const zones = Array.from({ length: 4 }, (_, nth) => `load${nth}.com`)

interface Journey {
  readonly ground: DrillGround
  readonly token: string
  readonly name: string
  /** Gets the status of each read. */
  readonly statuses: Array<string>
}

/** A customer connects a domain, the platform reads it and lets a page read it, and the customer leaves. */
const playJourney = ({ ground, name, statuses, token }: Journey) =>
  Effect.gen(function* () {
    const { api } = ground
    const domain = `${name}.${zones[name.length % zones.length]}`
    const desired = { idempotencyKey: name, domain, records: recordsFor(domain), credential: { apiToken: token } }
    const connection = yield* createPlannedConnection(api, desired)
    yield* authorizeAndApprove(api, connection, desired)
    yield* waitForState(api, connection.id, ["active"], 200)
    const path = `/v1/connections/${connection.id}`
    const reads = [
      ...Array.from({ length: 10 }, () => api.get(path)),
      api.get(`${path}/events`),
      api.get(`${path}/records`),
      api.get("/v1/connections?limit=20"),
      api.post(`${path}/access-token`, { origin: "https://shop.example" })
    ]
    yield* Effect.forEach(reads, (read) => Effect.map(read, ({ status }: ApiResponse) => statuses.push(String(status))))
    yield* api.post(`${path}/disconnect`, {})
    yield* waitForState(api, connection.id, ["awaiting_authorization"], 200)
    yield* api.post(`${path}/authorization`, { method: "direct_credential", credential: desired.credential })
    const { plan } = yield* waitForState(api, connection.id, ["planned"], 200)
    yield* api.post(`${path}/approval`, { digest: plan.digest, acknowledge: plan.warnings })
    yield* waitForState(api, connection.id, ["disconnected"], 200)
  })

/** Opens streams, and closes them after a few seconds, again and again. */
const keepOpeningStreams = ({ api, database, url }: DrillGround): Effect.Effect<void, never, Scope.Scope> =>
  keepDoing(
    Effect.gen(function* () {
      const { body } = yield* api.get("/v1/connections?limit=1")
      const controller = new AbortController()
      const open = () =>
        fetch(`${url}/v1/connections/${body.connections[0].id}/stream`, {
          headers: { "x-api-key": database.key, accept: "text/event-stream" },
          signal: controller.signal
        }).catch(() => undefined)
      yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, open)))
      yield* Effect.sleep("3 seconds")
      controller.abort()
    }),
    1_000
  )

/** The most resident memory that a process has had, in MiB. */
const peakMegabytesOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024
