import { expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer } from "./componentGallery.ts"
import { agree, componentScreens } from "./componentScreens.ts"
import { inspectLayout, readLayoutShift } from "./inspectLayout.ts"

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

const widths = [320, 390, 1280]
const schemes = ["light", "dark"] as const

/** With Arabic, the page is from right to left. */
const languages = ["en", "de", "ar"]

/** The languages in which the accessibility rules are tried, one from each side, each in a colour scheme. */
const inspected: Record<string, string> = { en: "dark", ar: "light" }

/** With reduced motion, nothing changes by and by: two frames after a change all is drawn. */
const twoFrames = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join()))`)
}

describeBrowser("at 320, 390 and 1280 px, light and dark, in three languages", (live) => {
  for (const [name, [document, walk]] of Object.entries(componentScreens))
    live(`nothing is out of place: ${name}`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServer
        const page = yield* openPage({ viewport: { width: 390, height: 800 }, reducedMotion: "reduce" })
        yield* Effect.promise(async () => {
          const found: Array<unknown> = []
          for (const language of languages) {
            await page.goto(`${url}?picture=${document}&locale=${language}`)
            if (language === "ar") await page.evaluate(`document.documentElement.dir = "rtl"`)
            await page.locator("h2").waitFor()
            await walk?.(page)
            for (const width of widths) {
              await page.setViewportSize({ width, height: 800 })
              for (const colorScheme of schemes) {
                await page.emulateMedia({ colorScheme })
                await page.evaluate(twoFrames)
                const place = `${language} ${width} ${colorScheme}`
                found.push(...(await inspectLayout(page)).map((fault) => `${place}: ${fault}`))
                if (width === 390 && inspected[language] === colorScheme)
                  found.push(...(await faultsOf(page)).map((fault) => `${place}: ${fault}`))
              }
            }
          }
          expect(found).toEqual([])
        })
      })
    )

  live("a fault would be named", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ viewport: { width: 390, height: 800 }, reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=review`)
        await page.locator("h2").waitFor()
        await agree(page)
        await page.evaluate(`{
          const sheet = new CSSStyleSheet()
          sheet.replaceSync(\`
            input { border-color: transparent !important; background: none !important }
            summary { min-height: 20px !important; padding: 0 !important; font-size: 10px !important }
            h2 { width: 500px !important; overflow: visible }
            .lead::after { content: ""; position: fixed; inset: 0 }\`)
          document.querySelector("domain-connection").shadowRoot.adoptedStyleSheets.push(sheet)
        }`)
        const faults = (await inspectLayout(page)).join("\n")
        for (const fault of [
          /scrolls sideways/,
          /summary.* is only/,
          /h2.* is outside/,
          /input.* stands out/,
          /is covered by/
        ])
          expect(faults).toMatch(fault)
      })
    })
  )

  live("nothing moves while a screen is loaded", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ viewport: { width: 390, height: 800 }, reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        const shifts: Array<readonly [document: string, shift: number]> = []
        for (const document of new Set(Object.values(componentScreens).map(([first]) => first))) {
          await page.goto(`${url}?picture=${document}`)
          await page.locator("h2").waitFor()
          await page.waitForLoadState("networkidle")
          await page.evaluate(twoFrames)
          shifts.push([document, await readLayoutShift(page)])
        }
        expect(shifts.filter(([, shift]) => shift > 0.05)).toEqual([])
      })
    })
  )
})
