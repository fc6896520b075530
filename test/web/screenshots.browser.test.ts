import { expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer, galleryStates } from "./componentGallery.ts"
import { documentNames } from "./recordedDocuments.ts"

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

/** The folder for screenshots: set it to `docs/screenshots` to renew those of the documentation. */
const folder = process.env["SCREENSHOTS"]

const sizes = { desktop: { width: 800, height: 600 }, phone: { width: 320, height: 640 } } as const

/** The accessibility rules that the page violates, each with its elements. */
const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`)
}

const schemes = ["light", "dark"] as const

/** Contrast depends on the colour scheme, the rest on the size: each of them is inspected once. */
const inspected: Record<string, string> = { desktop: "light", phone: "dark" }

/** Until the page is drawn in a new size and colour scheme: with reduced motion, nothing changes by and by. */
const twoFrames = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

/** Renders a screen in every size and colour scheme and reports its accessibility violations. */
const draw = (url: string, name: string, locale: string) =>
  Effect.gen(function* () {
    const page = yield* openPage({ viewport: sizes.desktop, reducedMotion: "reduce" })
    yield* Effect.promise(async () => {
      const complaints: Array<string> = []
      page.on("console", (message) => complaints.push(message.text()))
      page.on("pageerror", (error) => complaints.push(error.message))
      await page.goto(`${url}?picture=${name}&locale=${locale}`)
      await page.locator("h2").waitFor()
      for (const selector of galleryStates[name]?.before ?? []) await page.locator(selector).first().click()
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await page.evaluate(twoFrames)
          if (inspected[size] === colorScheme)
            expect([size, colorScheme, await faultsOf(page)]).toEqual([size, colorScheme, []])
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width)
          const path = `${folder}/${name}-${locale}-${size}-${colorScheme}.png`
          if (folder !== undefined) await page.screenshot({ path, fullPage: true })
        }
      }
      expect(complaints.filter((text) => !text.includes("404"))).toEqual([])
    })
  }).pipe(Effect.scoped)

describeBrowser(
  "a screenshot of every step, small and large, light and dark, has no accessibility violation:",
  (live) => {
    for (const name of [...Object.keys(galleryStates), ...documentNames()]) {
      live(name, () => Effect.flatMap(galleryServer, ({ url }) => draw(`${url}`, name, "en")))
    }
    live("1-changes in German", () => Effect.flatMap(galleryServer, ({ url }) => draw(`${url}`, "1-changes", "de")))
  }
)
