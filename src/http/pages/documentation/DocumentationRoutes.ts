import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { PublicUrl } from "../../PublicUrl.ts"
import { RefusedRequest } from "../../pipeline/encodeError.ts"
import { servePage } from "../../pipeline/Endpoints.ts"
import { respondWithText } from "../serveStaticFile.ts"
import type { DocumentationFile } from "./Documentation.ts"
import { groupPath, guidesPath, notFoundKeyOf } from "./paths.ts"

/**
 * `/docs`: the API and the guides of the folder `docs`, to read. It sends no requests, since an API key does not belong in
 * a browser. `/openapi.json`, `/llms.txt`: the same for programs. The first request reads it, not the start.
 */
export const DocumentationRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { of, pathOf, referTo } = yield* PublicUrl
    const files = Effect.promise(() => findDocumentation({ serviceUrl: of(""), referTo }))
    const respond = Effect.fnUntraced(function* ({ headers, url }: HttpServerRequest.HttpServerRequest) {
      const [path = ""] = url.split("?")
      const known = yield* files
      const file = known.get(path)
      if (file !== undefined) return yield* respondWithFile(file)
      const page = listMeantPaths(path).find((meant) => known.has(meant))
      if (page !== undefined) return HttpServerResponse.empty({ status: 308, headers: { location: pathOf(page) } })
      const notFound = known.get(notFoundKeyOf(path))
      return yield* notFound !== undefined && headers["accept"]?.includes("text/html") === true
        ? Effect.map(respondWithFile(notFound), HttpServerResponse.setStatus(404))
        : RefusedRequest.routeNotFound
    })
    for (const path of paths) yield* servePage(path, respond)
  })
)

const paths = [
  "/openapi.json",
  "/llms.txt",
  "/docs",
  "/docs/",
  "/docs/:page",
  "/docs/:page/",
  "/docs/:section/:page",
  "/docs/:section/:page/",
  "/docs/:section/:folder/:page",
  "/docs/:section/:folder/:page/"
] as const

/** The pages that a path may mean: it ends in a slash or as a file, or leaves out the section. */
const listMeantPaths = (path: string): ReadonlyArray<string> => {
  const page = path.replace(/\/+$/, "").replace(/(\/README)?\.md$/, "")
  const name = page.slice("/docs/".length)
  return [
    page,
    ...(name.includes("/") ? [] : [`${guidesPath}/${name}`, groupPath(name)]),
    ...(name === "api" ? ["/docs"] : [])
  ]
}

type Files = ReadonlyMap<string, DocumentationFile>

const findDocumentation = (address: {
  readonly serviceUrl: string
  readonly referTo: (path: string) => string
}): Promise<Files> => {
  const key = `${address.serviceUrl} ${address.referTo("")}`
  const files = documentations.get(key) ?? load(address)
  documentations.set(key, files)
  return files
}

const documentations = new Map<string, Promise<Files>>()

/** The renderers are loaded with their libraries only when somebody reads. */
const load = async (address: Parameters<typeof findDocumentation>[0]): Promise<Files> => {
  const { loadDocumentation } = await import("./Documentation.ts")
  return loadDocumentation(address)
}

const respondWithFile = (file: DocumentationFile) =>
  "image" in file
    ? Effect.succeed(
        HttpServerResponse.raw(file.image, {
          contentType: "image/png",
          headers: { "cache-control": "public, max-age=300" }
        })
      )
    : Effect.flatMap(Effect.promise(file.text), (text) => respondWithText(file.contentType, text, pageHeaders))

const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin"
}
