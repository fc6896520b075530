import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Fiber } from "effect"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, gzip, type ZlibOptions } from "node:zlib"
import { matchesIfNoneMatch } from "../endpoints/responses.ts"

/**
 * Serves a static text with a strong ETag in each encoding. It is built and compressed at the start, so that no
 * customer waits for it; earlier requests do.
 */
export const serveStaticFile = (contentType: string, text: Effect.Effect<string>, headers: Record<string, string>) =>
  Effect.map(Effect.forkScoped(Effect.tap(text, encodeFully)), (fiber) =>
    Effect.flatMap(Fiber.join(fiber), (text) => respondWithText(contentType, text, headers))
  )

/** Responds with a text that is the same for everybody, compressed when it is first requested in a coding. */
export const respondWithText = (contentType: string, text: string, headers: Record<string, string>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const coding = chooseEncoding(request.headers["accept-encoding"] ?? "")
    return respondWithBody(request, coding, yield* encodeBody(text, coding), contentType, headers)
  })

/** The path of a file of `src/web`. */
export const locateWebFile = (name: string): string => fileURLToPath(new URL(`../../web/${name}`, import.meta.url))

export const readWebFile = (name: string): Effect.Effect<string> =>
  Effect.promise(() => Bun.file(locateWebFile(name)).text())

const codings = ["br", "gzip", "identity"] as const

type ContentCoding = (typeof codings)[number]

interface EncodedBody {
  readonly etag: string
  /** All responses share its bytes; of an array Bun keeps a copy for each client that does not read. */
  readonly body: Blob
}

const encodeFully = (text: string): Effect.Effect<void> =>
  Effect.forEach(codings, (coding) => encodeBody(text, coding), { concurrency: "unbounded", discard: true })

/** Compresses at the best quality, which takes so long that it is done once per text and process, off the main thread. */
const encodeBody = (text: string, coding: ContentCoding): Effect.Effect<EncodedBody> =>
  Effect.promise(() => {
    const encoded = encodedBodies[coding].get(text) ?? encode(text, coding)
    encodedBodies[coding].set(text, encoded)
    return encoded
  })

const encodedBodies: { readonly [_ in ContentCoding]: Map<string, Promise<EncodedBody>> } = {
  br: new Map(),
  gzip: new Map(),
  identity: new Map()
}

const encode = async (text: string, coding: ContentCoding): Promise<EncodedBody> => {
  const hash = createHash("sha256").update(text).digest("base64url")
  if (coding === "identity") return { etag: `"${hash}"`, body: new Blob([text]) }
  return { etag: `"${hash}-${coding}"`, body: new Blob([await compress[coding](text)]) }
}

const compress = {
  br: (text: string) => promisify(brotliCompress)(text),
  gzip: (text: string) => promisify<string, ZlibOptions, Buffer>(gzip)(text, { level: 9, memLevel: 9 })
}

const respondWithBody = (
  { headers }: HttpServerRequest.HttpServerRequest,
  coding: ContentCoding,
  { body, etag }: EncodedBody,
  contentType: string,
  moreHeaders: Record<string, string>
) => {
  const commonHeaders = { etag, "cache-control": cacheControl, vary: "Accept-Encoding", ...moreHeaders }
  return matchesIfNoneMatch(headers["if-none-match"] ?? "", etag)
    ? HttpServerResponse.empty({ status: 304, headers: commonHeaders })
    : HttpServerResponse.raw(body, {
        contentType,
        contentLength: body.size,
        headers: { ...commonHeaders, ...(coding === "identity" ? {} : { "content-encoding": coding }) }
      })
}

const cacheControl = "public, max-age=300, stale-while-revalidate=86400"

/** The best encoding that the client accepts; `q=0` forbids one (RFC 9110 section 12.5.3). */
const chooseEncoding = (acceptEncoding: string): ContentCoding => {
  const accepts = (name: string) =>
    acceptEncoding.split(",").some((part) => {
      const [coding = "", quality = "q=1"] = part.split(";").map((piece) => piece.trim().toLowerCase())
      return coding === name && !/^q=0(\.0*)?$/.test(quality)
    })
  return accepts("br") ? "br" : accepts("gzip") ? "gzip" : "identity"
}
