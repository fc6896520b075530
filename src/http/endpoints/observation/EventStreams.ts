import * as Sse from "@effect/experimental/Sse"
import { Context, Duration, Effect, type Fiber, FiberSet, Layer, Number, Predicate } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import { ConnectionSignals } from "../../../lifecycle/commit/ConnectionSignals.ts"
import { LruMap } from "../../../limits/BoundedMap.ts"
import { pause } from "../../../runtime/computeInSlices.ts"
import { streamPriority } from "../../../runtime/PriorityScheduler.ts"
import type { Overloaded, TooManyStreams } from "../../../limits/limitErrors.ts"
import { Drain } from "../../pipeline/Drain.ts"
import { OpenStreams, type StreamedConnection } from "../../../limits/OpenStreams.ts"

/** The next piece of a stream. */
export interface StreamUpdate {
  /** The events in the order in which they are sent. */
  readonly texts: ReadonlyArray<string | SharedText>
  readonly isLast: boolean
}

/** A text that other streams send as well, under the same key. It is written if no stream holds its bytes. */
export interface SharedText {
  readonly key: string
  readonly write: () => string
}

/**
 * The open event streams, of which thousands may be idle. Each is one waiting fiber and a plain `ReadableStream`:
 * Effect's `Stream` would use seven times the memory.
 */
export class EventStreams extends Context.Tag("http/EventStreams")<
  EventStreams,
  {
    /**
     * Opens a body that sends an update at once, after every change of the connection, and every 15 seconds. It ends
     * only when it is read: open none for a response without a body, as to HEAD.
     */
    readonly open: (
      connection: StreamedConnection,
      readUpdate: Effect.Effect<StreamUpdate>
    ) => Effect.Effect<ReadableStream<Uint8Array>, TooManyStreams | Overloaded>
  }
>() {
  static readonly layer = Layer.scoped(
    EventStreams,
    Effect.gen(function* () {
      const streams = yield* OpenStreams
      const signals = yield* ConnectionSignals
      const drain = yield* Drain
      const encodings = new SharedEncodings()
      const fibers = yield* FiberSet.make<unknown>()
      const run = yield* FiberSet.runtime(fibers)<never>()
      yield* Effect.forkScoped(Effect.zipRight(drain.awaitStart, FiberSet.clear(fibers)))

      const openBody = (id: ConnectionId, readUpdate: Effect.Effect<StreamUpdate>, release: Effect.Effect<void>) => {
        let fiber: Fiber.RuntimeFiber<unknown> | undefined
        const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
          const sendUpdate = Effect.flatMap(readUpdate, ({ isLast, texts }) => {
            const pieces = texts.map((text) => encodings.encode(text))
            const send = Effect.sync(() => {
              pieces.forEach((piece) => controller.enqueue(piece))
              return isLast
            })
            return Number.sumAll(pieces.map(({ length }) => length)) > maxPromptBytes
              ? Effect.zipRight(pause, send)
              : send
          })
          const sendIfRead = Effect.suspend(() =>
            (controller.desiredSize ?? 0) > 0 ? sendUpdate : Effect.succeed(false)
          )
          // The stream is closed already if the client has disconnected.
          const close = Effect.ignore(Effect.try(() => controller.close()))
          controller.enqueue(encodings.encode(Sse.encoder.write(reconnectDelay)))
          fiber = run(
            signals
              .waitUntil(id, heartbeatInterval, sendIfRead)
              .pipe(
                Effect.unless(drain.isDraining),
                Effect.ensuring(Effect.zipRight(close, release)),
                Effect.withSchedulingPriority(streamPriority)
              )
          )
        }
        return new ReadableStream({ start, cancel: () => fiber?.unsafeInterruptAsFork(fiber.id()) }, buffer)
      }

      return {
        open: (connection, readUpdate) =>
          Effect.map(streams.open(connection), (release) => openBody(connection.id, readUpdate, Effect.sync(release)))
      }
    })
  )
}

const heartbeatInterval = Duration.seconds(15)

const reconnectDelay = new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined })

/** A longer update waits for a turn of the event loop without another: many at once would keep others waiting. */
const maxPromptBytes = 65_536

/** The bytes that wait for a slow client: 16 small pieces, or one large one; the client gets the rest when it reads. */
const buffer: QueuingStrategy<Uint8Array> = {
  highWaterMark: 16_384,
  size: (piece) => Math.max(1_024, piece?.byteLength ?? 0)
}

/** Encodes a shared text once while its bytes are in use: hundreds of unread streams then hold one document. */
class SharedEncodings {
  readonly #encodings = new LruMap<string, WeakRef<Uint8Array>>(maxEncodings)

  encode(text: string | SharedText): Uint8Array {
    if (Predicate.isString(text)) return encoder.encode(text)
    const known = this.#encodings.get(text.key)?.deref()
    if (known !== undefined) return known
    const bytes = encoder.encode(text.write())
    this.#encodings.set(text.key, new WeakRef(bytes))
    return bytes
  }
}

const encoder = new TextEncoder()

/** An entry takes about 200 bytes, besides the encoding itself while it is held. */
const maxEncodings = 10_000
