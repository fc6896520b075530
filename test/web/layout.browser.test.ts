import { expect } from "bun:test"
import { Effect } from "effect"
import { describePage, SharedPage } from "./Chromium.ts"
import { galleryServer } from "./componentGallery.ts"
import { agree, componentScreens } from "./componentScreens.ts"
import { inspectLayout, readLayoutShift } from "./inspectLayout.ts"
import { accessibilityFaults, awaitDrawn, collectComplaints } from "./inspectPage.ts"

const widths = [320, 390, 1280]

/** With Arabic, the page is from right to left. */
const languages = ["en", "de", "ar"]

/**
 * Each language at each width, and both of them in both colour schemes: where something is does not depend on its
 * colour, nor its colour on where it is.
 */
const places = languages.flatMap((language, nth) =>
  widths.map((width, of) => ({ language, width, colorScheme: (nth + of) % 2 === 0 ? "light" : "dark" }) as const)
)

/** Where the accessibility rules are tried: small and large, dark and light, one from each side. */
const inspected = ["en 1280 light", "ar 390 dark"]

const phone = { viewport: { width: 390, height: 800 }, reducedMotion: "reduce" } as const

describePage("at 320, 390 and 1280 px, light and dark, in three languages", phone, (live) => {
  for (const [name, [document, walk]] of Object.entries(componentScreens))
    live(`nothing is out of place: ${name}`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServer
        const page = yield* SharedPage
        const complaints = yield* collectComplaints(page)
        const found: Array<unknown> = []
        yield* Effect.promise(async () => {
          for (const language of languages) {
            await page.goto(`${url}?picture=${document}&locale=${language}`)
            if (language === "ar") await page.evaluate(`document.documentElement.dir = "rtl"`)
            await page.locator("h2").waitFor()
            await walk?.(page)
            for (const { colorScheme, width } of places.filter((place) => place.language === language)) {
              await page.setViewportSize({ width, height: 800 })
              await page.emulateMedia({ colorScheme })
              await awaitDrawn(page)
              const place = `${language} ${width} ${colorScheme}`
              found.push(...(await inspectLayout(page)).map((fault) => `${place}: ${fault}`))
              if (inspected.includes(place))
                found.push(...(await accessibilityFaults(page)).map((fault) => `${place}: ${fault}`))
            }
          }
          await page.unrouteAll()
          expect([...found, ...complaints]).toEqual([])
        })
      })
    )

  live("the five fields of an Azure principal, and how a key of IONOS is written, can be read at 320 px", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* SharedPage
      yield* Effect.promise(async () => {
        await page.setViewportSize({ width: 320, height: 640 })
        for (const language of languages)
          for (const picture of ["azure", "ionos"]) {
            await page.goto(`${url}?picture=${picture}&locale=${language}`)
            await agree(page)
            await page.locator(".best input").first().waitFor()
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme })
              await awaitDrawn(page)
              expect([language, picture, colorScheme, await inspectLayout(page)]).toEqual([
                language,
                picture,
                colorScheme,
                []
              ])
            }
            expect(await page.locator(".best input").count()).toBe(picture === "azure" ? 5 : 1)
          }
        await page.evaluate(`{
          const sheet = new CSSStyleSheet()
          sheet.replaceSync("input::placeholder { color: #888 !important }")
          document.querySelector("domain-connection").shadowRoot.adoptedStyleSheets.push(sheet)
        }`)
        await page.emulateMedia({ colorScheme: "light" })
        expect((await inspectLayout(page)).join()).toMatch(/has a placeholder of only 3\.\d+:1/)
      })
    })
  )

  live("a fault would be named", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* SharedPage
      yield* Effect.promise(async () => {
        await page.setViewportSize(phone.viewport)
        await page.goto(`${url}?picture=review`)
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
      const page = yield* SharedPage
      yield* Effect.promise(async () => {
        await page.setViewportSize(phone.viewport)
        const shifts: Array<readonly [document: string, shift: number]> = []
        for (const document of new Set(Object.values(componentScreens).map(([first]) => first))) {
          await page.goto(`${url}?picture=${document}`)
          await page.locator("h2").waitFor()
          await page.waitForLoadState("networkidle")
          await awaitDrawn(page)
          shifts.push([document, await readLayoutShift(page)])
        }
        expect(shifts.filter(([, shift]) => shift > 0.05)).toEqual([])
      })
    })
  )
})
