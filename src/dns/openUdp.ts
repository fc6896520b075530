import { Clock, Effect, Either, Metric } from "effect"
import type { Endpoint } from "./Endpoint.ts"
import { NoAnswer } from "./NoAnswer.ts"
import type { Malformed, Message } from "./wire/decodeAnswer.ts"

/** One question on its way to one server: its bytes, and what tells its answer from anything else. */
export interface Exchange {
  readonly server: Endpoint
  readonly query: Uint8Array
  readonly accept: (bytes: Uint8Array) => Either.Either<Message, Malformed>
}

/** The question on a socket of its own; an answer that was waited for too long is `timed_out`. */
export interface Udp {
  readonly send: Effect.Effect<boolean, NoAnswer>
  /** The answer, if it comes within so many milliseconds; drops and counts what is none. */
  readonly answerWithin: (millis: number) => Effect.Effect<Message, NoAnswer>
}

/**
 * Opens a socket for one question while it is used, connected, so that the kernel hands over nothing from another address
 * or port. It waits without a fiber for each wait: a connection takes hundreds of questions.
 */
export const withUdp = <A>(
  { accept, query, server }: Exchange,
  use: (udp: Udp) => Effect.Effect<A, NoAnswer>
): Effect.Effect<A, NoAnswer> =>
  Effect.suspend(() => {
    const inbox: Inbox = { waiting: [], taker: undefined }
    return Effect.acquireUseRelease(
      connect(server, inbox),
      (socket) =>
        use({
          send: Effect.try({ try: () => socket.send(query), catch: noRoute }),
          answerWithin: (millis) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => nextAnswer(inbox, accept, now + millis))
        }),
      (socket) => Effect.sync(() => socket.close())
    )
  })

/** What has arrived and nobody has taken yet, or who takes what comes next. */
interface Inbox {
  readonly waiting: Array<Arrival>
  taker: ((arrival: Arrival) => void) | undefined
}

type Arrival = Effect.Effect<Uint8Array, NoAnswer>

const maxWaiting = 16

const put = (inbox: Inbox, arrival: Arrival): void => {
  if (inbox.taker !== undefined) inbox.taker(arrival)
  else if (inbox.waiting.length < maxWaiting) inbox.waiting.push(arrival)
}

const take = (inbox: Inbox, millis: number): Arrival =>
  Effect.async((resume) => {
    const arrived = inbox.waiting.shift()
    if (arrived !== undefined) return resume(arrived)
    const leave = () => {
      clearTimeout(timer)
      inbox.taker = undefined
    }
    const end = (arrival: Arrival) => {
      leave()
      resume(arrival)
    }
    const timer = setTimeout(() => end(timedOut), millis)
    inbox.taker = end
    return Effect.sync(leave)
  })

const timedOut = new NoAnswer({ reason: "timed_out" })

const noRoute = () => new NoAnswer({ reason: "no_route" })

const connect = (server: Endpoint, inbox: Inbox) =>
  Effect.tryPromise({
    try: () =>
      Bun.udpSocket({
        // Bun binds to IPv4 unless told otherwise, and cannot connect from there to IPv6.
        hostname: server.host.includes(":") ? "::" : "0.0.0.0",
        connect: { hostname: server.host, port: server.port },
        socket: {
          data: (_, bytes) => put(inbox, Effect.succeed(bytes)),
          error: () => put(inbox, Effect.fail(noRoute()))
        }
      }),
    catch: noRoute
  })

const nextAnswer = (inbox: Inbox, accept: Exchange["accept"], endsAt: number): Effect.Effect<Message, NoAnswer> =>
  Effect.gen(function* () {
    const millisLeft = Math.max(0, endsAt - (yield* Clock.currentTimeMillis))
    const accepted = accept(yield* take(inbox, millisLeft))
    if (Either.isRight(accepted)) return accepted.right
    yield* countDropped(accepted.left)
    return yield* nextAnswer(inbox, accept, endsAt)
  })

const dropped = Metric.counter("dns_answers_dropped_total", {
  description: "Packets that were no answer to the question asked, by reason.",
  incremental: true
})

const countDropped = ({ reason }: Malformed) => Metric.increment(Metric.tagged(dropped, "reason", reason))
