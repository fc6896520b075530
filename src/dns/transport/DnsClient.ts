import { Context, Duration, Either, Layer } from "effect"
import { randomInt } from "node:crypto"
import { isOutboundAllowed, type Network } from "../../domain/IpAddress.ts"
import { encodeQuery, type Message, type Question } from "../wire/Message.ts"
import { decodeResponse } from "../wire/decodeResponse.ts"
import { type Endpoint, makeStandardEndpoint } from "./Endpoint.ts"
import {
  failWithNoAnswer,
  flatMapQuery,
  makeFailedQuery,
  type NoAnswer,
  type Query,
  type QueryOutcome
} from "./Query.ts"
import { makeSemaphore, withPermit } from "./Semaphore.ts"
import { exchangeQuery } from "./exchangeQuery.ts"

/** Sends one question to one server: twice over UDP, then once over TCP, which a truncated response leads to as well. */
export class DnsClient extends Context.Tag("dns/DnsClient")<
  DnsClient,
  {
    /** Queries a server found in DNS at one of its addresses, without recursion. Never sends to a private address. */
    readonly query: (address: string, question: Question) => Query<Message>
    /** Lets a resolver that the operator configured, at any address, find the answer. */
    readonly resolve: (resolver: Endpoint, question: Question) => Query<Message>
  }
>() {
  static readonly layer = (settings: {
    /** Networks that are allowed besides the public ones (`OUTBOUND_ALLOW`). */
    readonly allowed: ReadonlyArray<Network>
    /** For all tries at one server together, and for the wait while too many other queries are in flight; 2 s. */
    readonly timeout?: Duration.DurationInput
    /** The endpoint of the server at an address; port 53. */
    readonly dial?: (address: string) => Endpoint
  }): Layer.Layer<DnsClient> => {
    const { allowed, dial = makeStandardEndpoint } = settings
    const timeoutMillis = Duration.toMillis(settings.timeout ?? "2 seconds")
    return Layer.sync(DnsClient, () => {
      const semaphore = makeSemaphore(maxInFlight)
      const send = (request: QueryRequest) => withPermit(semaphore, timeoutMillis, sendQuery(request, timeoutMillis))
      return {
        query: (address, question) =>
          isOutboundAllowed(address, allowed)
            ? send({ server: dial(address), question, recursionDesired: false })
            : makeFailedQuery("address_not_reachable"),
        resolve: (server, question) =>
          flatMapQuery(send({ server, question, recursionDesired: true }), (message) =>
            message.ra ? Either.right(message) : failWithNoAnswer("lame")
          )
      }
    })
  }
}

/** Queries in flight at the same time; even with UDP and TCP open for each they need fewer than 1,024 open files. */
const maxInFlight = 400

interface QueryRequest {
  readonly server: Endpoint
  readonly question: Question
  readonly recursionDesired: boolean
}

/** A server that does not understand EDNS gets the query once more without it, in the time that is left. */
const sendQuery =
  (request: QueryRequest, timeoutMillis: number): Query<Message> =>
  (onOutcome) => {
    const endsAt = performance.now() + timeoutMillis
    const conclude = (outcome: QueryOutcome<Message>) => onOutcome(Either.flatMap(outcome, checkResponseCode))
    let stop = exchangeQuery(toExchange(request, true, timeoutMillis))((first) => {
      if (Either.isLeft(first) || first.right.rcode !== formatError) return conclude(first)
      stop = exchangeQuery(toExchange(request, false, endsAt - performance.now()))(conclude)
    })
    return () => stop()
  }

const toExchange = ({ question, recursionDesired, server }: QueryRequest, hasEdns: boolean, timeoutMillis: number) => {
  const id = randomInt(2 ** 16)
  return {
    server,
    query: encodeQuery({ id, question, recursionDesired, hasEdns }),
    decode: (bytes: Uint8Array) => decodeResponse(bytes, { id, question }),
    timeoutMillis: Math.max(0, timeoutMillis)
  }
}

const checkResponseCode = (message: Message): QueryOutcome<Message> =>
  message.rcode === noError || message.rcode === nameError
    ? Either.right(message)
    : failWithNoAnswer(failureReasons.get(message.rcode) ?? "server_failure")

const [noError, formatError, nameError] = [0, 1, 3]

/** Why there is no answer, by response code (RFC 1035 section 4.1.1, RFC 2136 for NOTAUTH). */
const failureReasons: ReadonlyMap<number, NoAnswer["reason"]> = new Map([
  [formatError, "format_error"],
  [5, "refused"],
  [9, "refused"]
])
