import { describe, expect, test } from "bun:test"
import { Either, Option } from "effect"
import { Origin } from "../../../src/domain/Origin.ts"
import { parseReturnUrl } from "../../../src/http/handlers/LifecycleHandlers.ts"

const shop = Origin.make("https://shop.example.com")

const toldBy = (caller: Option.Option<Origin>, text?: string) =>
  Either.match(parseReturnUrl(text, caller), { onLeft: ({ code }) => code, onRight: (back) => back })

describe("where a customer is led back to", () => {
  test("is a page of the token's origin, as the URL standard reads it", () => {
    const page = { from: shop, returnUrl: "https://shop.example.com/a/b?c=d#e" }
    expect(toldBy(Option.some(shop), "https://SHOP.example.com:443/a/./b?c=d#e")).toEqual(page)
    expect(toldBy(Option.some(shop), "https:\\\\shop.example.com\\a\\b?c=d#e")).toEqual(page)
  })

  test("is any https page that a server names, and on loopback any page", () => {
    for (const page of ["https://other.example/done", "http://localhost:3000/done", "http://127.0.0.1/done"]) {
      expect(toldBy(Option.none(), page)).toEqual({ from: Origin.make(new URL(page).origin), returnUrl: page })
    }
  })

  test("may be left out, and a browser's origin is known all the same", () => {
    expect(toldBy(Option.some(shop))).toEqual({ from: shop })
    expect(toldBy(Option.none())).toEqual({})
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
    test(`is not ${JSON.stringify(text)}`, () => expect(toldBy(Option.none(), text)).toBe("return_url_not_allowed"))
  }
})
