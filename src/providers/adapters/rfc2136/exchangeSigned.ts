import { Clock, Effect, Either, Queue, type Scope } from "effect"
import { connect, type Socket } from "node:net"
import type { Endpoint } from "../../../dns/transport/Endpoint.ts"
import { noError } from "../../../dns/wire/Message.ts"
import { decodeSignedMessage, type SignedMessage } from "../../../dns/wire/SignedMessage.ts"
import { signMessage, startTsigChain, type TsigKey, verifyTsig } from "../../../dns/wire/Tsig.ts"
import { ProviderError } from "../../ProviderError.ts"
import { pause } from "../../../runtime/computeInSlices.ts"

/** A request to one server and the key to sign it with; the message begins with its id. */
interface SignedRequest {
  readonly server: Endpoint
  readonly key: TsigKey
  readonly message: Uint8Array
  /** Whether responses of that many bytes together are received: more fail with `too_large`. */
  readonly admits: (bytes: number) => boolean
}

/** A response with a valid signature, or one that refuses the request, which a server need not sign. */
export type SignedResponse = Pick<SignedMessage, "rcode" | "isAuthoritative" | "answers" | "signature">

/** Signs a request, sends it over TCP and reads verified responses until they are complete or one refuses it. */
export const exchangeSigned = (
  { admits, key, message, server }: SignedRequest,
  isComplete: (responses: ReadonlyArray<SignedResponse>) => boolean
): Effect.Effect<ReadonlyArray<SignedResponse>, ProviderError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const signed = signMessage(message, key, yield* readEpochSeconds)
      const { next } = yield* openConnection(server, signed.bytes, admits)
      const id = new DataView(message.buffer, message.byteOffset).getUint16(0)
      const responses: Array<SignedResponse> = []
      let chain = startTsigChain(signed.mac)
      do {
        if (responses.length > 0) yield* pause
        const response = yield* Effect.mapError(Effect.flatMap(next, decodeSignedMessage), toMalformed)
        if (response.id !== id || !response.isResponse) return yield* toMalformed("wrong_id")
        if (keyErrors.has(response.signature?.error ?? 0)) return yield* toKeyError(response.signature?.error ?? 0)
        responses.push(response)
        if (response.rcode !== noError && response.signature === undefined) return responses
        chain = yield* Either.mapLeft(verifyTsig(chain, response, { key, time: yield* readEpochSeconds }), toMalformed)
      } while (responses.at(-1)?.rcode === noError && !isComplete(responses))
      return chain.unsigned.length === 0 ? responses : yield* toMalformed("not_signed")
    })
  )

const readEpochSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1_000))

const toMalformed = (reason: string | ProviderError): ProviderError =>
  typeof reason === "string"
    ? new ProviderError({ kind: "malformed", detail: `the response is invalid: ${reason}` })
    : reason

const badTime = 18

/** BADSIG, BADKEY, BADTIME, BADTRUNC (RFC 8945 section 3). */
const keyErrors: ReadonlyMap<number, string> = new Map([
  [16, "the signature is wrong"],
  [17, "the key is not known"],
  [badTime, "the clocks differ"],
  [22, "the signature is too short"]
])

const toKeyError = (error: number): ProviderError =>
  new ProviderError({
    kind: error === badTime ? "failing" : "credential_refused",
    detail: `the server reports: ${keyErrors.get(error)}`
  })

/** Sends a request; `next` waits for the next message of the server. The connection closes with the scope. */
const openConnection = (
  server: Endpoint,
  request: Uint8Array,
  admits: SignedRequest["admits"]
): Effect.Effect<{ readonly next: Effect.Effect<Uint8Array, ProviderError> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* Queue.unbounded<Either.Either<Uint8Array, ProviderError>>()
    yield* Effect.acquireRelease(
      Effect.sync(() => sendAndReceive(connect({ host: server.host, port: server.port }), { request, admits }, inbox)),
      (socket) => Effect.sync(() => socket.destroy())
    )
    return { next: Effect.flatten(Queue.take(inbox)) }
  })

/** The length of a message precedes it in two bytes (RFC 1035 section 4.2.2). */
const sendAndReceive = (
  socket: Socket,
  { admits, request }: Pick<SignedRequest, "admits"> & { readonly request: Uint8Array },
  inbox: Queue.Enqueue<Either.Either<Uint8Array, ProviderError>>
) => {
  let pending = Buffer.alloc(0)
  let total = 0
  const end = (kind: ProviderError["kind"], detail: string) => {
    inbox.unsafeOffer(Either.left(new ProviderError({ kind, detail })))
    socket.destroy()
  }
  socket.on("error", () => end("unreachable", "the connection failed"))
  socket.on("close", () => end("unreachable", "the connection ended before the response was complete"))
  socket.on("data", (chunk) => {
    total += chunk.length
    if (!admits(total)) return end("too_large", "the response is larger than the service reads")
    pending = Buffer.concat([pending, Buffer.from(chunk)])
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE()) {
      const length = 2 + pending.readUInt16BE()
      inbox.unsafeOffer(Either.right(Uint8Array.from(pending.subarray(2, length))))
      pending = pending.subarray(length)
    }
  })
  socket.write(Buffer.concat([Buffer.of(request.length >> 8, request.length & 0xff), request]))
  return socket
}
