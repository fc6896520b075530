import { Effect, type Scope } from "effect"
import { type InternetSpec, resolver, root, type Topology, topologyOf } from "./ScriptedTopology.ts"
import { type Delivery, socketPair, type SocketPair } from "./SocketPair.ts"
import {
  answerFromZone,
  closestEnclosingZone,
  recordsOf,
  type Reply,
  replyOf,
  withRRset,
  type LabZone
} from "./Zone.ts"
import type { Fault, Outcome, ReceivedQuery } from "./dnsFaults.ts"
import { decodeIfValid, emptyMessage, encode, type LabMessage, type LabQuestion, type LabRecord } from "./packet.ts"
import { resolveRecursively } from "./resolveRecursively.ts"
import { absolute } from "./wireFormat.ts"

export interface RecordedQuestion {
  readonly server: string
  readonly name: string
  readonly type: string
  readonly transport: "udp" | "tcp"
}

/**
 * An internet of DNS servers in this process. Its servers have public-looking addresses; `dial` returns the port on
 * 127.0.0.1 where one really listens, over UDP and TCP. Faults are scripted per server.
 */
export class ScriptedInternet {
  /** Address of the root server, for a client that walks down by itself. */
  readonly root = root.address
  /** Address of the recursive resolver, whose host name is `resolver.test`. */
  readonly resolver = resolver.address
  /** Every question that reached a server, in order. */
  readonly queries: Array<RecordedQuestion> = []
  /** Dialled addresses without a server: packets to them are dropped. */
  readonly strangers: Array<string> = []

  readonly #zones: Map<string, LabZone>
  readonly #addresses: Topology["addresses"]
  readonly #served: Topology["served"]
  readonly #scripts = new Map<string, ReadonlyArray<Script>>()
  readonly #sockets = new Map<string, SocketPair>()

