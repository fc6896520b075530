import { randomInt } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { isReachable, type Network } from "../domain/Address.ts"
import { atMost } from "./atMost.ts"
import { type Endpoint, standardEndpoint } from "./Endpoint.ts"
import { NoAnswer } from "./NoAnswer.ts"
import { type Exchange, withUdp } from "./openUdp.ts"
import { overTcp } from "./overTcp.ts"
import { decodeAnswer, type Message, type Question } from "./wire/decodeAnswer.ts"
import { encodeQuery } from "./wire/encodeQuery.ts"

/** Puts one question to one server: two tries over UDP, one over TCP, which is also where truncation leads. */
export class DnsClient extends Context.Tag("dns/DnsClient")<
  DnsClient,
  {
    /** Asks a server found in DNS at one of its addresses, without recursion. Never sends to a private address. */
    readonly ask: (address: string, question: Question) => Effect.Effect<Message, NoAnswer>
    /** Asks a resolver that the operator named, wherever it is, to find the answer. */
    readonly resolve: (resolver: Endpoint, question: Question) => Effect.Effect<Message, NoAnswer>
  }
>() {
  static readonly layer = (settings: {
    /** Networks that are open besides the public ones (`OUTBOUND_ALLOW`). */
    readonly allowed: ReadonlyArray<Network>
    /** For all tries at one server together, and for the wait where too much else is being asked; 2 s. */
    readonly timeout?: Duration.DurationInput
    /** Where the server of an address is found; port 53. */
    readonly dial?: (address: string) => Endpoint
  }): Layer.Layer<DnsClient> => {
    const { allowed, dial = standardEndpoint, timeout = "2 seconds" } = settings
    return Layer.effect(
      DnsClient,
      Effect.map(atMost(maxInFlight), (withPlace) => {
        const inTurn = (inquiry: Inquiry) =>
          withPlace(answerOf(inquiry), Effect.timeoutFail({ duration: timeout, onTimeout: failure("busy") }))
        return {
          ask: (address, question) =>
            isReachable(address, allowed)
              ? inTurn({ server: dial(address), question, recursionDesired: false, timeout })
              : Effect.fail(new NoAnswer({ reason: "address_not_reachable" })),
          resolve: (server, question) =>
            Effect.filterOrFail(
              inTurn({ server, question, recursionDesired: true, timeout }),
              ({ ra }) => ra,
              failure("lame")
            )
        }
      })
    )
  }
}

/** Questions on their way at the same time; even with UDP and TCP open for each it stays below 1,024 open files. */
const maxInFlight = 400

interface Inquiry {
  readonly server: Endpoint
  readonly question: Question
  readonly recursionDesired: boolean
  readonly timeout: Duration.DurationInput
}

/** A server that does not understand EDNS is asked once more without it, in the time that is left. */
const answerOf = (inquiry: Inquiry): Effect.Effect<Message, NoAnswer> =>
  Effect.gen(function* () {
    const endsAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(inquiry.timeout)
    const first = yield* tries(inquiry, endsAt, true)
    const message = first.rcode === formatError ? yield* tries(inquiry, endsAt, false) : first
    if (message.rcode === noError || message.rcode === nameError) return message
    return yield* new NoAnswer({ reason: failures.get(message.rcode) ?? "server_failure" })
  })

/** Twice over UDP, each time for a third of the time, then over TCP while UDP is still heard. */
const tries = ({ question, recursionDesired, server, timeout }: Inquiry, endsAt: number, edns: boolean) => {
  const id = randomInt(2 ** 16)
  const exchange: Exchange = {
    server,
    query: encodeQuery({ id, question, recursionDesired, edns }),
    accept: (bytes) => decodeAnswer(bytes, { id, question })
  }
  const millisLeft = Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, endsAt - now))
  const third = Duration.toMillis(timeout) / 3
  const tcp = Effect.flatMap(millisLeft, (millis) =>
    Effect.timeoutFail(overTcp(exchange), { duration: millis, onTimeout: failure("timed_out") })
  )
  return withUdp(exchange, ({ answerWithin, send }) => {
    const udp = Effect.flatMap(Effect.zipRight(send, millisLeft), (millis) => answerWithin(Math.min(third, millis)))
    return udp.pipe(
      Effect.orElse(() => udp),
      Effect.orElse(() => Effect.raceFirst(Effect.flatMap(millisLeft, answerWithin), tcp)),
      Effect.filterOrElse(isWhole, () => Effect.mapError(tcp, truncatedUnlessLate)),
      Effect.filterOrFail(isWhole, failure("truncated"))
    )
  })
}

const truncatedUnlessLate = ({ reason }: NoAnswer) =>
  new NoAnswer({ reason: reason === "timed_out" ? reason : "truncated" })

const isWhole = ({ tc }: Message): boolean => !tc

const failure = (reason: NoAnswer["reason"]) => () => new NoAnswer({ reason })

const [noError, formatError, nameError] = [0, 1, 3]

/** The response codes that say why there is no answer (RFC 1035 section 4.1.1, RFC 2136 for NOTAUTH). */
const failures: ReadonlyMap<number, NoAnswer["reason"]> = new Map([
  [formatError, "format_error"],
  [5, "refused"],
  [9, "refused"]
])
