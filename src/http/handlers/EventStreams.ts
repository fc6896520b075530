import * as Sse from "@effect/experimental/Sse"
import { Context, Duration, Effect, type Fiber, FiberSet, Layer } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import { ConnectionSignals } from "../../lifecycle/commit/ConnectionSignals.ts"
import { Overloaded, RateLimited } from "../contract/errorResponses.ts"
import { Drain } from "../middleware/Drain.ts"
import { SharedReads } from "./SharedReads.ts"
import { makeDescriptorCheck } from "./openFiles.ts"

/** The next piece of a stream. */
export interface StreamUpdate {
  readonly text: string
  readonly isLast: boolean
}

/** How many event streams may be open at once in this process. */
export interface StreamLimits {
  readonly perConnection: number
  readonly perTenant: number
}

/**
 * The open event streams of this process. There may be thousands, most of them idle: each is one waiting fiber and a
 * plain `ReadableStream`, since Effect's `Stream` would use seven times the memory.
 */
export class EventStreams extends Context.Tag("http/EventStreams")<
  EventStreams,
  {
    /**
     * Opens a body that sends an update at once, after every change of the connection, and every 15 seconds. A body
     * that nobody reads, as after HEAD, would stay open: none may be opened for it.
     */
    readonly open: (
      connection: StreamedConnection,
      readUpdate: Effect.Effect<StreamUpdate>
    ) => Effect.Effect<ReadableStream<Uint8Array>, RateLimited | Overloaded>
    /** Reads for the streams, which share what they read and a few connections to the database. */
    readonly sharedReads: <A, E>() => SharedReads<A, E>
  }
>() {
  static readonly layer = (limits: StreamLimits) =>
    Layer.scoped(
      EventStreams,
      Effect.gen(function* () {
        const permits = yield* Effect.makeSemaphore(readsAtOnce)
        const ofConnections = new OpenCount(limits.perConnection)
        const ofTenants = new OpenCount(limits.perTenant)
        const isShortOfDescriptors = makeDescriptorCheck()
        const signals = yield* ConnectionSignals
        const drain = yield* Drain
        const fibers = yield* FiberSet.make<unknown>()
        const run = yield* FiberSet.runtime(fibers)<never>()
        yield* Effect.forkScoped(Effect.zipRight(drain.awaitStart, FiberSet.clear(fibers)))

        const openBody = (id: ConnectionId, readUpdate: Effect.Effect<StreamUpdate>, release: Effect.Effect<void>) => {
          let fiber: Fiber.RuntimeFiber<unknown> | undefined
          const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
            const send = (text: string) => controller.enqueue(encoder.encode(text))
            const sendUpdate = Effect.map(readUpdate, ({ isLast, text }) => {
              send(text)
              return isLast
            })
            const sendIfRead = Effect.suspend(() =>
              (controller.desiredSize ?? 0) > 0 ? sendUpdate : Effect.succeed(false)
            )
            // The stream is closed already if the client has disconnected.
            const close = Effect.ignore(Effect.try(() => controller.close()))
            send(Sse.encoder.write(reconnectDelay))
            fiber = run(
              signals
                .waitUntil(id, heartbeatInterval, sendIfRead)
                .pipe(Effect.unlessEffect(drain.isDraining), Effect.ensuring(Effect.zipRight(close, release)))
            )
          }
          return new ReadableStream({ start, cancel: () => fiber?.unsafeInterruptAsFork(fiber.id()) }, buffer)
        }

        return {
          sharedReads: () => new SharedReads(permits),
          open: ({ id, tenancy }, readUpdate) =>
            Effect.gen(function* () {
              const tenant = toTenantKey(tenancy)
              if (ofConnections.isFull(id)) return yield* tooManyStreams("this connection", limits.perConnection)
              if (ofTenants.isFull(tenant)) return yield* tooManyStreams("the tenant", limits.perTenant)
              if (isShortOfDescriptors()) return yield* Overloaded.error
              ofConnections.add(id)
              ofTenants.add(tenant)
              const release = Effect.sync(() => {
                ofConnections.remove(id)
                ofTenants.remove(tenant)
              })
              return openBody(id, readUpdate, release)
            })
        }
      })
    )
}

/** Whose stream it is. */
interface StreamedConnection {
  readonly id: ConnectionId
  readonly tenancy: Tenancy
}

/** Counts what is open, by key. */
class OpenCount {
  readonly #limit: number
  readonly #open = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  isFull(key: string): boolean {
    return (this.#open.get(key) ?? 0) >= this.#limit
  }

  add(key: string): void {
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
  }

  remove(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}

const tooManyStreams = (whose: string, limit: number) =>
  new RateLimited({
    code: "too_many_streams",
    message: `${whose} has ${limit} event streams open in this process, which is the limit; close some`
  })

/** Of the ten connections to the database, so that requests always find one. */
const readsAtOnce = 3

const heartbeatInterval = Duration.seconds(15)

const reconnectDelay = new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined })

/** For a client that does not read, 16 small pieces wait, or one large one; it gets the rest when it reads. */
const buffer: QueuingStrategy<Uint8Array> = {
  highWaterMark: 16_384,
  size: (piece) => Math.max(1_024, piece?.byteLength ?? 0)
}

const encoder = new TextEncoder()
