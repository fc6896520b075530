import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { describeBrowser, openPage, stopClock } from "./Chromium.ts"
import { galleryServer, galleryServerWith } from "./componentGallery.ts"
import { collapseWhitespace, headingOf } from "./labCustomer.ts"

const title = "Which domain do you want to connect?"
const script = "**/v1/connect/domainForm.js*"

/** A service that answers to a text only once that is released, in the order of the releases. */
const entryServer = Effect.gen(function* () {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const waitFor = (text: string) => {
    const held = waiting.get(text) ?? Promise.withResolvers<void>()
    waiting.set(text, held)
    return held
  }
  const { url } = yield* galleryServerWith((request) => {
    if (request.method !== "POST") return undefined
    const isCheck = request.url.endsWith("/check")
    return request.json().then(async ({ domain }: any) => {
      await waitFor(isCheck ? domain : `connect ${domain}`).promise
      return isCheck
        ? (answers[domain]?.() ?? found(domain))
        : Response.json({ connectionId: "review", accessToken: "t" })
    })
  })
  return { url: `${url}?picture=0-domain`, release: (text: string) => waitFor(text).resolve() }
})

const found = (domain: string) => Response.json({ name: domain, domain, host: "@" })

const refuse = (detail: object) =>
  Response.json(
    { error: { code: "unprocessable", message: "the request is refused", details: [detail] } },
    { status: 422 }
  )

const answers: { readonly [text: string]: () => Response } = {
  "https://late.com": () => refuse({ code: "domain_is_url", message: "a URL is not a name", suggestion: "late.com" }),
  "live.com": () => refuse({ code: "test_domain_required", message: "test mode connects domains of test mode only" })
}

const fieldOf = (page: Page) => page.getByLabel("Your domain")
const goOn = (page: Page) => page.getByRole("button", { name: "Continue" }).click()
const choices = async (page: Page) => (await page.locator(".check").allTextContents()).map(collapseWhitespace)

describeBrowser("the form for a domain", (live) => {
  live("shows nothing that was found of a text which is no longer in the field", () =>
    Effect.gen(function* () {
      const { release, url } = yield* entryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const answered = (text: string) => {
          const response = page.waitForResponse((one) => one.request().postData()?.includes(text) === true)
          release(text)
          return response.then((one) => one.finished())
        }
        await page.goto(url)
        for (const late of ["first.com", "https://late.com"]) {
          await fieldOf(page).fill(late)
          await goOn(page)
          await fieldOf(page).fill("second.com")
          await answered(late)
          await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
          expect(await choices(page)).toEqual([])
          expect(await page.locator(".wrong, .problem, .link").count()).toBe(0)
        }
        await goOn(page)
        release("second.com")
        await page.getByRole("radio").first().waitFor()
        expect(await choices(page)).toEqual(["second.com", "www.second.com"])
      })
    })
  )

  live("goes on with the text in the field before an earlier one is answered, and keeps it while it connects", () =>
    Effect.gen(function* () {
      const { release, url } = yield* entryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(url)
        await fieldOf(page).fill("first.com")
        await goOn(page)
        await fieldOf(page).fill("second.com")
        release("second.com")
        await goOn(page)
        await page.getByRole("radio").first().waitFor()
        release("first.com")
        await goOn(page)
        await page.locator("button[aria-busy=true]").waitFor()
        expect(await fieldOf(page).isEditable()).toBe(false)
        expect(await choices(page)).toEqual(["second.com", "www.second.com"])
        release("connect second.com")
        await headingOf(page, /^Connect /).waitFor()
      })
    })
  )

  live("does not call a domain none that is refused for another reason, and says what the service says", () =>
    Effect.gen(function* () {
      const { release, url } = yield* entryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(url)
        release("live.com")
        await fieldOf(page).fill("live.com")
        await goOn(page)
        await page.getByRole("alert").filter({ hasText: "That is not possible at the moment." }).waitFor()
        await page.getByText("test mode connects domains of test mode only").waitFor()
        await page.getByRole("link", { name: "help@shop-builder.example" }).waitFor()
      })
    })
  )

  live("says where its script cannot be loaded, shows what the page has for that, and tries again", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await stopClock(page)
        await page.route(script, (route) => route.abort())
        await page.goto(`${url}?picture=0-domain`)
        const fallback = `document.querySelector("domain-connection").innerHTML = '<p slot="fallback">Write to us.</p>'`
        await page.evaluate(fallback)
        await page.getByText("We cannot reach the service. We keep trying.").waitFor()
        await page.getByText("Write to us.").waitFor()
        expect(await page.locator(".spinner").count()).toBe(0)
        const again = page.waitForRequest(script)
        await page.clock.runFor(15_000)
        await again
        await page.unroute(script)
        await page.evaluate("dispatchEvent(new Event('online'))")
        await headingOf(page, title).waitFor()
        expect(await page.getByText("We cannot reach the service.").count()).toBe(0)
      })
    })
  )
})
