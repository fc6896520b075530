import { Glob } from "bun"
import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { allKeyScopes } from "../../../../src/domain/access/Tenancy.ts"
import { ApiDocument, errorCodesOf } from "../../../../src/http/pages/documentation/ApiDocument.ts"
import { renderGuide } from "../../../../src/http/pages/documentation/renderGuide.ts"
import { listReferencePages } from "../../../../src/http/pages/documentation/renderReference.ts"
import { withLayer } from "../../../support/effectTest.ts"
import { apiInMemory, jsonOf, send, textOf } from "../../../support/testApi.ts"
import { behindPublicUrl, crawlDocumentation, openApi } from "./DocumentationSite.ts"

withLayer("the documentation", apiInMemory(), (live) => {
  live("has no dead link on any page, and each page has a title", () =>
    Effect.gen(function* () {
      const { external, links, served } = yield* crawlDocumentation
      const unserved = links.filter(({ target }) => served.get(target.pathname)?.status !== 200)
      expect(unserved.map(({ from, target }) => `${from} -> ${target.pathname}`)).toEqual([])
      const anchorless = links.filter(({ target: { hash, pathname } }) => {
        const id = decodeURIComponent(hash.slice(1))
        return id !== "" && served.get(pathname)?.html.includes(` id="${id}"`) === false
      })
      expect(anchorless.map(({ from, target }) => `${from} -> ${target.pathname}${target.hash}`)).toEqual([])
      expect(external.filter(({ target }) => !/^https?:$/.test(target.protocol))).toEqual([])

      const pages = [...served.values()].filter(({ contentType }) => contentType === "text/html; charset=utf-8")
      expect(pages.filter(({ html }) => !/<title>[^<]+<\/title>/.test(html)).map(({ path }) => path)).toEqual([])
      expect(new Set(pages.map(({ html }) => /<title>(.+)<\/title>/.exec(html)?.[1])).size).toBe(pages.length)
      expect(pages.filter(({ html }) => html.match(/<h1[ >]/g)?.length !== 1).map(({ path }) => path)).toEqual([])
    })
  )

  live("has a page for each group of the API and for each file of docs, which links and llms.txt lead to", () =>
    Effect.gen(function* () {
      const { served } = yield* crawlDocumentation
      const guides = [...new Glob("**/*.md").scanSync("docs")].map(
        (file) => `/docs/guides/${file.replace(/(\/README)?\.md$/, "")}`
      )
      const groups = openApi.tags.map(({ name }: any) => `/docs/api/${name.toLowerCase().replaceAll(" ", "-")}`)
      expect(guides.length).toBeGreaterThan(80)
      const expected = [
        "/docs",
        "/docs/authentication",
        "/docs/errors",
        "/docs/guides",
        "/docs/objects",
        "/docs/webhook-events",
        ...groups,
        ...guides
      ]
      const pages = [...served.values()].filter(({ contentType }) => contentType.startsWith("text/html"))
      expect(pages.map(({ path }) => path).toSorted()).toEqual(expected.toSorted())
      const text = yield* Effect.flatMap(send("/llms.txt"), textOf)
      expect(text).toStartWith(`# ${openApi.info.title}\n\n> `)
      const listed = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, path = ""]) => path)
      expect(listed.toSorted()).toEqual(expected.toSorted())
    })
  )

  live("consists of small static files, which run no script in the page and load nothing from other hosts", () =>
    Effect.gen(function* () {
      const response = yield* send("/docs/api/connections", { headers: { "accept-encoding": "br" } })
      const page = yield* textOf(response)
      expect(response.headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      )
      expect(response.headers.get("content-encoding")).toBe("br")
      expect(page.match(/<script(?! type="module" src="[./]+docs\/documentation\.js">)| style="| on\w+="/g)).toBeNull()
      expect([...page.matchAll(/ src="([^"]+)"/g)].map(([, url]) => url)).toEqual(["../../docs/documentation.js"])
      expect(yield* Effect.flatMap(send("/docs/style.css"), textOf)).not.toMatch(/url\(|@import/)
      for (const [path, limit] of [
        ["/docs/api/connections", 12_000],
        ["/docs/documentation.js", 10_000],
        ["/docs/search.json", 160_000]
      ] as const) {
        const compressed = yield* send(path, {
          headers: { "accept-encoding": "br" },
          decompress: false
        } as RequestInit)
        expect([path, (yield* Effect.promise(() => compressed.bytes())).length < limit]).toEqual([path, true])
      }
    })
  )

  live("leads a reader from the path of a file, or one with a slash at its end, to the page", () =>
    Effect.gen(function* () {
      const moved = {
        "/docs/": "/docs",
        "/docs/guides/": "/docs/guides",
        "/docs/guides/test-mode.md": "/docs/guides/test-mode",
        "/docs/guides/test-mode/?q=1": "/docs/guides/test-mode",
        "/docs/test-mode": "/docs/guides/test-mode",
        "/docs/connections": "/docs/api/connections",
        "/docs/api": "/docs"
      }
      const locations = yield* Effect.forEach(Object.keys(moved), (path) =>
        Effect.map(send(path, { redirect: "manual" }), ({ headers, status }) => [status, headers.get("location")])
      )
      expect(locations).toEqual(Object.values(moved).map((path) => [308, path]))
    })
  )

  live("shows a page with the navigation to a browser where there is nothing, at any depth", () =>
    Effect.gen(function* () {
      for (const [path, root] of [
        ["/docs/nothing", "../"],
        ["/docs/guides/nothing", "../../"],
        ["/docs/guides/decisions/nothing", "../../../"]
      ] as const) {
        const response = yield* send(path, { headers: { accept: "text/html,*/*" } })
        const page = yield* textOf(response)
        expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
        expect(page).toContain("<h1>There is nothing at this path</h1>")
        expect(page).toContain(`href="${root}docs/guides"`)
      }
    })
  )

  live("answers 304 for a page that the reader has, and 404 for an unknown page", () =>
    Effect.gen(function* () {
      const etag = (yield* send("/docs/guides/webhooks")).headers.get("etag") ?? ""
      expect((yield* send("/docs/guides/webhooks", { headers: { "if-none-match": etag } })).status).toBe(304)
      for (const path of ["/docs/nothing", "/docs/guides/nothing", "/docs/guides/decisions/nothing"]) {
        const response = yield* send(path)
        expect([response.status, (yield* jsonOf(response)).error.code]).toEqual([404, "route_not_found"])
      }
    })
  )

  live("shows the type of each field, the fields of each part of a choice, and the scope of an operation", () =>
    Effect.gen(function* () {
      const { served } = yield* crawlDocumentation
      const untyped = [...served.values()].filter(({ html }) => html.includes('<span class="type">any value'))
      expect(untyped.map(({ path }) => path)).toEqual([])
      const page = yield* Effect.flatMap(send("/docs/api/lifecycle"), textOf)
      const authorization =
        /<section class="operation" id="authorizeConnection">([^]*?)<\/section>/.exec(page)?.[1] ?? ""
      for (const shown of ["manual", "direct_credential", "oauth2_pkce", "tsig_key"])
        expect(authorization).toContain(`<code>&#34;${shown}&#34;</code>`)
      expect(authorization).toContain("with the scope <code>connections:write</code>")
      const authentication = yield* Effect.flatMap(send("/docs/authentication"), textOf)
      for (const scope of allKeyScopes) expect(authentication).toContain(`<dt><code>${scope}</code></dt>`)
    })
  )

  live("names the codes that an operation has beside those of most operations, and explains each once", () =>
    Effect.gen(function* () {
      const page = yield* Effect.flatMap(send("/docs/api/lifecycle"), textOf)
      const approval = /<section class="operation" id="approvePlan">([^]*?)<\/section>/.exec(page)?.[1]
      const codes = [...(approval ?? "").matchAll(/href="[./]*docs\/errors#(\w+)"/g)].map(([, code]) => code)
      expect(codes).toContain("plan_digest_mismatch")
      expect(codes).not.toContain("rate_limited")
      const errors = yield* Effect.flatMap(send("/docs/errors"), textOf)
      for (const code of ["plan_digest_mismatch", "rate_limited"])
        expect(errors.match(new RegExp(` id="${code}"`, "g"))).toHaveLength(1)
    })
  )
})

