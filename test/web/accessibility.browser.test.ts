import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { languageOf } from "../../src/web/words/languageOf.ts"
import { describeBrowser, openPage, stopClock } from "./Chromium.ts"
import { galleryServer, galleryServerWith } from "./componentGallery.ts"
import { readDocument } from "./recordedDocuments.ts"
import { collapseWhitespace, confirmWarnings, headingOf } from "./labCustomer.ts"

const phone = { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" } as const

describeBrowser("for every customer, the component", (live) => {
  const languages = [
    ["en_US", "en", "We look again in"],
    ["de_DE", "de", "Wir sehen in"],
    ["tr", "en", "We look again in"],
    ["not a language", "en", "We look again in"]
  ] as const
  for (const [locale, tag, text] of languages)
    live(`speaks one language throughout for the locale ${locale}`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServerWith(({ url }) =>
          url.endsWith("/records")
            ? Response.json({ records: [], nextCheckAt: new Date(Date.now() + 60_000).toISOString() })
            : undefined
        )
        const page = yield* openPage()
        yield* Effect.promise(async () => {
          const errors: Array<string> = []
          page.on("pageerror", (error) => errors.push(error.message))
          await page.goto(`${url}?picture=4-progress&locale=${locale}`)
          await page.getByText(text).waitFor()
          expect(await page.locator(".shell").getAttribute("lang")).toBe(tag)
          expect(errors).toEqual([])
        })
        expect(languageOf(locale)).toBe(tag)
      })
    )

  live(
    "selects the text that the browser does not allow it to copy, and says so until it has something else to say",
    () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServer
        const page = yield* openPage()
        yield* Effect.promise(async () => {
          await refuseCopies(page)
          await stopClock(page)
          await page.goto(`${url}?picture=3-manual`)
          await openTask(page, "Show your shop at www")
          await page.getByRole("button", { name: "Copy Target", exact: true }).click()
          const region = page.locator("[role=status]").first()
          await region.filter({ hasText: "It is marked: copy it by hand." }).waitFor({ state: "attached" })
          expect(await selectedText(page)).toBe("shops.platform.example")
          await page.clock.runFor(6_000)
          expect(await region.textContent()).toMatch(/Show your shop at www$/)
          await page.locator(".hint", { hasText: "It is marked: copy it by hand." }).waitFor()
          await page.getByRole("button", { name: "Copy Target", exact: true }).click()
          await page.getByRole("button", { name: "I have saved it" }).click()
          await region.filter({ hasText: /Looking|Not there yet/ }).waitFor({ state: "attached" })
          expect(await page.getByText("It is marked").count()).toBe(0)
          await page.getByRole("button", { name: "Copy Host", exact: true }).click()
          await page.locator(".hint", { hasText: "It is marked" }).waitFor()
          await page.locator(".task").first().click()
          expect(await page.getByText("It is marked").count()).toBe(0)
        })
      })
  )

  const copies = [
    ["of a slip", "slip-doubled-zone", ".slip .copy", /^www$/],
    ["of the other form of a host", "unknown-provider", ".hint .copy", "www.bindzone.com"],
    ["of a long command", "review-at-route53", ".copy", /^aws iam create-role/]
  ] as const
  for (const [what, document, button, text] of copies)
    live(`selects the text ${what} where it does not allow a copy`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServer
        const page = yield* openPage()
        yield* Effect.promise(async () => {
          await refuseCopies(page)
          await page.goto(`${url}?picture=${document}`)
          await confirmWarnings(page)
          await page.getByRole("button", { name: "Continue" }).click()
          await page.locator(".task, .way").first().waitFor()
          if ((await page.locator(".task").count()) > 0) await page.locator(".task", { hasText: "at www" }).click()
          await page.locator(button).first().click()
          await page.locator(".hint", { hasText: "It is marked: copy it by hand." }).waitFor()
          expect(await selectedText(page)).toMatch(text)
        })
      })
    )

  live("scrolls to the problem that a button at the bottom of a long page caused", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ method }) =>
        method === "POST" ? Response.json({ error: { code: "state_conflict" } }, { status: 409 }) : undefined
      )
      const page = yield* openPage(phone)
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=3-manual`)
        await openTask(page, "Show your shop at www")
        await page.getByRole("button", { name: "I have saved it" }).click()
        await page.getByText("That is not possible at the moment.").waitFor()
        expect(
          await page.evaluate(`${shadowOf}.querySelector(".problem").getBoundingClientRect().top`)
        ).toBeGreaterThanOrEqual(0)
      })
    })
  )

  live("shows which records of a connected domain are missing or different", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=degraded`)
        await page.getByRole("heading", { name: "What is missing or different" }).waitFor()
        expect((await page.getByRole("listitem").allTextContents()).map(collapseWhitespace)).toEqual([
          "www.record-shop.com Forwarding Missing"
        ])
      })
    })
  )

  live("keeps a long name within the screen of a phone", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage(phone)
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=long-name`)
        await headingOf(page, /^Connect longname/).waitFor()
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320)
      })
    })
  )

  live("leads by keyboard alone through the tasks by hand to success, and back, with the focus on each heading", () =>
    Effect.gen(function* () {
      let shown = readDocument("by-hand")
      const afterCheck = {
        "by-hand": readDocument("active-by-hand"),
        "disconnecting-by-hand": readDocument("disconnected-by-hand")
      }
      const { url } = yield* galleryServerWith(({ method, url: address }) => {
        const [, name = "", rest = ""] = /\/v1\/connections\/([\w-]+)(.*)/.exec(address) ?? []
        if (method === "POST") shown = name === "by-hand" ? afterCheck["by-hand"] : afterCheck["disconnecting-by-hand"]
        if (rest === "/records") return Response.json(shown.observations)
        return rest === "" && name !== "" ? Response.json({ connection: shown.connection }) : undefined
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const focused = () => page.evaluate(`${shadowOf}.activeElement?.textContent.trim() ?? ""`)
        const tabTo = async (text: string | RegExp) => {
          for (let tabs = 0; tabs < 40; tabs += 1) {
            await page.keyboard.press("Tab")
            if (String(await focused()).match(text) !== null) return
          }
          throw new Error(`Tab does not reach ${text}`)
        }
        const enter = async (text: string | RegExp, next: RegExp) => {
          await tabTo(text)
          await page.keyboard.press("Enter")
          await headingOf(page, next).waitFor()
          expect(await focused()).toMatch(next)
        }
        await page.goto(`${url}?picture=by-hand`)
        await page.locator(".tile").first().waitFor()
        for (const box of await page.locator("input[type=checkbox], input[type=radio]").all()) {
          await page.keyboard.press("Tab")
          if (await box.isVisible()) await page.keyboard.press("Space")
        }
        await enter("Continue", /^Open/)
        await enter("It is open: begin", /^1 of/)
        await enter("I have saved it", /is connected$/)
        shown = readDocument("disconnecting-by-hand")
        await page.goto(`${url}?picture=disconnecting-by-hand`)
        await page.locator(".task").first().waitFor()
        await enter("It is open: begin", /^1 of/)
        await enter("I have saved it", /is disconnected$/)
      })
    })
  )

  for (const [name, options] of Object.entries({ desktop: {}, phone }))
    live(`has its buttons in one order for eye and keyboard: ${name}`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServer
        const page = yield* openPage(options)
        yield* Effect.promise(async () => {
          await page.goto(`${url}?picture=1-changes`)
          await headingOf(page, "Connect crumb-and-co-mail.test").waitFor()
          expect(await buttonsAsSeen(page)).toEqual(["Continue", "Not now"])
          await page.getByRole("button", { name: "Continue" }).focus()
          await page.keyboard.press("Tab")
          expect(await page.evaluate(`${shadowOf}.activeElement.textContent.trim()`)).toBe("Not now")
        })
      })
    )
})

/** Agrees to the plan, and opens a task of the setup by hand. */
const openTask = async (page: Page, title: string) => {
  await confirmWarnings(page)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.locator(".task", { hasText: title }).click()
}

const refuseCopies = (page: Page) =>
  page.addInitScript("navigator.clipboard.writeText = () => Promise.reject(new Error())")

const selectedText = async (page: Page) => String(await page.evaluate(`${shadowOf}.getSelection().toString()`))

const shadowOf = "document.querySelector('domain-connection').shadowRoot"

/** Steps from left to right and from top to bottom. */
const buttonsAsSeen = (page: Page) =>
  page.evaluate(`[...${shadowOf}.querySelectorAll(".actions button")]
    .map((button) => ({ text: button.textContent.trim(), box: button.getBoundingClientRect() }))
    .sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left)
    .map(({ text }) => text)`)
