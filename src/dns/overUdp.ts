import { type Duration, Effect, Either, Metric, Queue, Schedule } from "effect"
import type { Endpoint } from "./Endpoint.ts"
import { NoAnswer } from "./NoAnswer.ts"
import type { Malformed, Message } from "./wire/decodeAnswer.ts"

/** One question on its way to one server: its bytes, and what tells its answer from anything else. */
export interface Exchange {
  readonly server: Endpoint
  readonly query: Uint8Array
  readonly accept: (bytes: Uint8Array) => Either.Either<Message, Malformed>
}

/**
 * Sends a question from a socket of its own, and once more after `patience`. Whatever is not its answer is dropped and
 * counted; the wait for one has no end of its own.
 */
export const overUdp = (
  { accept, query, server }: Exchange,
  patience: Duration.DurationInput
): Effect.Effect<Message, NoAnswer> =>
  Effect.scoped(
    Effect.gen(function* () {
      const inbox = yield* Queue.dropping<Effect.Effect<Uint8Array, NoAnswer>>(inboxSize)
      const socket = yield* Effect.acquireRelease(open(server, inbox), (socket) => Effect.sync(() => socket.close()))
      const send = Effect.try({ try: () => socket.send(query), catch: noRoute })
      const sendTwice = Effect.repeat(send, Schedule.intersect(Schedule.spaced(patience), Schedule.recurs(1)))
      return yield* Effect.raceFirst(nextAnswer(inbox, accept), Effect.zipRight(sendTwice, Effect.never))
    })
  )

const inboxSize = 16

const noRoute = () => new NoAnswer({ reason: "no_route" })

type Inbox = Queue.Queue<Effect.Effect<Uint8Array, NoAnswer>>

/** A connected socket: the kernel hands over nothing that comes from another address or port. */
const open = (server: Endpoint, inbox: Inbox) =>
  Effect.tryPromise({
    try: () =>
      Bun.udpSocket({
        connect: { hostname: server.host, port: server.port },
        socket: {
          data: (_, bytes) => {
            inbox.unsafeOffer(Effect.succeed(bytes))
          },
          error: () => {
            inbox.unsafeOffer(Effect.fail(noRoute()))
          }
        }
      }),
    catch: noRoute
  })

const nextAnswer = (inbox: Inbox, accept: Exchange["accept"]): Effect.Effect<Message, NoAnswer> =>
  Effect.flatMap(Effect.flatten(Queue.take(inbox)), (bytes) =>
    Either.match(accept(bytes), {
      onLeft: (malformed) => Effect.zipRight(countDropped(malformed), nextAnswer(inbox, accept)),
      onRight: Effect.succeed
    })
  )

const dropped = Metric.counter("dns_answers_dropped_total", {
  description: "Packets that were no answer to the question asked, by reason.",
  incremental: true
})

const countDropped = ({ reason }: Malformed) => Metric.increment(Metric.tagged(dropped, "reason", reason))