const byName = { headers: { host: "connect.example" } }

withLayer("with PUBLIC_URL", behindPublicUrl("https://connect.example/dns"), (live) => {
  live("examples and llms.txt name it", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flatMap(send("/docs", byName), textOf)).toContain(
        "https://connect.example/dns/v1/connections"
      )
      const text = yield* Effect.flatMap(send("/llms.txt", byName), textOf)
      expect(text).toContain("(https://connect.example/dns/docs/guides/webhooks)")
    })
  )
})

test("a page of the API escapes what the document says", () => {
  const hostile = JSON.stringify(openApi).replaceAll("Create a domain connection", "<script>alert(1)</script>")
  const [page] = listReferencePages(Schema.decodeSync(Schema.parseJson(ApiDocument))(hostile), "http://service.example")
  expect(page?.render()).toContain("&#60;script&#62;")
  expect(page?.render()).not.toContain("<script>")
})

const withCodes = (...codes: ReadonlyArray<string>) => ({
  properties: { error: { properties: { code: { enum: codes } } } }
})

test("shows every code that the responses of an operation allow, in whatever form the schemas have it", () => {
  const document = Schema.decodeUnknownSync(ApiDocument)({
    ...openApi,
    components: { ...openApi.components, schemas: { Error: withCodes("a", "b", "c", "d") } }
  })
  const $ref = "#/components/schemas/Error"
  const codesOf = (schema: object) =>
    errorCodesOf(document, {
      operationId: "any",
      summary: "",
      description: "",
      tags: [],
      security: [],
      parameters: [],
      responses: { 409: { description: "", content: { "application/json": { schema: { ...schema } } } } }
    })
  expect(codesOf({ $ref })).toEqual(["a", "b", "c", "d"])
  expect(codesOf({ $ref, ...withCodes("b") })).toEqual(["b"])
  expect(codesOf({ allOf: [{ $ref }, withCodes("b", "c")] })).toEqual(["b", "c"])
  expect(codesOf({ anyOf: [withCodes("d"), { allOf: [{ $ref }, withCodes("a")] }] })).toEqual(["d", "a"])
})

test("in a guide the name of a file that is not served is no link", () => {
  const guide = {
    file: "a.md",
    text: "# A\n\n[code](../src/main.ts), [B](decisions/b.md#c), [none](missing.md), [D](#d)"
  }
  const html = renderGuide(guide, [guide, { file: "decisions/b.md", text: "# B" }], [])
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(["/docs/guides/decisions/b#c", "#d"])
  expect(html).toContain('<span class="source" title="src/main.ts, in the repository">code</span>')
})
