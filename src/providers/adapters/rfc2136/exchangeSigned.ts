import { Clock, Effect, Either, Queue, type Scope } from "effect"
import { connect, type Socket } from "node:net"
import type { Endpoint } from "../../../dns/transport/Endpoint.ts"
import { decodeSignedMessage, type SignedMessage } from "../../../dns/wire/SignedMessage.ts"
import { signMessage, startTsigChain, type TsigKey, verifyTsig } from "../../../dns/wire/Tsig.ts"
import { ProviderError } from "../../ProviderError.ts"

/** A request to one server, signed with a key; the bytes begin with the id of the message. */
export interface SignedRequest {
  readonly server: Endpoint
  readonly key: TsigKey
  readonly message: Uint8Array
}

/** An answer whose signature is right, or one that refuses, which a server need not sign. */
export type SignedResponse = Pick<SignedMessage, "rcode" | "authoritative" | "answers" | "signature">

/** Sends a request over TCP and reads answers, each checked, until they are complete or one of them refuses. */
export const exchangeSigned = (
  { key, message, server }: SignedRequest,
  isComplete: (answers: ReadonlyArray<SignedResponse>) => boolean
): Effect.Effect<ReadonlyArray<SignedResponse>, ProviderError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const request = signMessage(message, key, yield* seconds)
      const { next } = yield* conversation(server, request.bytes)
      const id = new DataView(message.buffer, message.byteOffset).getUint16(0)
      const answers: Array<SignedResponse> = []
      let chain = startTsigChain(request.mac)
      do {
        const answer = yield* Effect.mapError(Effect.flatMap(next, decodeSignedMessage), malformed)
        if (answer.id !== id || !answer.isResponse) return yield* malformed("wrong_id")
        if (refusals.has(answer.signature?.error ?? 0)) return yield* keyRefused(answer.signature?.error ?? 0)
        answers.push(answer)
        if (answer.rcode !== noError && answer.signature === undefined) return answers
        chain = yield* Either.mapLeft(verifyTsig(chain, answer, { key, time: yield* seconds }), malformed)
      } while (answers.at(-1)?.rcode === noError && !isComplete(answers))
      return chain.unsigned.length === 0 ? answers : yield* malformed("not_signed")
    })
  )

const noError = 0

const seconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1_000))

const malformed = (reason: string | ProviderError): ProviderError =>
  typeof reason === "string"
    ? new ProviderError({ kind: "malformed", detail: `the answer is refused: ${reason}` })
    : reason

const badTime = 18

/** BADSIG, BADKEY, BADTIME, BADTRUNC (RFC 8945 section 3). */
const refusals: ReadonlyMap<number, string> = new Map([
  [16, "the signature is wrong"],
  [17, "the key is not known"],
  [badTime, "the clocks differ"],
  [22, "the signature is too short"]
])

const keyRefused = (error: number): ProviderError =>
  new ProviderError({
    kind: error === badTime ? "failing" : "credential_refused",
    detail: `the server says: ${refusals.get(error)}`
  })

/** The messages of the server, one after the other; the connection ends with the scope. */
const conversation = (
  server: Endpoint,
  request: Uint8Array
): Effect.Effect<{ readonly next: Effect.Effect<Uint8Array, ProviderError> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* Queue.unbounded<Either.Either<Uint8Array, ProviderError>>()
    yield* Effect.acquireRelease(
      Effect.sync(() => converse(connect({ host: server.host, port: server.port }), request, inbox)),
      (socket) => Effect.sync(() => socket.destroy())
    )
    return { next: Effect.flatten(Queue.take(inbox)) }
  })

/** Before a message stands its length in two bytes (RFC 1035 section 4.2.2). */
const converse = (
  socket: Socket,
  request: Uint8Array,
  inbox: Queue.Enqueue<Either.Either<Uint8Array, ProviderError>>
) => {
  let pending = Buffer.alloc(0)
  let total = 0
  const end = (kind: ProviderError["kind"], detail: string) => {
    inbox.unsafeOffer(Either.left(new ProviderError({ kind, detail })))
    socket.destroy()
  }
  socket.on("error", () => end("unreachable", "the connection failed"))
  socket.on("close", () => end("unreachable", "the connection ended before the answer did"))
  socket.on("data", (chunk) => {
    total += chunk.length
    if (total > maxBytes) return end("malformed", `an answer of more than ${maxBytes} bytes`)
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

const maxBytes = 32 * 1024 * 1024
