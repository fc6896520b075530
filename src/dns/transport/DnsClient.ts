import { Context, Duration, Either, Layer } from "effect"
import { randomInt } from "node:crypto"
import { isOutboundAllowed, type Network } from "../../domain/IpAddress.ts"
import { decodeResponse, type Message, type Question } from "../wire/decodeResponse.ts"
import { encodeQuery } from "../wire/encodeQuery.ts"
import { type Endpoint, standardEndpoint } from "./Endpoint.ts"
import { failWithNoAnswer, type NoAnswer } from "./NoAnswer.ts"
import { failedQuery, flatMapQuery, type Query, type QueryOutcome } from "./Query.ts"
import { makeSemaphore, type Semaphore } from "./Semaphore.ts"
import { exchangeQuery } from "./exchangeQuery.ts"

/** Puts one question to one server: two tries over UDP, one over TCP, which is also where truncation leads. */
export class DnsClient extends Context.Tag("dns/DnsClient")<
  DnsClient,
  {
    /** Asks a server found in DNS at one of its addresses, without recursion. Never sends to a private address. */
    readonly query: (address: string, question: Question) => Query<Message>
    /** Asks a resolver that the operator named, wherever it is, to find the answer. */
    readonly resolve: (resolver: Endpoint, question: Question) => Query<Message>
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
      const places = makeSemaphore(maxInFlight)
      const asking = (query: QueryRequest) => inTurn(places, millis, answerTo(query, millis))
      return {
        query: (address, question) =>
          isOutboundAllowed(address, allowed)
            ? asking({ server: dial(address), question, recursionDesired: false })
            : failedQuery("address_not_reachable"),
        resolve: (server, question) =>
          flatMapQuery(asking({ server, question, recursionDesired: true }), (message) =>
            message.ra ? Either.right(message) : failWithNoAnswer("lame")
          )
      }
    })
  }
}

/** Questions on their way at the same time; even with UDP and TCP open for each it stays below 1,024 open files. */
const maxInFlight = 400

interface QueryRequest {
  readonly server: Endpoint
  readonly question: Question
  readonly recursionDesired: boolean
}

/** Where too much else is being asked, the time for the question has to do for the wait as well. */
const inTurn =
  <A>(places: Semaphore, millis: number, asking: Query<A>): Query<A> =>
  (over) => {
    let stop: (() => void) | undefined
    const leave = () => {
      clearTimeout(overdue)
      leavePlace()
    }
    const end = (outcome: QueryOutcome<A>) => {
      leave()
      over(outcome)
    }
    const giveUp = () => {
      stop?.()
      leave()
    }
    const overdue = places.isAvailable()
      ? undefined
      : setTimeout(() => {
          giveUp()
          over(failWithNoAnswer("busy"))
        }, millis)
    const leavePlace = places.acquire(() => {
      stop = asking(end)
    })
    return giveUp
  }

/** A server that does not understand EDNS is asked once more without it, in the time that is left. */
const answerTo =
  (query: QueryRequest, millis: number): Query<Message> =>
  (over) => {
    const endsAt = performance.now() + millis
    const conclude = (outcome: QueryOutcome<Message>) => over(Either.flatMap(outcome, meaning))
    let stop = exchangeQuery(exchangeOf(query, true, millis))((first) => {
      if (Either.isLeft(first) || first.right.rcode !== formatError) return conclude(first)
      stop = exchangeQuery(exchangeOf(query, false, endsAt - performance.now()))(conclude)
    })
    return () => stop()
  }

const exchangeOf = ({ question, recursionDesired, server }: QueryRequest, edns: boolean, millis: number) => {
  const id = randomInt(2 ** 16)
  return {
    server,
    query: encodeQuery({ id, question, recursionDesired, edns }),
    decode: (bytes: Uint8Array) => decodeResponse(bytes, { id, question }),
    timeoutMillis: Math.max(0, millis)
  }
}

const meaning = (message: Message): QueryOutcome<Message> =>
  message.rcode === noError || message.rcode === nameError
    ? Either.right(message)
    : failWithNoAnswer(failures.get(message.rcode) ?? "server_failure")

const [noError, formatError, nameError] = [0, 1, 3]

/** The response codes that say why there is no answer (RFC 1035 section 4.1.1, RFC 2136 for NOTAUTH). */
const failures: ReadonlyMap<number, NoAnswer["reason"]> = new Map([
  [formatError, "format_error"],
  [5, "refused"],
  [9, "refused"]
])
