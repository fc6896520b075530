import * as Sse from "@effect/experimental/Sse"
import { Context, Duration, Effect, type Fiber, FiberSet, Layer } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { ConnectionSignals } from "../../lifecycle/commit/ConnectionSignals.ts"
import { Drain } from "../middleware/Drain.ts"

/** The next piece of a stream. */
export interface StreamUpdate {
  readonly text: string
  readonly isLast: boolean
}

/**
 * The open event streams of this process. There may be thousands, most of them idle: each is one waiting fiber and a
 * plain `ReadableStream`, since Effect's `Stream` would use seven times the memory.
 */
export class EventStreams extends Context.Tag("http/EventStreams")<
  EventStreams,
  {
    /** Opens a body that sends an update at once, after every change of the connection, and every 15 seconds. */
    readonly open: (id: ConnectionId, readUpdate: Effect.Effect<StreamUpdate>) => ReadableStream<Uint8Array>
  }
>() {
  static readonly layer = Layer.scoped(
    EventStreams,
    Effect.gen(function* () {
      const signals = yield* ConnectionSignals
      const drain = yield* Drain
      const fibers = yield* FiberSet.make<unknown>()
      const run = yield* FiberSet.runtime(fibers)<never>()
      yield* Effect.forkScoped(Effect.zipRight(drain.awaitStart, FiberSet.clear(fibers)))

      return {
        open: (id, readUpdate) => {
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
                .pipe(Effect.unlessEffect(drain.isDraining), Effect.ensuring(close))
            )
          }
          return new ReadableStream({ start, cancel: () => fiber?.unsafeInterruptAsFork(fiber.id()) }, buffer)
        }
      }
    })
  )
}

const heartbeatInterval = Duration.seconds(15)

const reconnectDelay = new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined })

/** At most this many pieces wait for a client that does not read; it gets the rest when it does. */
const buffer = { highWaterMark: 16 }

const encoder = new TextEncoder()