  static readonly make = (spec: InternetSpec): Effect.Effect<ScriptedInternet, never, Scope.Scope> =>
    Effect.gen(function* () {
      const internet = new ScriptedInternet(topologyOf(spec))
      for (const host of [...internet.#addresses.keys(), blackHole])
        internet.#sockets.set(host, yield* socketPair((bytes, transport) => internet.#deliver(host, bytes, transport)))
      return internet
    })

  private constructor({ zones, addresses, served }: Topology) {
    this.#zones = new Map(zones)
    this.#addresses = addresses
    this.#served = served
  }

  readonly dial = (address: string): { readonly host: string; readonly port: number } => {
    const host = this.#hostAt(address)
    if (host === undefined) this.strangers.push(address)
    return { host: "127.0.0.1", port: this.#socketOf(host ?? blackHole).port }
  }

  /** The first address of a host. */
  addressOf(host: string): string {
    const [address] = this.#addresses.get(host) ?? []
    if (address === undefined) throw new Error(`${host} has no address here`)
    return address
  }

  /** Scripts a fault of a server, for every question or for a name or type; the latest script wins. */
  script(host: string, fault: Fault, only: { readonly name?: string; readonly type?: string } = {}): void {
    this.#socketOf(host)
    this.#scripts.set(host, [{ fault, ...only }, ...(this.#scripts.get(host) ?? [])])
  }

  /** Removes the scripts of a server, or of all servers. */
  heal(host?: string): void {
    if (host === undefined) this.#scripts.clear()
    else this.#scripts.delete(host)
  }

  /** Closes the TCP listener of a server for good. */
  readonly refuseTcp = (host: string): Effect.Effect<void> => Effect.promise(() => this.#socketOf(host).refuseTcp())

  /** Replaces the record set at an owner of a zone, as its provider would; no values delete it. `ttl` in seconds. */
  write(zone: string, owner: string, type: string, values: ReadonlyArray<string>, ttl?: number): void {
    this.#zones.set(absolute(zone), withRRset(this.#zoneOf(zone), owner, type, values, ttl))
  }

  /** The current records of a zone. */
  records(zone: string): ReadonlyArray<LabRecord> {
    return recordsOf(this.#zoneOf(zone))
  }

  #zoneOf(name: string): LabZone {
    const zone = this.#zones.get(absolute(name))
    if (zone === undefined) throw new Error(`there is no zone ${name}`)
    return zone
  }

  #socketOf(host: string): SocketPair {
    const socket = this.#sockets.get(host)
    if (socket === undefined) throw new Error(`there is no server ${host}`)
    return socket
  }

  #hostAt(address: string): string | undefined {
    return [...this.#addresses].find(([, addresses]) => addresses.includes(address))?.[0]
  }

  async #deliver(host: string, bytes: Uint8Array, transport: "udp" | "tcp"): Promise<Delivery> {
    const message = decodeIfValid(bytes)
    const [question] = message?.questions ?? []
    if (host === blackHole || message === undefined || question === undefined) return { packets: [] }
    this.queries.push({ server: host, name: withoutDot(question.name), type: question.type, transport })
    const outcome = await this.#respond(host, { question, message, bytes, transport })
    if (outcome === "hang up") return { packets: [], hangUp: true }
    if ("fromAnotherPort" in outcome) return { packets: outcome.fromAnotherPort, fromAnotherPort: true }
    return { packets: "rcode" in outcome ? [packetOf(outcome, message, transport)] : outcome }
  }

  async #respond(host: string, query: ReceivedQuery): Promise<Outcome> {
    const script = this.#scripts.get(host)?.find((script) => concerns(script, query.question))
    const correct = host === resolver.host ? await this.#resolve(query.question) : this.#answer(host, query)
    return script === undefined ? correct : script.fault(query, correct)
  }

  #answer(host: string, { question, message }: ReceivedQuery): Reply {
    if (message.opcode !== 0) return replyOf("NOTIMP")
    const zone = closestEnclosingZone(
      (this.#served.get(host) ?? []).map((name) => this.#zoneOf(name)),
      question.name
    )
    return zone === undefined || question.class !== 1 ? replyOf("REFUSED") : answerFromZone(zone, question)
  }

  #resolve(question: LabQuestion): Promise<Reply> {
    return resolveRecursively(question, root.address, async (address, question, transport) => {
      const host = this.#hostAt(address)
      if (host === undefined) return undefined
      const message = { ...emptyMessage, questions: [question] }
      const outcome = await this.#respond(host, { question, message, bytes: encode(message), transport })
      return typeof outcome === "object" && "rcode" in outcome ? outcome : undefined
    })
  }
}

interface Script {
  readonly fault: Fault
  readonly name?: string
  readonly type?: string
}

/** The host behind every address without a server; it drops all packets. */
const blackHole = ""

const concerns = (script: Script, question: LabQuestion): boolean =>
  absolute(script.name ?? question.name).toLowerCase() === absolute(question.name).toLowerCase() &&
  (script.type ?? question.type) === question.type

const withoutDot = (name: string): string => (name === "." ? name : name.replace(/\.$/, ""))

/** The reply to a query; over UDP it keeps the records that fit and says TC (RFC 2181 9). */
const packetOf = (reply: Reply, query: LabMessage, transport: "udp" | "tcp"): Uint8Array => {
  const { id, opcode, questions, recursionDesired, udpSize } = query
  const edns = udpSize === undefined ? {} : { udpSize: 1232 }
  const message = { ...emptyMessage, ...reply, ...edns, id, opcode, questions, recursionDesired, response: true }
  const limit = transport === "tcp" ? 65535 : Math.min(Math.max(udpSize ?? 512, 512), 1232)
  const whole = encode(message)
  if (whole.length <= limit) return whole
  const cut = (count: number) =>
    encode({ ...message, truncated: true, answers: reply.answers.slice(0, count), authority: [], additional: [] })
  const fitting = reply.answers.map((_, index) => cut(index)).filter((packet) => packet.length <= limit)
  return fitting.at(-1) ?? cut(0)
}
