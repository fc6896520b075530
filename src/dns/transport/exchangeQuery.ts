import { Either } from "effect"
import { metrics } from "../../metrics/metrics.ts"
import type { DecodeFailure, Message } from "../wire/decodeResponse.ts"
import { type DnsSocket, openTcpSocket, openUdpSocket } from "./DnsSocket.ts"
import type { Endpoint } from "./Endpoint.ts"
import { failWithNoAnswer, type NoAnswer } from "./NoAnswer.ts"
import type { Query, QueryOutcome } from "./Query.ts"

/** One question on its way to one server: its bytes, and what tells its answer from anything else. */
export interface QueryExchange {
  readonly server: Endpoint
  readonly query: Uint8Array
  readonly decode: (bytes: Uint8Array) => Either.Either<Message, DecodeFailure>
  /** For all tries together. */
  readonly timeoutMillis: number
}

/**
 * Twice over UDP, each time for a third of the time, then over TCP, and until that ends UDP is still heard; truncation
 * leads to TCP as well. What is no answer to the question is dropped over UDP, where anybody can send it, and counted.
 */
export const exchangeQuery =
  ({ decode: accept, timeoutMillis: millis, query, server }: QueryExchange): Query<Message> =>
  (over) => {
    let tries = 0
    let isTruncated = false
    let tcp: DnsSocket | undefined
    let next: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      clearTimeout(next)
      clearTimeout(last)
      udp.close()
      tcp?.close()
    }
    const end = (outcome: QueryOutcome<Message>) => {
      stop()
      over(outcome)
    }
    const fail = (reason: NoAnswer["reason"]) => end(failWithNoAnswer(reason))
    const failOverTcp = (reason: NoAnswer["reason"]) => fail(isTruncated ? "truncated" : reason)

    const tryAgain = () => {
      if (tcp !== undefined) return
      clearTimeout(next)
      tries += 1
      if (tries > 2) return goOnOverTcp()
      next = setTimeout(tryAgain, millis / 3)
      udp.send(query)
    }
    const udp = openUdpSocket(server, {
      onMessage: (bytes) => {
        if (isTruncated) return
        const accepted = accept(bytes)
        if (Either.isLeft(accepted)) return countDropped(accepted.left)
        if (!accepted.right.tc) return end(Either.right(accepted.right))
        isTruncated = true
        clearTimeout(next)
        if (tcp === undefined) goOnOverTcp()
      },
      onFailure: tryAgain
    })
    const goOnOverTcp = () => {
      tcp = openTcpSocket(server, {
        onMessage: (bytes) =>
          Either.match(accept(bytes), {
            onLeft: () => failOverTcp("malformed"),
            onRight: (message) => (message.tc ? fail("truncated") : end(Either.right(message)))
          }),
        onFailure: () => failOverTcp("no_route")
      })
      tcp.send(query)
    }
    const last = setTimeout(() => fail("timed_out"), millis)
    tryAgain()
    return stop
  }

const countDropped = ({ reason }: DecodeFailure) => metrics.dnsAnswersDropped.labeled(reason).unsafeUpdate(1, [])
