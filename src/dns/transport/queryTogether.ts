import { Either } from "effect"
import { randomInt } from "node:crypto"
import { defaultLimits } from "../../limits/Destination.ts"
import type { Pacer } from "../../limits/Pacer.ts"
import { liveLabels, metrics } from "../../runtime/metrics.ts"
import { encodeQuery, type Message, type Question } from "../wire/Message.ts"
import { type DecodeFailure, decodeResponse } from "../wire/decodeResponse.ts"
import { openUdpSocket } from "./DnsSocket.ts"
import type { Endpoint } from "./Endpoint.ts"
import { maxDropped } from "./exchangeQuery.ts"

/** Several questions to one server, which are sent from one socket. */
interface QuestionGroup {
  readonly server: Endpoint
  readonly questions: ReadonlyArray<Question>
  /** How fast queries are sent to the server, those of other groups included. */
  readonly pacer: Pacer
  /** How long to wait for the answer to the last query, repeated once on the way. */
  readonly timeoutMillis: number
}

/**
 * Asks a server several questions over UDP, a few at a time, and calls `onAnswers` once; a truncated response counts as
 * none. Callbacks on purpose: a socket and a fiber for each question are nine tenths of the work.
 * A response is as hard to forge as to a single query: the port is random and used for these questions only, the kernel
 * drops packets of other hosts, and the id and question of an open query are required. A few others end the group.
 */
export const queryTogether = (
  { pacer, questions, server, timeoutMillis }: QuestionGroup,
  onAnswers: (answers: ReadonlyArray<Message | undefined>) => void
): (() => void) => {
  const answers: Array<Message | undefined> = questions.map(() => undefined)
  const open = new Map<number, OpenQuestion>()
  /** The ids of answered queries: a repeated one may be answered twice. */
  const done = new Set<number>()
  let next = 0
  let answered = 0
  let dropped = 0
  let isOver = false
  let sendTimer: ReturnType<typeof setTimeout> | undefined
  let waitTimer: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    isOver = true
    clearTimeout(sendTimer)
    clearTimeout(waitTimer)
    socket.close()
  }
  const end = () => {
    if (isOver) return
    stop()
    count("timed_out", questions.length - answered)
    onAnswers(answers)
  }
  const repeatOpen = () => {
    for (const { query } of open.values()) if (pacer.tryReserve(performance.now())) socket.send(query)
    waitTimer = setTimeout(end, timeoutMillis / 2)
  }
  const sendNext = () => {
    sendTimer = undefined
    if (isOver) return
    while (next < questions.length && open.size < (answered > 0 ? maxInFlight : maxUnprovenInFlight)) {
      const delayMillis = pacer.delayOf(performance.now())
      if (delayMillis > 0) {
        sendTimer ??= setTimeout(sendNext, delayMillis)
        return
      }
      pacer.reserve(performance.now())
      send(next)
      next += 1
    }
  }
  const send = (index: number) => {
    const question = questions[index]
    if (question === undefined) return
    let id = randomInt(2 ** 16)
    while (open.has(id) || done.has(id)) id = randomInt(2 ** 16)
    const query = encodeQuery({ id, question, recursionDesired: false, hasEdns: false })
    open.set(id, { index, question, query })
    socket.send(query)
    clearTimeout(waitTimer)
    waitTimer = setTimeout(repeatOpen, timeoutMillis / 2)
  }
  const drop = (reason: DecodeFailure["reason"] | "too_long") => {
    metrics.dnsAnswersDropped.labeled(reason).unsafeUpdate(1, liveLabels)
    dropped += 1
    if (dropped === maxDropped) end()
  }
  const read = (bytes: Uint8Array) => {
    if (isOver) return
    if (bytes.length > maxBytes) return drop("too_long")
    const id = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
    if (done.has(id)) return
    const query = open.get(id)
    if (query === undefined) return drop("wrong_id")
    const response = decodeResponse(bytes, { id, question: query.question })
    if (Either.isLeft(response)) return drop(response.left.reason)
    open.delete(id)
    done.add(id)
    answered += 1
    if (!response.right.tc) answers[query.index] = response.right
    count("answered", 1)
    if (answered === questions.length) end()
    else sendNext()
  }
  const socket = openUdpSocket(server, { onMessage: read, onFailure: end })
  if (questions.length === 0) end()
  else sendNext()
  return stop
}

const { maxInFlight, maxUnprovenInFlight } = defaultLimits

interface OpenQuestion {
  readonly index: number
  readonly question: Question
  readonly query: Uint8Array
}

const count = (result: "answered" | "timed_out", questions: number): void =>
  metrics.dnsQueries.labeled(result).unsafeUpdate(questions, liveLabels)

/** The longest response without EDNS (RFC 1035 section 4.2.1). */
const maxBytes = 512
