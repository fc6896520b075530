import { dlopen, ptr } from "bun:ffi"
import { Effect, Option } from "effect"
import { listOpenFiles } from "../../runtime/openFiles.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"

/** A TCP connection that a port of this process has accepted. */
export interface PeerSocket {
  readonly descriptor: number
  /** The address of the peer: IPv4, also if the socket is one of IPv6, or IPv6 in full. */
  readonly address: string
  /** The address, or the /64 network of an IPv6 address. */
  readonly network: string
  readonly port: number
}

/** How the connection of a socket was used. */
export interface SocketUse {
  readonly hasBeenAnswered: boolean
  /** Since something was sent to the peer, or else since it connected. */
  readonly idleMillis: number
}

/** Reads and ends the connections that Bun's server has accepted, which it does not list before they send a request. */
export interface PeerSockets {
  readonly list: () => LongComputation<ReadonlyArray<PeerSocket>>
  /** None if the descriptor is no longer that connection, or one of another local port. */
  readonly readUse: (socket: PeerSocket, localPort: number) => Option.Option<SocketUse>
  /** Sends this as the last of a connection and ends it, unless it has ended already. Bun closes it as if the peer had. */
  readonly end: (socket: PeerSocket, lastBytes: Uint8Array) => void
}

/** The sockets of this process; none where the system is not Linux, or its C library cannot be called. */
export const openPeerSockets: Effect.Effect<Option.Option<PeerSockets>> = Effect.sync(() => {
  opened ??=
    process.platform === "linux"
      ? Option.map(Option.firstSomeOf(libraries.map(openLibrary)), makePeerSockets)
      : Option.none()
  return opened
})

/** Kept, because each opening compiles the calls anew. */
let opened: Option.Option<PeerSockets> | undefined

/** That of glibc, and that of musl on the architectures of Bun. */
const libraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]

const openLibrary = (name: string) =>
  Option.liftThrowable(() =>
    dlopen(name, {
      getpeername: { args: ["i32", "ptr", "ptr"], returns: "i32" },
      getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
      getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
      send: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
      shutdown: { args: ["i32", "i32"], returns: "i32" }
    })
  )()

const makePeerSockets = ({
  symbols: libc
}: NonNullable<Option.Option.Value<ReturnType<typeof openLibrary>>>): PeerSockets => {
  const name = new DataView(new ArrayBuffer(128))
  const info = new DataView(new ArrayBuffer(256))
  const length = new Uint32Array(1)

  const readName = (call: typeof libc.getpeername, descriptor: number): boolean => {
    length[0] = name.byteLength
    return call(descriptor, ptr(name), ptr(length)) === 0
  }

  const readPeer = (descriptor: number): PeerSocket | undefined => {
    if (!readName(libc.getpeername, descriptor)) return undefined
    const address = formatAddress(name)
    return address === undefined ? undefined : { descriptor, ...address, port: portIn(name) }
  }

  const isStillOpen = (socket: PeerSocket): boolean => {
    const now = readPeer(socket.descriptor)
    return now !== undefined && now.address === socket.address && now.port === socket.port
  }

  return {
    list: function* () {
      const sockets: Array<PeerSocket> = []
      for (const file of listOpenFiles()) {
        const socket = readPeer(Number(file))
        if (socket !== undefined) sockets.push(socket)
        yield
      }
      return sockets
    },
    readUse: (socket, localPort) => {
      if (!isStillOpen(socket) || !readName(libc.getsockname, socket.descriptor) || portIn(name) !== localPort)
        return Option.none()
      length[0] = info.byteLength
      const isKnown = libc.getsockopt(socket.descriptor, tcpProtocol, tcpInfo, ptr(info), ptr(length)) === 0
      return Option.some({
        hasBeenAnswered: !isKnown || (length[0] ?? 0) < bytesSentAt + 8 || info.getBigUint64(bytesSentAt, true) > 0n,
        idleMillis: isKnown ? info.getUint32(lastSentAt, true) : 0
      })
    },
    end: (socket, lastBytes) => {
      if (!isStillOpen(socket)) return
      if (lastBytes.length > 0) libc.send(socket.descriptor, ptr(lastBytes), lastBytes.length, sendFlags)
      libc.shutdown(socket.descriptor, bothDirections)
    }
  }
}

const portIn = (name: DataView): number => name.getUint16(2)

/** The address in a `sockaddr`; undefined if it is neither of IPv4 nor of IPv6. */
const formatAddress = (name: DataView): Pick<PeerSocket, "address" | "network"> | undefined => {
  const family = name.getUint16(0, true)
  if (family === inet4) return asBoth(formatOctets(name, 4))
  if (family !== inet6) return undefined
  if (name.getBigUint64(8) === 0n && name.getUint32(16) === 0xffff) return asBoth(formatOctets(name, 20))
  const groups = [8, 10, 12, 14, 16, 18, 20, 22].map((at) => name.getUint16(at).toString(16))
  return { address: groups.join(":"), network: `${groups.slice(0, 4).join(":")}::/64` }
}

const asBoth = (address: string) => ({ address, network: address })

const formatOctets = (name: DataView, start: number): string =>
  [0, 1, 2, 3].map((index) => name.getUint8(start + index)).join(".")

/** `AF_INET` and `AF_INET6` of Linux. */
const inet4 = 2
const inet6 = 10

/** `IPPROTO_TCP` and `TCP_INFO`, and where `struct tcp_info` has `tcpi_last_data_sent` and `tcpi_bytes_sent`. */
const tcpProtocol = 6
const tcpInfo = 11
const lastSentAt = 44
const bytesSentAt = 200

/** `MSG_NOSIGNAL` and `MSG_DONTWAIT`. */
const sendFlags = 0x4000 | 0x40

/** `SHUT_RDWR`. */
const bothDirections = 2
