import { answerFromZone, parseZone, type Reply, replyOf } from "./Zone.ts"
import type { Message, Question, Rcode } from "./packet.ts"

/** A question as it reached a virtual server. */
export interface ReceivedQuery {
  readonly question: Question
  readonly message: Message
  readonly bytes: Uint8Array
  readonly transport: "udp" | "tcp"
}

/**
 * What a virtual server does with a question: it answers, sends raw packets (none of them is silence), sends them from
 * another port than the one asked, or, on TCP, hangs up.
 */
export type Outcome =
  | Reply
  | ReadonlyArray<Uint8Array>
  | { readonly fromAnotherPort: ReadonlyArray<Uint8Array> }
  | "hang up"

/** A way for a server to fail: the outcome in place of its honest reply. */
export type Fault = (asked: ReceivedQuery, honest: Reply) => Outcome | Promise<Outcome>

export const drop: Fault = () => []

export const dropUdp: Fault = ({ transport }, honest) => (transport === "udp" ? [] : honest)

const fails =
  (rcode: Rcode): Fault =>
  () =>
    replyOf(rcode)

export const servfail = fails("SERVFAIL")

export const refused = fails("REFUSED")

/** A lame server: it holds no such zone and points up to the root. */
export const lame: Fault = () =>
  replyOf("NOERROR", { authority: [{ name: ".", type: "NS", ttl: 518400, data: "a.root.test." }] })

/** The honest answer, but as from a cache: without AA. */
export const notAuthoritative: Fault = (_, honest) => ({ ...honest, authoritative: false })

/** TC over UDP with the first record only, and nobody who talks TCP. */
export const truncated: Fault = ({ transport }, honest) => {
  if (transport === "tcp") return "hang up"
  return { ...honest, answers: honest.answers.slice(0, 1), truncated: true }
}

/** Answers from a version of the zone of its own. */
export const staleZone = (zone: string, records: string): Fault => {
  const old = parseZone(zone, records)
  return ({ question }) => answerFromZone(old, question)
}

export const delay =
  (milliseconds: number): Fault =>
  async (_, honest) => {
    await Bun.sleep(milliseconds)
    return honest
  }

export const rawBytes =
  (packets: (query: Uint8Array) => Uint8Array | ReadonlyArray<Uint8Array>): Fault =>
  ({ bytes }) => {
    const sent = packets(bytes)
    return sent instanceof Uint8Array ? [sent] : sent
  }
