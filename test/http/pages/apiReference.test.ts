import { expect, test } from "bun:test"
import { OpenApi } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../src/http/contract/Api.ts"
import { renderApiReference } from "../../../src/http/pages/renderApiReference.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, send, textOf } from "../../support/testApi.ts"

withLayer("the API reference", apiInMemory(), (live) => {
  live("shows every operation and every schema of the OpenAPI document, and links to nothing else", () =>
    Effect.gen(function* () {
      const page = yield* Effect.flatMap(send("/docs"), textOf)
      const { components, paths } = OpenApi.fromApi(Api)
      const expected = [
        ...Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
        ...Object.keys(components.schemas).map((name) => `schema-${name}`)
      ]
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(ids.toSorted()).toEqual(expected.toSorted())
      const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor ?? "")
      expect(anchors.length).toBeGreaterThan(expected.length)
      expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([])
    })
  )

  live("consists of small static files without scripts, which load nothing from other hosts", () =>
    Effect.gen(function* () {
      const response = yield* send("/docs", { headers: { "accept-encoding": "br" } })
      const page = yield* textOf(response)
      expect(response.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      )
      expect(response.headers.get("content-encoding")).toBe("br")
      expect(page).not.toContain("<script")
      expect([...page.matchAll(/(?:src|href)="(?!#)([^"]+)"/g)].map(([, url]) => url)).toEqual([
        "docs/style.css",
        "openapi.json"
      ])
      const style = yield* Effect.flatMap(send("/docs/style.css"), textOf)
      expect(style).not.toMatch(/url\(|@import/)
      const compressed = yield* send("/docs", {
        headers: { "accept-encoding": "br" },
        decompress: false
      } as RequestInit)
      expect((yield* Effect.promise(() => compressed.bytes())).length).toBeLessThan(30_000)
    })
  )
})

test("the API reference escapes what the document says", () => {
  const document = OpenApi.fromApi(Api)
  const page = renderApiReference(
    { ...document, info: { ...document.info, title: "<script>alert(1)</script>" } },
    "s.css"
  )
  expect(page).not.toContain("<script>")
  expect(page).toContain("&#60;script&#62;")
})
