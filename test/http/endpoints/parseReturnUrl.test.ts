import { describe, expect, test } from "bun:test"
import { Either, Option } from "effect"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { parseReturnUrl } from "../../../src/http/endpoints/lifecycle/LifecycleHandlers.ts"

const shop = Origin.make("https://shop.example.com")

const parsedFor = (callerOrigin: Option.Option<Origin>, text?: string, allowed: ReadonlyArray<Origin> = []) =>
  Either.match(parseReturnUrl(text, { callerOrigin, allowed }), { onLeft: ({ code }) => code, onRight: (back) => back })

describe("the return URL", () => {
  test("may be a page of the token's origin, as the URL standard parses it", () => {
    const page = { from: shop, returnUrl: "https://shop.example.com/a/b?c=d#e" }
    expect(parsedFor(Option.some(shop), "https://SHOP.example.com:443/a/./b?c=d#e")).toEqual(page)
    expect(parsedFor(Option.some(shop), "https:\\\\shop.example.com\\a\\b?c=d#e")).toEqual(page)
  })

  test("may be any https page or loopback page if a server names it", () => {
    for (const page of ["https://other.example/done", "http://localhost:3000/done", "http://127.0.0.1/done"]) {
      expect(parsedFor(Option.none(), page)).toEqual({ from: Origin.make(new URL(page).origin), returnUrl: page })
    }
  })

  test("may be of an allowed origin, for a browser of another origin, whose page still starts the flow", () => {
    const done = "https://done.example.com/"
    expect(parsedFor(Option.some(shop), done, [Origin.make("https://done.example.com")])).toEqual({
      from: shop,
      returnUrl: done
    })
    expect(
      parsedFor(Option.some(shop), "https://shop.example.com/", [Origin.make("https://done.example.com")])
    ).toEqual({
      from: shop,
      returnUrl: "https://shop.example.com/"
    })
    expect(parsedFor(Option.some(shop), "https://third.example/", [Origin.make("https://done.example.com")])).toBe(
      "return_url_not_allowed"
    )
  })

  test("may be of allowed origins only, for a server of an application that has some", () => {
    expect(parsedFor(Option.none(), "https://shop.example.com/a", [shop])).toEqual({
      from: shop,
      returnUrl: "https://shop.example.com/a"
    })
    expect(parsedFor(Option.none(), "https://other.example/", [shop])).toBe("return_url_not_allowed")
  })

  test("may be omitted, and a browser's origin is still known", () => {
    expect(parsedFor(Option.some(shop))).toEqual({ from: shop })
    expect(parsedFor(Option.none())).toEqual({})
  })

  for (const text of [
    "http://other.example/",
    "ftp://other.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user@other.example/",
    "https://other.example./",
    "/relative",
    "//other.example/",
    ""
  ]) {
    test(`may not be ${JSON.stringify(text)}`, () =>
      expect(parsedFor(Option.none(), text)).toBe("return_url_not_allowed"))
  }
})
