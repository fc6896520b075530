import { connect, type Socket } from "node:net"
import { Clock, Effect, Either, Queue, type Scope } from "effect"
import type { Endpoint } from "../../dns/Endpoint.ts"
import { readSigned, type SignedMessage } from "../../dns/wire/SignedMessage.ts"
import { chainFrom, signed, type TsigKey, verified } from "../../dns/wire/Tsig.ts"
import { Trouble } from "../Trouble.ts"

/** A request to one server, signed with a key; the bytes begin with the id of the message. */
export interface SignedRequest {
  readonly server: Endpoint
  readonly key: TsigKey
  readonly message: Uint8Array
}

/** An answer whose signature is right, or one that refuses, which a server need not sign. */
export type Answer = Pick<SignedMessage, "rcode" | "authoritative" | "answers" | "signature">

/** Sends a request over TCP and reads answers, each checked, until they are complete or one of them refuses. */
export const signedExchange = (
  { key, message, server }: SignedRequest,
  isComplete: (answers: ReadonlyArray<Answer>) => boolean
): Effect.Effect<ReadonlyArray<Answer>, Trouble> =>
  Effect.scoped(
    Effect.gen(function* () {
      const request = signed(message, key, yield* seconds)
      const { next } = yield* conversation(server, request.bytes)
      const id = new DataView(message.buffer, message.byteOffset).getUint16(0)
      const answers: Array<Answer> = []
      let chain = chainFrom(request.mac)
      do {
        const answer = yield* Effect.mapError(Effect.flatMap(next, readSigned), malformed)
        if (answer.id !== id || !answer.isAnswer) return yield* malformed("wrong_id")
        if (refusals.has(answer.signature?.error ?? 0)) return yield* keyRefused(answer.signature?.error ?? 0)
        answers.push(answer)
        if (answer.rcode !== noError && answer.signature === undefined) return answers
        chain = yield* Either.mapLeft(verified(chain, answer, { key, time: yield* seconds }), malformed)
      } while (answers.at(-1)?.rcode === noError && !isComplete(answers))
      return chain.unsigned.length === 0 ? answers : yield* malformed("not_signed")
    })
  )

const noError = 0

const seconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1_000))

const malformed = (reason: string | Trouble): Trouble =>
  typeof reason === "string" ? new Trouble({ kind: "malformed", detail: `the answer is refused: ${reason}` }) : reason

const badTime = 18

/** BADSIG, BADKEY, BADTIME, BADTRUNC (RFC 8945 section 3). */
const refusals: ReadonlyMap<number, string> = new Map([
  [16, "the signature is wrong"],
  [17, "the key is not known"],
  [badTime, "the clocks differ"],
  [22, "the signature is too short"]
])

const keyRefused = (error: number): Trouble =>
  new Trouble({
    kind: error === badTime ? "failing" : "credential_refused",
    detail: `the server says: ${refusals.get(error)}`
  })

/** The messages of the server, one after the other; the connection ends with the scope. */
const conversation = (
  server: Endpoint,
  request: Uint8Array
): Effect.Effect<{ readonly next: Effect.Effect<Uint8Array, Trouble> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* Queue.unbounded<Either.Either<Uint8Array, Trouble>>()
    yield* Effect.acquireRelease(
      Effect.sync(() => converse(connect({ host: server.host, port: server.port }), request, inbox)),
      (socket) => Effect.sync(() => socket.destroy())
    )
    return { next: Effect.flatten(Queue.take(inbox)) }
  })

/** Before a message stands its length in two bytes (RFC 1035 section 4.2.2). */
const converse = (socket: Socket, request: Uint8Array, inbox: Queue.Enqueue<Either.Either<Uint8Array, Trouble>>) => {
  let pending = Buffer.alloc(0)
  let total = 0
  const end = (kind: Trouble["kind"], detail: string) => {
    inbox.unsafeOffer(Either.left(new Trouble({ kind, detail })))
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
