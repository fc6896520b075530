import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Fiber } from "effect"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, gzipSync } from "node:zlib"
import { matchesIfNoneMatch } from "../endpoints/responses.ts"

/**
 * Serves a text that is the same for everybody, with a strong ETag in each encoding. The text is built and compressed
 * while the service starts, so that no customer waits for it; requests that come earlier wait until it is ready.
 */
export const serveStaticFile = (contentType: string, text: Effect.Effect<string>, headers: Record<string, string>) =>
  Effect.map(Effect.forkScoped(Effect.flatMap(text, encodeFile)), (fiber) =>
    Effect.zipWith(HttpServerRequest.HttpServerRequest, Fiber.join(fiber), (request, file) =>
      respondWithFile(request, file, contentType, headers)
    )
  )

/** Responds with a text that is the same for everybody, compressed when it is first requested. */
export const respondWithText = (contentType: string, text: string, headers: Record<string, string>) =>
  Effect.zipWith(HttpServerRequest.HttpServerRequest, encodeFile(text), (request, file) =>
    respondWithFile(request, file, contentType, headers)
  )

/** The path of a file of `src/web`. */
export const locateWebFile = (name: string): string => fileURLToPath(new URL(`../../web/${name}`, import.meta.url))

export const readWebFile = (name: string): Effect.Effect<string> =>
  Effect.promise(() => Bun.file(locateWebFile(name)).text())

type ContentCoding = "br" | "gzip" | "identity"

interface EncodedBody {
  readonly etag: string
  /** All responses share its bytes; of an array Bun keeps a copy for each client that does not read. */
  readonly body: Blob
}

type EncodedFile = { readonly [_ in ContentCoding]: EncodedBody }

/** Compresses at the best quality, which takes so long that it is done once per text and process; brotli off the main thread. */
const encodeFile = (text: string): Effect.Effect<EncodedFile> =>
  Effect.promise(() => {
    const encoded = encodedFiles.get(text) ?? compress(text)
    encodedFiles.set(text, encoded)
    return encoded
  })

const encodedFiles = new Map<string, Promise<EncodedFile>>()

const compress = async (text: string): Promise<EncodedFile> => {
  const compressed = await promisify(brotliCompress)(text)
  const hash = createHash("sha256").update(text).digest("base64url")
  return {
    br: { etag: `"${hash}-br"`, body: new Blob([compressed]) },
    gzip: { etag: `"${hash}-gzip"`, body: new Blob([gzipSync(text, { level: 9, memLevel: 9 })]) },
    identity: { etag: `"${hash}"`, body: new Blob([text]) }
  }
}

const respondWithFile = (
  { headers }: HttpServerRequest.HttpServerRequest,
  file: EncodedFile,
  contentType: string,
  moreHeaders: Record<string, string>
) => {
  const encoding = chooseEncoding(headers["accept-encoding"] ?? "")
  const { body, etag } = file[encoding]
  const commonHeaders = { etag, "cache-control": cacheControl, vary: "Accept-Encoding", ...moreHeaders }
  return matchesIfNoneMatch(headers["if-none-match"] ?? "", etag)
    ? HttpServerResponse.empty({ status: 304, headers: commonHeaders })
    : HttpServerResponse.raw(body, {
        contentType,
        contentLength: body.size,
        headers: { ...commonHeaders, ...(encoding === "identity" ? {} : { "content-encoding": encoding }) }
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
