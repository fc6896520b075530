import { expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { apiInMemory, serviceUrl } from "../../../support/testApi.ts"
import { describeBrowser, openPage } from "../../../web/Chromium.ts"
import { behindPublicUrl } from "./DocumentationSite.ts"

const axe = readFileSync(new URL("../../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

const sizes = { desktop: { width: 1_280, height: 800 }, phone: { width: 360, height: 740 } } as const

const shownPages = [
  "/docs",
  "/docs/authentication",
  "/docs/errors",
  "/docs/api/connections",
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

/** The accessibility rules that the page violates, each with its elements. */
const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary).join()))`)
}

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
      const page = yield* openPage({ viewport: sizes.desktop })
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
        yield* Effect.promise(async () => {
          const complaints: Array<string> = []
          page.on("console", (message) => complaints.push(message.text()))
          page.on("pageerror", (error) => complaints.push(error.message))
          for (const [size, viewport] of Object.entries(sizes)) {
            await page.setViewportSize(viewport)
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme })
              await page.goto(`${url}${path}`)
              await page.locator(".search input").waitFor()
              expect([size, colorScheme, await faultsOf(page)]).toEqual([size, colorScheme, []])
              expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width)
            }
          }
          expect(complaints.filter((text) => !text.includes("404"))).toEqual([])
        })
      }).pipe(Effect.provide(apiInMemory()))
    )

  for (const [name, path] of Object.entries(pictures))
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
            if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-en-${size}-light.png` })
          }
        })
      }).pipe(Effect.provide(behindPublicUrl("https://connect.example")))
    )

  live("leads from page to page on a phone without JavaScript", () =>
    Effect.gen(function* () {
      const url = yield* serviceUrl
      const page = yield* openPage({ viewport: sizes.phone, javaScriptEnabled: false })
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
