import { HttpServerRequest } from "@effect/platform"
import { BunHttpServerRequest } from "@effect/platform-bun"
import { Context, Effect, Either, Option, Predicate } from "effect"
import { describeJsonSyntaxError, findJsonFault } from "../../domain/error/findJsonFault.ts"
import { bodyRateFloor, maxBodyBytes, type RateFloor } from "../contract/bodyLimits.ts"
import { withoutPermit } from "../../limits/ConcurrencyLimiter.ts"
import type { RateLimited } from "../../limits/limitErrors.ts"
import { InvalidRequest } from "../contract/errorResponses.ts"
import { RefusedRequest } from "./encodeError.ts"
import type { RequestExchange } from "./Exchange.ts"

/** The rate below which a body is ended. */
export class BodyRateFloor extends Context.Reference<BodyRateFloor>()("http/BodyRateFloor", {
  defaultValue: () => bodyRateFloor
}) {}

/** How long a body may take, by the bytes that have arrived. */
const allowedMillis = ({ bytesPerSecond, graceMillis, maxMillis }: RateFloor, bytes: number): number =>
  Math.min(maxMillis, graceMillis + (bytes / bytesPerSecond) * 1_000)

/**
 * Limits the JSON body in type, size and time. It is read once, when the endpoint asks for it, after authentication;
 * reading dies with `InvalidRequest` or `RefusedRequest`. Fails at once if the headers rule the body out.
 */
export const limitJsonBody = (
  exchange: RequestExchange,
  floor: RateFloor
): Either.Either<HttpServerRequest.HttpServerRequest, RefusedRequest> => {
  const { request } = exchange
  return isBodiless(request)
    ? Either.right(withBody(request, Effect.succeed(noBytes)))
    : Either.map(prepareBytes(request, floor), (bytes) => withBody(request, withoutPermit(exchange, bytes)))
}

const withBody = (
  request: HttpServerRequest.HttpServerRequest,
  bytes: Effect.Effect<Uint8Array, RateLimited>
): HttpServerRequest.HttpServerRequest =>
  Object.create(request, {
    json: { value: Effect.matchEffect(bytes, { onFailure: Effect.die, onSuccess: parseJson }) },
    text: { value: Effect.orDie(Effect.map(bytes, (read) => lenientDecoder.decode(read))) }
  })

/** The rest of the body is not read: the connection ends with the response. */
const refuseBody = (refusal: Pick<RefusedRequest, "status" | "code" | "message">) =>
  new RefusedRequest({ ...refusal, headers: { connection: "close" } })

const unsupported = refuseBody({
  status: 415,
  code: "unsupported_media_type",
  message: "the body must be application/json in UTF-8, without content coding"
})

const tooLarge = refuseBody({
  status: 413,
  code: "body_too_large",
  message: `the body may have at most ${maxBodyBytes} bytes`
})

const tooSlow = refuseBody({
  status: 408,
  code: "body_too_slow",
  message: "the body arrives too slowly"
})

const incomplete = refuseBody({
  status: 400,
  code: "malformed_json",
  message: "the body ended before it was complete"
})

/** Whether the framing of a request shows that it has no body (RFC 9112 section 6.3), whatever its content type. */
const isBodiless = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

const noBytes = new Uint8Array()

/** The bytes of a body that its headers do not rule out, read once. */
const prepareBytes = (
  request: HttpServerRequest.HttpServerRequest,
  floor: RateFloor
): Either.Either<Effect.Effect<Uint8Array>, RefusedRequest> => {
  const declared = request.headers["content-length"]
  if (!isPlainJson(request)) return Either.left(unsupported)
  if (declared !== undefined && Number(declared) > maxBodyBytes) return Either.left(tooLarge)
  let reading: Promise<Uint8Array> | undefined
  return Either.right(
    Effect.promise(
      () => (reading ??= readBytes(BunHttpServerRequest.toRequest(request), Number(declared ?? Infinity), floor))
    )
  )
}

const isPlainJson = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers["content-type"] ?? "application/json") &&
  /^(identity)?$/i.test(headers["content-encoding"] ?? "")

/** Reads a body; rejects with the refusal of one that is too large, too slow or incomplete. */
const readBytes = (source: Request, declared: number, floor: RateFloor): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    // The time of a short body is that of its last byte.
    let arrived = declared > maxShortBytes ? 0 : declared
    let timer: ReturnType<typeof setTimeout>
    const enforceFloor = () => {
      const left = startedAt + allowedMillis(floor, arrived) - performance.now()
      if (left > 0) timer = setTimeout(enforceFloor, left)
      else reject(tooSlow)
    }
    enforceFloor()
    const bytes = declared > maxShortBytes ? readChunks(source, (length) => (arrived = length)) : source.bytes()
    bytes
      .then(resolve, (error) => reject(error === tooLarge ? tooLarge : incomplete))
      .finally(() => clearTimeout(timer))
  })

/** A body of at most this length is read in one piece. */
const maxShortBytes = 4_096

const readChunks = async ({ body }: Request, onArrived: (length: number) => void): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxBodyBytes) throw tooLarge
    onArrived(length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses JSON; dies with the declared error `InvalidRequest`, since HttpApi requires that reading a body cannot fail. */
const parseJson = (bytes: Uint8Array): Effect.Effect<unknown> =>
  Either.match(decodeJson(bytes), { onLeft: Effect.die, onRight: Effect.succeed })

const decodeJson = (bytes: Uint8Array): Either.Either<unknown, InvalidRequest> => {
  const decoded = decodeText(bytes)
  if (Either.isLeft(decoded)) return Either.left(makeMalformedJson("the body is not valid UTF-8"))
  const text = decoded.right
  if (text.startsWith("\ufeff"))
    return Either.left(makeMalformedJson("the body begins with a byte order mark (RFC 8259 8.1)"))
  const fault = findJsonFault(text)
  if (Option.isSome(fault)) return Either.left(InvalidRequest.of([fault.value]))
  return parse(text).pipe(
    Either.mapLeft(() => makeMalformedJson(`the body ${describeJsonSyntaxError(text)}`)),
    Either.filterOrLeft(Predicate.isRecord, () => notAnObject)
  )
}

/** No endpoint takes another body. */
const notAnObject = InvalidRequest.of([{ pointer: "", code: "invalid", message: "must be an object" }])

const parse = (text: string): Either.Either<unknown, unknown> => Either.try((): unknown => JSON.parse(text))

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const lenientDecoder = new TextDecoder()

const decodeText = (bytes: Uint8Array) => Either.try(() => decoder.decode(bytes))

const makeMalformedJson = (message: string) => new InvalidRequest({ code: "malformed_json", message })
