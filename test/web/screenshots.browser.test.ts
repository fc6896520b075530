import { expect } from "bun:test"
import { Effect } from "effect"
import { describePage, SharedPage } from "./Chromium.ts"
import { galleryServer, galleryStates } from "./componentGallery.ts"
import { accessibilityFaults, awaitDrawn, collectComplaints } from "./inspectPage.ts"
import { documentNames } from "./recordedDocuments.ts"

/** The folder for screenshots: set it to `docs/screenshots` to renew those of the documentation. */
const folder = process.env["SCREENSHOTS"]

const sizes = { desktop: { width: 800, height: 600 }, phone: { width: 320, height: 640 } } as const

const schemes = ["light", "dark"] as const

/** Contrast depends on the colour scheme, the rest on the size: each of them is inspected once. */
const inspected: Record<string, string> = { desktop: "light", phone: "dark" }

/** The pictures of the gallery; the screens of other recorded documents are inspected with their layout, and here only pictured. */
const names = [...Object.keys(galleryStates), ...(folder === undefined ? [] : documentNames())]

/** Renders a screen small and large, in both colour schemes, and reports its accessibility violations. */
const draw = (url: string, name: string, locale: string) =>
  Effect.gen(function* () {
    const page = yield* SharedPage
    const complaints = yield* collectComplaints(page)
    yield* Effect.promise(async () => {
      await page.goto(`${url}?picture=${name}&locale=${locale}`)
      await page.locator("h2").waitFor()
      for (const selector of galleryStates[name]?.before ?? []) await page.locator(selector).first().click()
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        for (const colorScheme of schemes) {
          if (folder === undefined && inspected[size] !== colorScheme) continue
          await page.emulateMedia({ colorScheme })
          await awaitDrawn(page)
          if (inspected[size] === colorScheme)
            expect([size, colorScheme, await accessibilityFaults(page)]).toEqual([size, colorScheme, []])
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width)
          if (folder === undefined) continue
          // As high as the page, so that what sticks to the lower edge is at its end.
          const height = Number(await page.evaluate("document.documentElement.scrollHeight"))
          await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) })
          await awaitDrawn(page)
          await page.screenshot({ path: `${folder}/${name}-${locale}-${size}-${colorScheme}.png` })
          await page.setViewportSize(viewport)
        }
      }
      expect(complaints).toEqual([])
    })
  }).pipe(Effect.scoped)

describePage(
  "a screenshot of every step, small and large, light and dark, has no accessibility violation:",
  { viewport: sizes.desktop, reducedMotion: "reduce" },
  (live) => {
    for (const name of names) {
      live(name, () => Effect.flatMap(galleryServer, ({ url }) => draw(`${url}`, name, "en")))
    }
    live("1-changes in German", () => Effect.flatMap(galleryServer, ({ url }) => draw(`${url}`, "1-changes", "de")))
    live("3-slip in Arabic", () => Effect.flatMap(galleryServer, ({ url }) => draw(`${url}`, "3-slip", "ar")))
  }
)
