import { Array, Effect, Option, Order } from "effect"
import { isInNetworks, type Network } from "../../domain/IpAddress.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { metrics } from "../../runtime/metrics.ts"
import { listOpenFiles, OpenFileLimit } from "../../runtime/openFiles.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import { errorsPath } from "../PublicUrl.ts"
import { makeErrorBody } from "../contract/errorResponses.ts"
import { openPeerSockets, type PeerSocket, type PeerSockets, type SocketUse } from "./PeerSockets.ts"

/** How many sockets one client address may hold, IPv6 by /64, and whose may be any number. */
export interface SocketLimits {
  /** 0 for no limit. */
  readonly perAddress: number
  readonly unlimitedNetworks: ReadonlyArray<Network>
}

/**
 * Keeps each client address within its limit of open sockets, and within a quarter of the descriptors of the process, for
 * as long as the scope is open: those beyond it are ended, first those that never got an answer, then those that got one
 * longest ago. A socket is known before it sends a request, so that nobody takes the descriptors of all by silence.
 * Requests pay nothing for it.
 */
export const limitSockets = (limits: SocketLimits, localPort: number) =>
  Effect.gen(function* () {
    const perAddress = Math.min(limits.perAddress, Math.floor((yield* OpenFileLimit) / shareOfDescriptors))
    const sockets = yield* openPeerSockets
    if (perAddress === 0 || Option.isNone(sockets)) return
    const refusal = makeRefusal(perAddress)

    const endSurplus = Effect.gen(function* () {
      if (listOpenFiles().length <= perAddress) return
      const surplus = yield* computeInSlices(findSurplus(sockets.value, { ...limits, perAddress }, localPort))
      if (surplus.length === 0) return
      yield* computeInSlices(endAll(sockets.value, surplus, refusal))
      yield* metrics.socketsEnded.metric(Effect.succeed(surplus.length))
      yield* Effect.logWarning("Sockets of an address above its limit were ended").pipe(
        Effect.annotateLogs({ address: surplus[0]?.socket.network, sockets: surplus.length, limit: perAddress })
      )
    })
    const endSurplusSafely = Effect.catchAllCause(endSurplus, (cause) =>
      Effect.logError("The sockets of the clients could not be counted", cause)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(endSurplusSafely, interval)))
  })

interface UsedSocket {
  readonly socket: PeerSocket
  readonly use: SocketUse
}

function* findSurplus(
  sockets: PeerSockets,
  { perAddress, unlimitedNetworks }: SocketLimits,
  localPort: number
): LongComputation<ReadonlyArray<UsedSocket>> {
  const byNetwork = Array.groupBy(yield* sockets.list(), ({ network }) => network)
  const isUnlimited = rememberByText((address) => isInNetworks(address, unlimitedNetworks))
  const surplus: Array<UsedSocket> = []
  for (const ofNetwork of Object.values(byNetwork).filter(({ length }) => length > perAddress)) {
    const limited: Array<UsedSocket> = []
    for (const socket of ofNetwork) {
      const use = isUnlimited(socket.address) ? Option.none() : sockets.readUse(socket, localPort)
      if (Option.isSome(use)) limited.push({ socket, use: use.value })
      yield
    }
    surplus.push(...Array.take(Array.sort(limited, leastUsedFirst), Math.max(0, limited.length - perAddress)))
  }
  return surplus
}

/** Most sockets of a network have the same address. */
const rememberByText = (decide: (text: string) => boolean): ((text: string) => boolean) => {
  const decided = new Map<string, boolean>()
  return (text) => {
    const known = decided.get(text) ?? decide(text)
    decided.set(text, known)
    return known
  }
}

const leastUsedFirst: Order.Order<UsedSocket> = Order.combine(
  Order.mapInput(Order.boolean, ({ use }) => use.hasBeenAnswered),
  Order.mapInput(Order.reverse(Order.number), ({ use }) => use.idleMillis)
)

/** A response that has begun cannot be followed by another one. */
function* endAll(sockets: PeerSockets, surplus: ReadonlyArray<UsedSocket>, refusal: Uint8Array): LongComputation<void> {
  for (const { socket, use } of surplus) {
    sockets.end(socket, use.hasBeenAnswered ? nothing : refusal)
    yield
  }
}

const nothing = new Uint8Array()

const makeRefusal = (perAddress: number): Uint8Array => {
  const error = makeErrorBody(
    429,
    {
      code: "rate_limited",
      message: `more than ${perAddress} connections of this address are open; close some`
    },
    { requestId: "unknown", errorsUrl: errorsPath }
  )
  const body = JSON.stringify(error)
  const head = [
    "HTTP/1.1 429 Too Many Requests",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "retry-after: 1",
    "connection: close"
  ]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)
}

/** So that several addresses have to work together before others find no descriptor. */
const shareOfDescriptors = 4

const interval = "500 millis"
