import { Either, Metric } from "effect"
import type { Asking, Outcome } from "./Asking.ts"
import type { Channel } from "./Channel.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type NoAnswer, noAnswer } from "./NoAnswer.ts"
import { openTcp } from "./openTcp.ts"
import { openUdp } from "./openUdp.ts"
import type { Malformed, Message } from "./wire/decodeAnswer.ts"

/** One question on its way to one server: its bytes, and what tells its answer from anything else. */
export interface Exchange {
  readonly server: Endpoint
  readonly query: Uint8Array
  readonly accept: (bytes: Uint8Array) => Either.Either<Message, Malformed>
  /** For all tries together. */
  readonly millis: number
}

/**
 * Twice over UDP, each time for a third of the time, then over TCP, and until that ends UDP is still heard; truncation
 * leads to TCP as well. What is no answer to the question is dropped over UDP, where anybody can send it, and counted.
 */
export const exchange =
  ({ accept, millis, query, server }: Exchange): Asking<Message> =>
  (over) => {
    let tries = 0
    let isTruncated = false
    let tcp: Channel | undefined
    let next: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      clearTimeout(next)
      clearTimeout(last)
      udp.close()
      tcp?.close()
    }
    const end = (outcome: Outcome<Message>) => {
      stop()
      over(outcome)
    }
    const fail = (reason: NoAnswer["reason"]) => end(noAnswer(reason))
    const failOverTcp = (reason: NoAnswer["reason"]) => fail(isTruncated ? "truncated" : reason)

    const tryAgain = () => {
      if (tcp !== undefined) return
      clearTimeout(next)
      tries += 1
      if (tries > 2) return goOnOverTcp()
      next = setTimeout(tryAgain, millis / 3)
      udp.send(query)
    }
    const udp = openUdp(server, {
      message: (bytes) => {
        if (isTruncated) return
        const accepted = accept(bytes)
        if (Either.isLeft(accepted)) return countDropped(accepted.left)
        if (!accepted.right.tc) return end(Either.right(accepted.right))
        isTruncated = true
        clearTimeout(next)
        if (tcp === undefined) goOnOverTcp()
      },
      fault: tryAgain
    })
    const goOnOverTcp = () => {
      tcp = openTcp(server, {
        message: (bytes) =>
          Either.match(accept(bytes), {
            onLeft: () => failOverTcp("malformed"),
            onRight: (message) => (message.tc ? fail("truncated") : end(Either.right(message)))
          }),
        fault: () => failOverTcp("no_route")
      })
      tcp.send(query)
    }
    const last = setTimeout(() => fail("timed_out"), millis)
    tryAgain()
    return stop
  }

const dropped = Metric.counter("dns_answers_dropped_total", {
  description: "Packets that were no answer to the question asked, by reason.",
  incremental: true
})

const countDropped = ({ reason }: Malformed) => Metric.tagged(dropped, "reason", reason).unsafeUpdate(1, [])
