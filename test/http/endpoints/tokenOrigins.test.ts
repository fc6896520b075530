import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, post, send } from "../../support/testApi.ts"
import { createConnectionPath, issueBearer } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const app = "https://app.example.com"

/** Values that no browser sends as its origin, with the suggested correction if there is one. */
const rejected: ReadonlyArray<readonly [name: string, origin: string, suggestion?: string]> = [
  ["a trailing slash", `${app}/`, app],
  ["the default port", `${app}:443`, app],
  ["an upper-case host", "https://APP.example.com", app],
  ["an upper-case scheme", "HTTPS://app.example.com", app],
  ["a path", `${app}/login`, app],
  ["a query", `${app}?a=1`, app],
  ["an empty query", `${app}?`, app],
  ["a fragment", `${app}#a`, app],
  ["user information", "https://user:secret@app.example.com", app],
  ["an empty user", "https://@app.example.com", app],
  ["a leading blank", ` ${app}`, app],
  ["a trailing blank", `${app} `, app],
  ["a newline", "https://app.exa\nmple.com", app],
  ["a tab", "https://app.exa\tmple.com", app],
  ["a backslash before @", "https://evil.com\\@app.example.com", "https://evil.com"],
  ["no slashes", "https:app.example.com", app],
  ["one slash", "https:/app.example.com", app],
  ["backslashes", "https:\\\\app.example.com", app],
  ["a port with a leading zero", `${app}:08443`, `${app}:8443`],
  ["an empty port", `${app}:`, app],
  ["a Unicode host", "https://bücher.example.com", "https://xn--bcher-kva.example.com"],
  ["a full-width host", "https://ａpp.example.com", app],
  ["a percent-encoded host", "https://%61pp.example.com", app],
  ["a Cyrillic look-alike", "https://аpp.example.com", "https://xn--pp-6kc.example.com"],
  ["%00", "https://app%00.example.com"],
  ["a control character", "https://app\u0001.example.com"],
  ["port 65536", `${app}:65536`],
  ["port 0", `${app}:0`],
  ["the word null", "null"],
  ["a file", "file:///etc/passwd"],
  ["data", "data:text/html,x"],
  ["a blob", `blob:${app}/x`],
  ["an extension", "chrome-extension://abcdefghijklmnop"],
  ["a web socket", "wss://app.example.com"],
  ["a trailing dot", "https://app.example.com."],
  ["a wildcard", "https://*.example.com"],
  ["a lone asterisk", "*"],
  ["an empty label", "https://a..b"],
  ["an underscore", "https://a_b.example.com"],
  ["300 characters", `https://${"a".repeat(60)}.${"b.".repeat(113)}example.com`],
  ["nothing", ""],
  ["no scheme", "app.example.com", app],
  ["an octal address", "https://0177.0.0.1", "https://127.0.0.1"],
  ["a list", `${app},https://evil.com`],
  ["a list with blanks", `${app} https://evil.com`]
]

withLayer("the origin of a token", apiInMemory(), (live) => {
  rejected.forEach(([name, origin, suggestion]) =>
    live(`is rejected with 400 ${suggestion === undefined ? "without" : "with"} a suggestion: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const message = yield* expectErrorWithoutWrites(post(`${path}/access-token`, key, { origin }), {
          status: 400,
          code: "origin_not_canonical",
          details: [["/origin", "origin_not_canonical", suggestion === undefined ? {} : { suggestion }]]
        })
        expect(message).toBe(
          suggestion === undefined
            ? "origin must be exactly what a browser sends, such as https://shop.example.com"
            : `origin must be exactly what a browser sends: ${suggestion}`
        )
      })
    )
  )

  const insecure = [
    ["http://app.example.com", "https://app.example.com"],
    ["HTTP://App.example.com/login", "https://app.example.com"],
    ["http://192.168.0.1", "https://192.168.0.1"],
    ["http://localhost.example.com", "https://localhost.example.com"]
  ] as const
  insecure.forEach(([origin, suggestion]) =>
    live(`is rejected with 400, which says that https is needed: ${origin}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const message = yield* expectErrorWithoutWrites(post(`${path}/access-token`, key, { origin }), {
          status: 400,
          code: "origin_not_canonical",
          details: [["/origin", "origin_not_canonical", { suggestion }]]
        })
        expect(message).toBe(`origin must begin with https, as in ${suggestion}; http is accepted on localhost only`)
      })
    )
  )

  const canonical = [
    app,
    `${app}:8443`,
    "https://example.com",
    "https://xn--bcher-kva.example.com",
    "https://app.example.com.evil.com",
    "https://192.0.2.1",
    "https://[2001:db8::1]:8443",
    "https://localhost",
    "http://localhost",
    "http://localhost:3000",
    "http://127.0.0.1:5173",
    "http://127.254.254.254",
    "http://[::1]",
    "http://[::1]:8080"
  ]
  canonical.forEach((origin) =>
    live(`may be ${origin}, where its token is accepted`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const response = yield* send(path, {
          headers: { authorization: yield* issueBearer(key, path, origin), origin }
        })
        expect(response.status).toBe(200)
        expect(response.headers.get("access-control-allow-origin")).toBe(origin)
      })
    )
  )

  const similarOrigins = [
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://app.example.com.evil.com",
    "https://evil-app.example.com",
    "https://example.com",
    "https://APP.example.com",
    "https://app.example.com/",
    "https://app.example.com."
  ]
  similarOrigins.forEach((origin) =>
    live(`does not allow its token at ${origin}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const authorization = yield* issueBearer(key, path, app)
        const response = yield* send(path, { headers: { authorization, origin } })
        yield* expectError(response, { status: 403, code: "origin_not_allowed" })
        expect(response.headers.has("access-control-allow-origin")).toBe(false)
      })
    )
  )
})
