import { answerFromZone, parseZone, type Reply, replyOf } from "./Zone.ts"
import type { LabMessage, LabQuestion, Rcode } from "./packet.ts"

/** A question as a scripted server received it. */
export interface ReceivedQuery {
  readonly question: LabQuestion
  readonly message: LabMessage
  readonly bytes: Uint8Array
  readonly transport: "udp" | "tcp"
}

/**
 * The action of a scripted server on a question: a reply, raw packets (none for no answer), packets from another port, or
 * the end of a TCP connection.
 */
export type Outcome =
  | Reply
  | ReadonlyArray<Uint8Array>
  | { readonly fromAnotherPort: ReadonlyArray<Uint8Array> }
  | "hang up"

/** A fault of a server: the outcome in place of its correct reply. */
export type Fault = (query: ReceivedQuery, correct: Reply) => Outcome | Promise<Outcome>

export const drop: Fault = () => []

export const dropUdp: Fault = ({ transport }, correct) => (transport === "udp" ? [] : correct)

const failWith =
  (rcode: Rcode): Fault =>
  () =>
    replyOf(rcode)

export const servfail = failWith("SERVFAIL")

/** Does not understand EDNS (RFC 6891 section 7). */
export const withoutEdns: Fault = ({ message }, correct) =>
  message.udpSize === undefined ? correct : replyOf("FORMERR")

/** Drops what it does not understand, such as EDNS, over UDP and TCP (RFC 8906). */
export const droppingEdns: Fault = ({ message }, correct) => (message.udpSize === undefined ? correct : [])

export const refused = failWith("REFUSED")

/** A lame server: it does not have the zone and refers to the root. */
export const lame: Fault = () =>
  replyOf("NOERROR", { authority: [{ name: ".", type: "NS", ttl: 518400, data: "a.root.test." }] })

/** The correct reply without AA. */
export const notAuthoritative: Fault = (_, correct) => ({ ...correct, authoritative: false })

/** The correct reply as from the cache of a resolver. */
export const fromCache: Fault = (_, correct) => ({ ...correct, authoritative: false, recursionAvailable: true })

/** TC over UDP with only the first record, and no TCP. */
export const truncated: Fault = ({ transport }, correct) => {
  if (transport === "tcp") return "hang up"
  return { ...correct, answers: correct.answers.slice(0, 1), truncated: true }
}

/** Answers from an old version of the zone. */
export const staleZone = (zone: string, records: string): Fault => {
  const old = parseZone(zone, records)
  return ({ question }) => answerFromZone(old, question)
}

export const delay =
  (milliseconds: number): Fault =>
  async (_, correct) => {
    await Bun.sleep(milliseconds)
    return correct
  }

export const rawBytes =
  (packets: (query: Uint8Array) => Uint8Array | ReadonlyArray<Uint8Array>): Fault =>
  ({ bytes }) => {
    const response = packets(bytes)
    return response instanceof Uint8Array ? [response] : response
  }
