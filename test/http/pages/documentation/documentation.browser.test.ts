import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { apiInMemory, serviceUrl } from "../../../support/testApi.ts"
import { describeBrowser, openPage } from "../../../web/Chromium.ts"
import { accessibilityFaults, collectComplaints } from "../../../web/inspectPage.ts"
import { behindPublicUrl } from "./DocumentationSite.ts"

const desktop = { width: 1_280, height: 800 }
const phone = { width: 360, height: 740 }

/** The room that a page has does not depend on its colours: each is tried once, in one colour scheme. */
const looks = [
  { viewport: desktop, colorScheme: "light" },
  { viewport: phone, colorScheme: "dark" }
] as const

const shownPages = [
  "/docs",
  "/docs/authentication",
  "/docs/errors",
  "/docs/api/connections",
  "/docs/api/lifecycle",
  "/docs/webhook-events",
  "/docs/guides/webhooks",
  "/docs/guides/lifecycle"
]

/** The folder for screenshots: set it to `docs/screenshots` to renew those of the documentation. */
const folder = process.env["SCREENSHOTS"]

/** The pages of which there are screenshots. */
const pictures = {
  "docs-introduction": "/docs",
  "docs-operation": "/docs/api/lifecycle#approvePlan",
  "docs-guide": "/docs/guides/webhooks"
}

const pictureSizes = { desktop: { width: 1_280, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Searches, opens the first result of this kind, and returns where that leads. */
const searchFor = async (page: Page, query: string, kind: string): Promise<string> => {
  await page.locator("body").press("/")
  await page.keyboard.insertText(query)
  const result = page.locator(".results a", { has: page.locator(".kind", { hasText: kind }) }).first()
  await result.focus()
  await page.keyboard.press("Enter")
  await page.waitForURL(/#|guides/)
  const { hash, pathname } = new URL(page.url())
  return pathname + hash
}

describeBrowser("the documentation in a browser", (live) => {
  live("finds an operation, an error code and a guide by the search, with the keyboard alone", () =>
    Effect.gen(function* () {
      const url = yield* serviceUrl
      const page = yield* openPage({ viewport: desktop })
      yield* Effect.promise(async () => {
        const found: Array<string> = []
        for (const [query, kind] of [
          ["approve a plan", "Operation"],
          ["plan_digest_mismatch", "Error"],
          ["rotate the secret", "Guide"],
          ["idempotncy reused", "Error"],
          ["connection", "Object"]
        ] as const) {
          await page.goto(`${url}/docs`)
          found.push(await searchFor(page, query, kind))
        }
        expect(found).toEqual([
          "/docs/api/lifecycle#approvePlan",
          "/docs/errors#plan_digest_mismatch",
          "/docs/guides/webhooks#rotate-the-secret",
          "/docs/errors#idempotency_key_reused",
          "/docs/objects#Connection"
        ])
        await page.locator("body").press("/")
        await page.keyboard.insertText("xyzzyxyzzy")
        await page.getByText("Nothing is called “xyzzyxyzzy”.").waitFor()
      })
    }).pipe(Effect.provide(apiInMemory()))
  )

  for (const path of shownPages)
    live(`shows ${path} on desktop and phone, light and dark, without an accessibility violation`, () =>
      Effect.gen(function* () {
        const url = yield* serviceUrl
        const page = yield* openPage({ reducedMotion: "reduce" })
        const complaints = yield* collectComplaints(page)
        yield* Effect.promise(async () => {
          for (const { colorScheme, viewport } of looks) {
            await page.setViewportSize(viewport)
            await page.emulateMedia({ colorScheme })
            await page.goto(`${url}${path}`)
            await page.locator(".search input").waitFor()
            expect([colorScheme, await accessibilityFaults(page)]).toEqual([colorScheme, []])
            expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width)
          }
          expect(complaints).toEqual([])
        })
      }).pipe(Effect.provide(apiInMemory()))
    )

  for (const [name, path] of folder === undefined ? [] : Object.entries(pictures))
    live(`is drawn on desktop and phone, to be looked at: ${name}`, () =>
      Effect.gen(function* () {
        const url = yield* serviceUrl
        const page = yield* openPage({ reducedMotion: "reduce" })
        yield* Effect.promise(async () => {
          // As a proxy passes requests on.
          await page.route("**/*", async (route) =>
            route.fulfill({
              response: await route.fetch({ headers: { ...route.request().headers(), host: "connect.example" } })
            })
          )
          for (const [size, viewport] of Object.entries(pictureSizes)) {
            await page.setViewportSize(viewport)
            await page.goto(`${url}${path}`)
            await page.locator(".search input").waitFor()
            expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width)
            await page.screenshot({ path: `${folder}/${name}-en-${size}-light.png` })
          }
        })
      }).pipe(Effect.provide(behindPublicUrl("https://connect.example")))
    )

  live("leads from page to page on a phone without JavaScript", () =>
    Effect.gen(function* () {
      const url = yield* serviceUrl
      const page = yield* openPage({ viewport: phone, javaScriptEnabled: false })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/docs`)
        expect(await page.locator(".search").isVisible()).toBe(false)
        expect(await page.locator("#navigation").isVisible()).toBe(false)
        await page.getByRole("button", { name: "Menu" }).press("Enter")
        await page.locator("#navigation").getByRole("link", { name: "Lifecycle", exact: true }).press("Enter")
        await page.waitForURL(/\/docs\/api\/lifecycle$/)
        expect(await page.locator("#approvePlan .example").count()).toBe(3)
      })
    }).pipe(Effect.provide(apiInMemory()))
  )
})
