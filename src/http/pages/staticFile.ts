import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Fiber } from "effect"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, gzipSync } from "node:zlib"
import { matchesIfNoneMatch } from "../entityTags.ts"

/**
 * A text that is the same for everybody, with a strong ETag in each encoding. It is made while the service starts, so that
 * no customer waits for that; what comes before waits until it is there.
 */
export const staticFile = (contentType: string, text: Effect.Effect<string>, headers: Record<string, string>) =>
  Effect.map(Effect.forkScoped(Effect.flatMap(text, encoded)), (making) =>
    Effect.zipWith(HttpServerRequest.HttpServerRequest, Fiber.join(making), (request, file) =>
      answerTo(request, file, { "content-type": contentType, ...headers })
    )
  )

type Encoding = "br" | "gzip" | "identity"

interface Encoded {
  readonly etag: string
  readonly body: Uint8Array
}

type File = { readonly [_ in Encoding]: Encoded }

const encoded = (text: string): Effect.Effect<File> =>
  Effect.map(brotli(text), (compressed) => {
    const hash = createHash("sha256").update(text).digest("base64url")
    return {
      br: { etag: `"${hash}-br"`, body: compressed },
      gzip: { etag: `"${hash}-gzip"`, body: gzipSync(text, { level: 9 }) },
      identity: { etag: `"${hash}"`, body: new TextEncoder().encode(text) }
    }
  })

/** The best that there is takes so long that it is made once in a process, and beside everything else. */
const brotli = (text: string): Effect.Effect<Uint8Array> =>
  Effect.promise(() => {
    const compressed = known.get(text) ?? promisify(brotliCompress)(text)
    known.set(text, compressed)
    return compressed
  })

const known = new Map<string, Promise<Uint8Array>>()

const answerTo = (
  { headers }: HttpServerRequest.HttpServerRequest,
  file: File,
  { "content-type": contentType = "", ...more }: Record<string, string>
) => {
  const encoding = encodingFor(headers["accept-encoding"] ?? "")
  const { body, etag } = file[encoding]
  const common = { etag, "cache-control": cacheControl, vary: "Accept-Encoding", ...more }
  return matchesIfNoneMatch(headers["if-none-match"] ?? "", etag)
    ? HttpServerResponse.empty({ status: 304, headers: common })
    : HttpServerResponse.uint8Array(body, {
        contentType,
        headers: { ...common, ...(encoding === "identity" ? {} : { "content-encoding": encoding }) }
      })
}

const cacheControl = "public, max-age=300, stale-while-revalidate=86400"

/** The best that the client takes; what it forbids by `q=0` it does not get (RFC 9110 section 12.5.3). */
const encodingFor = (accepted: string): Encoding => {
  const takes = (name: string) =>
    accepted.split(",").some((part) => {
      const [coding = "", quality = "q=1"] = part.split(";").map((piece) => piece.trim().toLowerCase())
      return coding === name && !/^q=0(\.0*)?$/.test(quality)
    })
  return takes("br") ? "br" : takes("gzip") ? "gzip" : "identity"
}
