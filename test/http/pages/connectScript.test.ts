import { HttpServer } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { languageNames } from "../../../src/web/words/languageOf.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory } from "../../support/testApi.ts"

/** The response as sent over the wire, still compressed. */
const script = (headers: Record<string, string> = {}, method = "GET", path = "/v1/connect.js") =>
  Effect.flatMap(HttpServer.addressFormattedWith(Effect.succeed), (address) =>
    Effect.promise(async () => {
      const answer = await fetch(`${address}${path}`, { method, headers, decompress: false })
      return { status: answer.status, headers: answer.headers, body: new Uint8Array(await answer.arrayBuffer()) }
    })
  )

withLayer("/v1/connect.js", apiInMemory(), (live) => {
  live("is a script of a fixed media type that every page may load and cache", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* script({ "accept-encoding": "identity" })
      expect([status, headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"])
      expect(headers.get("access-control-allow-origin")).toBe("*")
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin")
      expect(headers.get("cache-control")).toBe("public, max-age=300, stale-while-revalidate=86400")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("vary")).toBe("Accept-Encoding")
      expect(new TextDecoder().decode(body)).toContain("domain-connection")
    })
  )

  live("is at most 40 KiB on the wire, in either compression", () =>
    Effect.gen(function* () {
      const brotli = yield* script({ "accept-encoding": "gzip, deflate, br" })
      const gzip = yield* script({ "accept-encoding": "gzip, br;q=0" })
      expect([brotli.headers.get("content-encoding"), gzip.headers.get("content-encoding")]).toEqual(["br", "gzip"])
      expect(brotli.body.length).toBeLessThanOrEqual(40 * 1_024)
      expect(gzip.body.length).toBeLessThanOrEqual(40 * 1_024)
    })
  )

  live(
    "loads each language, and what few customers do, from a script of its own, which every page may load and cache",
    () =>
      Effect.gen(function* () {
        const component = new TextDecoder().decode((yield* script({ "accept-encoding": "identity" })).body)
        const parts = [...component.matchAll(/import\("\.\/(connect\/([\w-]+)\.js\?\w{12})"\)/g)]
        const names = Object.keys(languageNames)
        expect(parts.map(([, , name]) => name).toSorted()).toEqual(
          [...names, "domainForm", "downloadZoneFile", "laterSteps", "qrCode", "share"].toSorted()
        )
        for (const [, path] of parts) {
          const { headers, status } = yield* script({}, "GET", `/v1/${path}`)
          expect([status, headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"])
          expect(headers.get("access-control-allow-origin")).toBe("*")
          expect(headers.get("cache-control")).toBe("public, max-age=300, stale-while-revalidate=86400")
        }
      })
  )

  live("has a strong ETag for each encoding, and answers 304 to it", () =>
    Effect.gen(function* () {
      const encodings = ["br", "gzip", "identity"]
      const answers = yield* Effect.forEach(encodings, (encoding) => script({ "accept-encoding": encoding }))
      const etags = answers.map(({ headers }) => headers.get("etag") ?? "")
      expect(new Set(etags).size).toBe(3)
      expect(etags.every((etag) => /^"[\w-]+"$/.test(etag))).toBe(true)
      for (const [index, encoding] of encodings.entries()) {
        for (const known of [`"other", ${etags[index]}`, `W/${etags[index]}`, `W/"other" , W/${etags[index]}`, "*"]) {
          const again = yield* script({ "accept-encoding": encoding, "if-none-match": known })
          expect([again.status, again.body.length, again.headers.get("etag")]).toEqual([304, 0, etags[index] ?? ""])
        }
      }
      expect((yield* script({ "if-none-match": '"other"' })).status).toBe(200)
    })
  )

  live("answers 405 to other methods", () =>
    Effect.map(script({}, "POST"), ({ headers, status }) =>
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"])
    )
  )
})
