import { expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import { Origin, parseOrigin } from "../../../src/domain/names/Origin.ts"

test("an origin is accepted exactly as a browser sends it", () => {
  const origins = [
    "https://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.com",
    "https://evil-app.example.com",
    "https://xn--bcher-kva.example",
    "https://192.0.2.1",
    "https://[2001:db8::1]:8443",
    "https://localhost",
    "https://intranet",
    `https://${"a.".repeat(124)}abcde`
  ]
  expect(origins.map(parseOrigin)).toEqual(origins.map((origin) => Either.right(Origin.make(origin))))
})

test("plain http is accepted only on loopback hosts", () => {
  const loopback = [
    "http://localhost:3000",
    "http://localhost",
    "http://127.0.0.1:8080",
    "http://127.9.9.9",
    "http://[::1]:3000"
  ]
  const others = [
    "http://app.example.com",
    "http://192.168.0.1",
    "http://[::2]",
    "http://localhost.evil.com",
    "http://128.0.0.1"
  ]
  expect(loopback.filter((origin) => Either.isLeft(parseOrigin(origin)))).toEqual([])
  expect(others.map(parseOrigin)).toEqual(
    others.map((origin) =>
      Either.left({ canonical: Option.some(Origin.make(origin.replace("http:", "https:"))), isInsecure: true })
    )
  )
  expect(parseOrigin("http://a_b.example.com")).toEqual(Either.left({ canonical: Option.none(), isInsecure: false }))
})

test("any other spelling is refused with the canonical origin, if there is one", () =>
  expect(Object.fromEntries(Object.keys(spellings).map((spelling) => [spelling, suggestedOrigin(spelling)]))).toEqual(
    spellings
  ))

test("an accepted origin equals its origin by the URL standard", () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.webUrl().map((url) => new URL(url).origin),
        fc.string()
      ),
      (input) => {
        const parsed = parseOrigin(input)
        if (Either.isLeft(parsed)) return
        expect(`${parsed.right}`).toBe(input)
        expect(new URL(input).origin).toBe(input)
      }
    ),
    { numRuns: 1_000 }
  ))

/** Each spelling with its canonical origin, if there is one. */
const spellings: Readonly<Record<string, string | undefined>> = {
  "https://app.example.com/": "https://app.example.com",
  "https://app.example.com:443": "https://app.example.com",
  "https://App.Example.com": "https://app.example.com",
  "HTTPS://app.example.com": "https://app.example.com",
  "https://app.example.com/path": "https://app.example.com",
  "https://app.example.com?query": "https://app.example.com",
  "https://app.example.com#fragment": "https://app.example.com",
  "https://me@app.example.com": "https://app.example.com",
  "https://me:secret@app.example.com": "https://app.example.com",
  " https://app.example.com": "https://app.example.com",
  "https://app.example.com\n": "https://app.example.com",
  "https://app.example.com\u0000": "https://app.example.com",
  "https:app.example.com": "https://app.example.com",
  "app.example.com": "https://app.example.com",
  "//app.example.com": "https://app.example.com",
  "App.example.com:8443/path": "https://app.example.com:8443",
  "https:\\\\app.example.com": "https://app.example.com",
  "https://app.example.com\\@evil.com": "https://app.example.com",
  "https://%61pp.example.com": "https://app.example.com",
  "https://ａｐｐ.example.com": "https://app.example.com",
  "https://app.example.com:08443": "https://app.example.com:8443",
  "https://bücher.example": "https://xn--bcher-kva.example",
  "https://аpp.example.com": "https://xn--pp-6kc.example.com",
  "https://0x7f.1": "https://127.0.0.1",
  "https://[2001:DB8:0::1]": "https://[2001:db8::1]",
  "": undefined,
  null: undefined,
  app: undefined,
  "a_b.example.com": undefined,
  "app.example.com or other.example.com": undefined,
  "https://": undefined,
  "https://app.example.com%00": undefined,
  "https://app.example.com:65536": undefined,
  "https://app.example.com:0": undefined,
  "https://app.example.com.": undefined,
  "https://localhost.": undefined,
  "https://*.example.com": undefined,
  "https://a..b.example.com": undefined,
  "https://.example.com": undefined,
  "https://a_b.example.com": undefined,
  "https://-a.example.com": undefined,
  [`https://${"a".repeat(64)}.example.com`]: undefined,
  [`https://${"a.".repeat(150)}example.com`]: undefined,
  [`https://app.example.com/${"a".repeat(2_000)}`]: undefined,
  "file:///app": undefined,
  "data:text/html,app": undefined,
  "blob:https://app.example.com/1": undefined,
  "chrome-extension://abcdef": undefined,
  "ws://app.example.com": undefined,
  "https://one.example.com https://two.example.com": undefined
}

const suggestedOrigin = (spelling: string): string | undefined =>
  Either.match(parseOrigin(spelling), {
    onLeft: ({ canonical }) => Option.getOrUndefined(canonical),
    onRight: () => "accepted"
  })
