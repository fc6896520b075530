import { randomInt } from "node:crypto"
import { Context, Duration, Effect, Layer } from "effect"
import { isReachable, type Network } from "../domain/Address.ts"
import { atMost } from "./atMost.ts"
import { type Endpoint, standardEndpoint } from "./Endpoint.ts"
import { NoAnswer } from "./NoAnswer.ts"
import { overTcp } from "./overTcp.ts"
import { type Exchange, openUdp } from "./openUdp.ts"
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

const answerOf = (inquiry: Inquiry): Effect.Effect<Message, NoAnswer> =>
  tries(inquiry, true).pipe(
    Effect.filterOrElse(
      ({ rcode }) => rcode !== formatError,
      () => tries(inquiry, false)
    ),
    Effect.timeoutFail({ duration: inquiry.timeout, onTimeout: failure("timed_out") }),
    Effect.filterOrFail(
      ({ rcode }) => rcode === noError || rcode === nameError,
      ({ rcode }) => new NoAnswer({ reason: failures.get(rcode) ?? "server_failure" })
    )
  )

/** Twice over UDP, each time for a third of the time, then over TCP while UDP is still heard. */
const tries = ({ question, recursionDesired, server, timeout }: Inquiry, edns: boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      const id = randomInt(2 ** 16)
      const exchange: Exchange = {
        server,
        query: encodeQuery({ id, question, recursionDesired, edns }),
        accept: (bytes) => decodeAnswer(bytes, { id, question })
      }
      const { answer, send } = yield* openUdp(exchange)
      const overUdp = Effect.timeoutFail(Effect.zipRight(send, answer), {
        duration: Duration.times(timeout, 1 / 3),
        onTimeout: failure("timed_out")
      })
      return yield* overUdp.pipe(
        Effect.orElse(() => overUdp),
        Effect.orElse(() => Effect.raceFirst(answer, overTcp(exchange))),
        Effect.filterOrElse(isWhole, () => Effect.mapError(overTcp(exchange), failure("truncated"))),
        Effect.filterOrFail(isWhole, failure("truncated"))
      )
    })
  )

const isWhole = ({ tc }: Message): boolean => !tc

const failure = (reason: NoAnswer["reason"]) => () => new NoAnswer({ reason })

const [noError, formatError, nameError] = [0, 1, 3]

/** The response codes that say why there is no answer (RFC 1035 section 4.1.1, RFC 2136 for NOTAUTH). */
const failures: ReadonlyMap<number, NoAnswer["reason"]> = new Map([
  [formatError, "format_error"],
  [5, "refused"],
  [9, "refused"]
])
