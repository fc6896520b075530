import { Context, Duration, Effect, type Fiber, FiberSet, Layer } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { ConnectionSignals } from "../../lifecycle/commit/ConnectionSignals.ts"
import { Drain } from "../middleware/Drain.ts"

/** What a stream tells next. */
export interface StreamUpdate {
  readonly text: string
  readonly isLast: boolean
}

/**
 * The event streams that are open in this process. There may be thousands, on which nothing happens for most of the time:
 * each is one fiber that waits. A `Stream` of Effect that did the same would keep seven times as much.
 */
export class EventStreams extends Context.Tag("http/EventStreams")<
  EventStreams,
  {
    /** A body that tells the news at once, whenever the connection was written, and every 15 seconds. */
    readonly open: (id: ConnectionId, news: Effect.Effect<StreamUpdate>) => ReadableStream<Uint8Array>
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
        open: (id, news) => {
          let telling: Fiber.RuntimeFiber<unknown> | undefined
          const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
            const tell = (text: string) => controller.enqueue(encoder.encode(text))
            const told = Effect.map(news, ({ isLast, text }) => {
              tell(text)
              return isLast
            })
            const toldIfRead = Effect.suspend(() => ((controller.desiredSize ?? 0) > 0 ? told : Effect.succeed(false)))
            // It is closed already if the client has hung up.
            const close = Effect.ignore(Effect.try(() => controller.close()))
            tell("retry: 2000\n\n")
            telling = run(
              signals
                .waitUntil(id, heartbeat, toldIfRead)
                .pipe(Effect.unlessEffect(drain.isDraining), Effect.ensuring(close))
            )
          }
          return new ReadableStream({ start, cancel: () => telling?.unsafeInterruptAsFork(telling.id()) }, unread)
        }
      }
    })
  )
}

const heartbeat = Duration.seconds(15)

/** How many pieces may wait for a client who does not read; the rest is told when he does. */
const unread = { highWaterMark: 16 }

const encoder = new TextEncoder()
