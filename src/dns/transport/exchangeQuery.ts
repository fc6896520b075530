import { Either } from "effect"
import { makeTurnBudget } from "../../limits/Budget.ts"
import { liveLabels, metrics } from "../../runtime/metrics.ts"
import type { Message } from "../wire/Message.ts"
import type { DecodeFailure } from "../wire/decodeResponse.ts"
import { type DnsSocket, openTcpSocket, openUdpSocket } from "./DnsSocket.ts"
import type { Endpoint } from "./Endpoint.ts"
import { failWithNoAnswer, type NoAnswer, type Query, type QueryOutcome } from "./Query.ts"

/** One query to one server: its bytes, and the function that recognizes the response to it. */
interface QueryExchange {
  readonly server: Endpoint
  readonly firstQuery: Uint8Array
  /** Encodes what follows a query without a response: the same one, without EDNS. */
  readonly encodePlain: () => Uint8Array
  readonly decode: (bytes: Uint8Array) => Either.Either<Message, DecodeFailure>
  /** The timeout of all tries together. */
  readonly timeoutMillis: number
  /** Whether the query may be sent over UDP once more; counts it then. */
  readonly canResend: (nowMillis: number) => boolean
  /** Learns of a response, and whether the query had been repeated before it. */
  readonly noteAnswer: (isToRepetition: boolean) => void
}

/**
 * Sends a query twice over UDP, a third of the timeout each, then over TCP while still listening to UDP. Only the first
 * packet may have EDNS, which some servers drop (RFC 6891 section 6.2.2). A truncated response leads to TCP at once.
 * Any host can send UDP packets: other packets are dropped and counted, and after eight only TCP counts.
 * Callbacks on purpose: a fiber for each query was two fifths of the work of a connection's life.
 */
export const exchangeQuery =
  ({ canResend, decode, encodePlain, firstQuery, noteAnswer, server, timeoutMillis }: QueryExchange): Query<Message> =>
  (onOutcome) => {
    const beganAt = performance.now()
    let udpTries = 0
    let isTruncated = false
    let dropped = 0
    let stopReading: (() => void) | undefined
    let tcp: DnsSocket | undefined
    let retryTimer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      clearTimeout(retryTimer)
      clearTimeout(timeoutTimer)
      stopReading?.()
      udp.close()
      tcp?.close()
    }
    const end = (outcome: QueryOutcome<Message>) => {
      stop()
      if (Either.isRight(outcome)) noteAnswer(udpTries > 1 && !isTruncated)
      countOutcome(outcome, performance.now() - beganAt)
      onOutcome(outcome)
    }
    const fail = (reason: NoAnswer["reason"]) => end(failWithNoAnswer(reason))
    const failOverTcp = (reason: NoAnswer["reason"]) => fail(isTruncated ? "truncated" : reason)

    const tryOverUdp = () => {
      if (tcp !== undefined) return
      clearTimeout(retryTimer)
      udpTries += 1
      if (udpTries > 2) return tryOverTcp()
      retryTimer = setTimeout(tryOverUdp, timeoutMillis / 3)
      if (udpTries === 1) udp.send(firstQuery)
      else if (canResend(performance.now())) udp.send(encodePlain())
    }
    const drop = (reason: DecodeFailure["reason"] | "too_long") => {
      metrics.dnsAnswersDropped.labeled(reason).unsafeUpdate(1, liveLabels)
      dropped += 1
      if (dropped < maxDropped) return
      clearTimeout(retryTimer)
      udp.close()
      if (tcp === undefined) tryOverTcp()
    }
    const readOverUdp = (bytes: Uint8Array) => {
      if (isTruncated) return
      if (bytes.length > maxShortBytes) return drop("too_long")
      const decoded = decode(bytes)
      if (Either.isLeft(decoded)) return drop(decoded.left.reason)
      if (!decoded.right.tc) return end(Either.right(decoded.right))
      isTruncated = true
      clearTimeout(retryTimer)
      if (tcp === undefined) tryOverTcp()
    }
    const readOverTcp = (bytes: Uint8Array) =>
      Either.match(decode(bytes), {
        onLeft: () => failOverTcp("malformed"),
        onRight: (message) => (message.tc ? fail("truncated") : end(Either.right(message)))
      })
    const udp = openUdpSocket(server, { onMessage: readOverUdp, onFailure: tryOverUdp })
    const tryOverTcp = () => {
      tcp = openTcpSocket(server, {
        onMessage: (bytes) => {
          stopReading = readInTurn(bytes, readOverTcp)
        },
        onFailure: () => failOverTcp("no_route")
      })
      tcp.send(encodePlain())
    }
    const timeoutTimer = setTimeout(() => fail("timed_out"), timeoutMillis)
    tryOverUdp()
    return stop
  }

const countOutcome = (outcome: QueryOutcome<Message>, millis: number): void => {
  const result = Either.isRight(outcome) ? "answered" : outcome.left.reason
  metrics.dnsQueries.labeled(result).unsafeUpdate(1, liveLabels)
  metrics.dnsQueryDuration.labeled().unsafeUpdate(millis / 1_000, liveLabels)
}

/** An honest server sends one packet for each of the two that it gets. */
export const maxDropped = 8

/**
 * Reads a short answer at once, and long ones in turn, two milliseconds of them a turn of the event loop: hundreds may
 * arrive together. Returns the function that gives up an unread answer.
 */
const readInTurn = (bytes: Uint8Array, read: (bytes: Uint8Array) => void): (() => void) => {
  const readNow = () => read(bytes)
  if (bytes.length <= maxShortBytes) readNow()
  else {
    unreadAnswers.add(readNow)
    readWaiting()
  }
  return () => void unreadAnswers.delete(readNow)
}

/** The longest answer that is read at once: no server sends a longer one over UDP. */
const maxShortBytes = 4_096

/** The long answers that wait to be read. */
const unreadAnswers = new Set<() => void>()

const readWaiting = () => {
  for (const readNow of unreadAnswers) {
    if (!readBudget.hasTime()) return
    unreadAnswers.delete(readNow)
    readBudget.spend(readNow)
  }
}

const readBudget = makeTurnBudget(2, readWaiting)
