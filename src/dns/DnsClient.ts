import { randomInt } from "node:crypto"
import { Context, Duration, Effect, Layer } from "effect"
import { isReachable, type Network } from "../domain/Address.ts"
import { type Endpoint, standardEndpoint } from "./Endpoint.ts"
import { exchange } from "./exchange.ts"
import { NoAnswer } from "./NoAnswer.ts"
import { makePlaces, type Places } from "./Places.ts"
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
    const { allowed, dial = standardEndpoint } = settings
    const millis = Duration.toMillis(settings.timeout ?? "2 seconds")
    return Layer.sync(DnsClient, () => {
      const places = makePlaces(maxInFlight)
      const inTurn = (inquiry: Inquiry) =>
        Effect.suspend(() =>
          places.areFree()
            ? answerOf(inquiry, places, millis)
            : Effect.timeoutFail(answerOf(inquiry, places, millis), { duration: millis, onTimeout: failure("busy") })
        )
      return {
        ask: (address, question) =>
          isReachable(address, allowed)
            ? inTurn({ server: dial(address), question, recursionDesired: false })
            : Effect.fail(new NoAnswer({ reason: "address_not_reachable" })),
        resolve: (server, question) =>
          Effect.filterOrFail(inTurn({ server, question, recursionDesired: true }), ({ ra }) => ra, failure("lame"))
      }
    })
  }
}

/** Questions on their way at the same time; even with UDP and TCP open for each it stays below 1,024 open files. */
const maxInFlight = 400

interface Inquiry {
  readonly server: Endpoint
  readonly question: Question
  readonly recursionDesired: boolean
}

/** A server that does not understand EDNS is asked once more without it, in the time that is left. */
const answerOf = (inquiry: Inquiry, places: Places, millis: number): Effect.Effect<Message, NoAnswer> =>
  Effect.suspend(() => {
    let endsAt: number | undefined
    const asked = (edns: boolean) =>
      Effect.async<Message, NoAnswer>((resume) => {
        let stop: (() => void) | undefined
        const leave = places.enter(() => {
          endsAt ??= performance.now() + millis
          stop = exchange(exchangeOf(inquiry, edns, endsAt - performance.now()), (outcome) => {
            leave()
            resume(outcome)
          })
        })
        return Effect.sync(() => {
          stop?.()
          leave()
        })
      })
    return Effect.flatMap(asked(true), (first) =>
      first.rcode === formatError ? Effect.flatMap(asked(false), meaning) : meaning(first)
    )
  })

const exchangeOf = ({ question, recursionDesired, server }: Inquiry, edns: boolean, millis: number) => {
  const id = randomInt(2 ** 16)
  return {
    server,
    query: encodeQuery({ id, question, recursionDesired, edns }),
    accept: (bytes: Uint8Array) => decodeAnswer(bytes, { id, question }),
    millis: Math.max(0, millis)
  }
}

const meaning = (message: Message): Effect.Effect<Message, NoAnswer> =>
  message.rcode === noError || message.rcode === nameError
    ? Effect.succeed(message)
    : new NoAnswer({ reason: failures.get(message.rcode) ?? "server_failure" })

const failure = (reason: NoAnswer["reason"]) => () => new NoAnswer({ reason })

const [noError, formatError, nameError] = [0, 1, 3]

/** The response codes that say why there is no answer (RFC 1035 section 4.1.1, RFC 2136 for NOTAUTH). */
const failures: ReadonlyMap<number, NoAnswer["reason"]> = new Map([
  [formatError, "format_error"],
  [5, "refused"],
  [9, "refused"]
])
