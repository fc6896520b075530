import { Effect, Either, Metric, Queue, type Scope } from "effect"
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
 * A socket for one question, connected, so that the kernel hands over nothing from another address or port. `answer`
 * drops and counts what is no answer to the question, and waits for ever.
 */
export const openUdp = ({
  accept,
  query,
  server
}: Exchange): Effect.Effect<
  { readonly send: Effect.Effect<boolean, NoAnswer>; readonly answer: Effect.Effect<Message, NoAnswer> },
  NoAnswer,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const inbox = yield* Queue.dropping<Effect.Effect<Uint8Array, NoAnswer>>(maxWaiting)
    const socket = yield* Effect.acquireRelease(connect(server, inbox), (socket) => Effect.sync(() => socket.close()))
    return {
      send: Effect.try({ try: () => socket.send(query), catch: noRoute }),
      answer: nextAnswer(inbox, accept)
    }
  })

type Inbox = Queue.Queue<Effect.Effect<Uint8Array, NoAnswer>>

const maxWaiting = 16

const noRoute = () => new NoAnswer({ reason: "no_route" })

const connect = (server: Endpoint, inbox: Inbox) =>
  Effect.tryPromise({
    try: () =>
      Bun.udpSocket({
        // Bun binds to IPv4 unless told otherwise, and cannot connect from there to IPv6.
        hostname: server.host.includes(":") ? "::" : "0.0.0.0",
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
