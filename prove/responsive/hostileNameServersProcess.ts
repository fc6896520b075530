import { createSocket } from "node:dgram"
import { createServer } from "node:net"
import { decodeIfValid, emptyMessage, encode, type LabQuestion } from "../../test/support/lab/packet.ts"
import { type Reply, replyOf } from "../../test/support/lab/Zone.ts"
import { serveOperations } from "./ChildProcess.ts"
import type { HostileServer, NameServerBehaviour, ReceivedPackets } from "./HostileNameServers.ts"

interface ReceivedPacket {
  readonly behaviour: NameServerBehaviour["_tag"]
  readonly address: string
  readonly source: string
  readonly at: number
}

let packets: Array<ReceivedPacket> = []

const nameServers = {
  /** Listens at port 53 of each address; a connection over TCP gets no answer, except from a server of huge ones. */
  start: async (servers: ReadonlyArray<HostileServer>): Promise<void> => {
    await Promise.all(servers.flatMap((server) => [listenUdp(server), listenTcp(server)]))
  },
  reset: async (): Promise<void> => {
    packets = []
  },
  /** What servers of these behaviours received since `reset`; packets of the resolver count apart. */
  received: async ({ behaviours, resolver }: CountedQuery): Promise<ReceivedPackets> => {
    const all = packets.filter(({ behaviour }) => behaviours.includes(behaviour))
    const ofService = all.filter(({ source }) => source !== resolver)
    const bySecond = Map.groupBy(ofService, ({ address, at }) => `${address} ${Math.floor(at / 1_000)}`)
    return {
      fromService: ofService.length,
      fromResolver: all.length - ofService.length,
      peakPerSecondAtOneAddress: Math.max(0, ...[...bySecond.values()].map(({ length }) => length))
    }
  }
}

interface CountedQuery {
  readonly behaviours: ReadonlyArray<NameServerBehaviour["_tag"]>
  readonly resolver: string
}

export type HostileNameServersOperations = typeof nameServers

const record = ({ address, behaviour }: HostileServer, source: string) =>
  packets.push({ behaviour: behaviour._tag, address, source, at: performance.now() })

const listenUdp = (server: HostileServer) =>
  new Promise<void>((done, fail) => {
    // After the start, an error only means that a client has closed its socket.
    const socket = createSocket("udp4").on("error", fail)
    socket.on("message", (bytes, { address, port }) => {
      record(server, address)
      const answer = answerTo(bytes, server.behaviour)
      if (answer !== undefined) socket.send(answer, port, address)
    })
    socket.bind(53, server.address, done)
  })

const listenTcp = (server: HostileServer) =>
  new Promise<void>((done, fail) => {
    const listener = createServer((socket) => {
      record(server, socket.remoteAddress ?? "")
      socket.on("error", () => socket.destroy())
      if (server.behaviour._tag !== "Huge") return void socket.resume()
      socket.once("data", (chunk) => {
        const answer = makeHugeAnswer(Buffer.from(chunk).subarray(2))
        socket.end(Buffer.concat([Buffer.of(answer.length >> 8, answer.length & 0xff), answer]))
      })
    })
    listener.once("error", fail).listen(53, server.address, done)
  })

/** 390 texts of 150 bytes that are no characters, at the name of the question, which ends 4 bytes after its name. */
const makeHugeAnswer = (query: Buffer): Buffer => {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const head = Buffer.from([...query.subarray(0, 2), 0x84, 0, 0, 1, hugeCount >> 8, hugeCount & 0xff, 0, 0, 0, 0])
  return Buffer.concat([head, question, hugeRecords])
}

const hugeCount = 390

const hugeRecords = Buffer.concat(
  Array.from({ length: hugeCount }, (_, nth) => {
    const text = Buffer.alloc(150, 0xff)
    text.writeUInt16BE(nth)
    // A pointer to the name of the question, TXT, IN, a TTL of 300, and one character-string.
    return Buffer.concat([Buffer.of(0xc0, 12, 0, 16, 0, 1, 0, 0, 1, 44, 0, text.length + 1, text.length), text])
  })
)

const answerTo = (bytes: Uint8Array, behaviour: NameServerBehaviour): Uint8Array | undefined => {
  const query = decodeIfValid(bytes)
  const [question] = query?.questions ?? []
  const reply = question === undefined ? undefined : replyTo(question, behaviour)
  if (query === undefined || reply === undefined) return undefined
  const { id, questions, udpSize } = query
  const edns = udpSize === undefined ? {} : { udpSize: 1_232 }
  return encode({ ...emptyMessage, ...reply, ...edns, id, questions, response: true })
}

const replyTo = (question: LabQuestion, behaviour: NameServerBehaviour): Reply | undefined => {
  const labels = question.name.toLowerCase().split(".").slice(0, -1)
  switch (behaviour._tag) {
    case "Silent":
      return undefined
    case "SilentOnHosts":
      return question.type === "NS" ? makeNsReply(`${labels.slice(-2).join(".")}.`, [behaviour.nameServer]) : undefined
    case "Refusing":
      return isNs(question, behaviour.zone) ? makeNsReply(behaviour.zone, behaviour.nameServers) : replyOf("REFUSED")
    case "Huge":
      return isNs(question, behaviour.zone)
        ? makeNsReply(behaviour.zone, behaviour.nameServers)
        : { ...authoritative, truncated: true }
    case "Referring": {
      const { level, nameServers, zone } = behaviour
      const ownLabels = zone.split(".").length - 1
      const apex = `${labels.slice(-(ownLabels + level)).join(".")}.`
      if (labels.length <= ownLabels + level)
        return isNs(question, apex) ? makeNsReply(apex, nameServers) : makeNoDataReply(apex)
      const child = `${labels.slice(-(ownLabels + level + 1)).join(".")}.`
      return replyOf("NOERROR", { authority: makeNsRecords(child, nameServers) })
    }
    case "Target": {
      const address = behaviour.addresses[question.name.toLowerCase()]
      if (address === undefined) return { ...makeNoDataReply(behaviour.zone), rcode: "NXDOMAIN" }
      if (question.type !== "A") return makeNoDataReply(behaviour.zone)
      return { ...authoritative, answers: [{ name: question.name, type: "A", ttl: 300, data: address }] }
    }
  }
}

const isNs = ({ name, type }: LabQuestion, zone: string) => type === "NS" && name.toLowerCase() === zone

const authoritative = replyOf("NOERROR", { authoritative: true })

const makeNsRecords = (zone: string, hosts: ReadonlyArray<string>) =>
  hosts.map((data) => ({ name: zone, type: "NS", ttl: 300, data }))

const makeNsReply = (zone: string, hosts: ReadonlyArray<string>): Reply => ({
  ...authoritative,
  answers: makeNsRecords(zone, hosts)
})

const makeNoDataReply = (zone: string): Reply => ({
  ...authoritative,
  authority: [{ name: zone, type: "SOA", ttl: 300, data: `ns1.${zone} hostmaster.${zone} 1 7200 3600 1209600 300` }]
})

serveOperations(nameServers)
