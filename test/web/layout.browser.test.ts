import { expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer } from "./componentGallery.ts"
import { inspectLayout, readLayoutShift } from "./inspectLayout.ts"
import { readDocument } from "./recordedDocuments.ts"

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

type Walk = (page: Page) => Promise<unknown>

/** Answers every question of the review, in whatever language, and goes on. */
const agree: Walk = async (page) => {
  // The page remembers in each language what was agreed to in the first one.
  if ((await page.locator(".tile").count()) === 0) return
  const answers = page.locator("input[type=radio]")
  if ((await answers.count()) > 0) await answers.last().check()
  for (const box of await page.locator("input[type=checkbox]").all()) await box.check()
  await page.locator("button[type=submit], .actions .main").first().click()
  await page.locator(".tile").first().waitFor({ state: "detached" })
}

const agreeAnd =
  (...selectors: ReadonlyArray<string>): Walk =>
  async (page) => {
    await agree(page)
    for (const selector of selectors) await page.locator(selector).click()
  }

/** Enters a key that the service refuses, so that the field says it. */
const refusedKey: Walk = async (page) => {
  const { connection } = readDocument("refused-key")
  await page.route("**/authorization", (route) => route.fulfill({ json: { connection } }))
  await agree(page)
  await page.locator("input:visible").first().fill("a key with a typing error")
  await page.locator(".best button[type=submit]").click()
  await page.locator(".wrong").waitFor()
}

const firstTask = ".task >> nth=0"
const lastTask = ".task >> nth=-1"
const shareButton = ".more-ways .link >> nth=0"

/** Each screen of each way: the recorded document that leads to it, and what the customer does there. */
const screens: { readonly [name: string]: readonly [document: string, walk?: Walk] } = {
  "the review": ["review"],
  "the review without mail": ["review-without-mx"],
  "the review of a name in Unicode": ["review-idn"],
  "the review after the zone has changed": ["planned-again"],
  "the ways": ["review", agree],
  "the ways with a sign-in": ["review-with-sign-in", agree],
  "a sign-in in another window": ["signing-in"],
  "a sign-in that was denied": ["sign-in-denied"],
  "a failure of a key": ["refused-key"],
  "a field whose key was refused": ["review", refusedKey],
  "the start by hand": ["by-hand", agree],
  "a task by hand": ["by-hand", agreeAnd(firstTask)],
  "the last task by hand": ["by-hand", agreeAnd(lastTask)],
  "a slip at the host": ["slip-doubled-zone", agreeAnd(firstTask)],
  "a long value that was cut": ["slip-truncated", agreeAnd(firstTask)],
  "the link for somebody else": ["by-hand", agreeAnd(shareButton)],
  "two providers": ["two-providers", agree],
  "a task at one of two providers": ["two-providers", agreeAnd(lastTask)],
  "an unknown provider": ["unknown-provider", agree],
  progress: ["verifying"],
  success: ["active"],
  "success by hand": ["active-by-hand"],
  "a repair": ["degraded"],
  "the review of a removal": ["disconnect-review"],
  "a removal by hand": ["disconnecting-by-hand"],
  "a task of a removal by hand": ["disconnecting-by-hand", (page) => page.locator(firstTask).click()],
  "the end of a removal": ["disconnected"],
  "the end of a removal by hand": ["disconnected-by-hand"],
  "a removal that left something": ["disconnected-partly"]
}

const widths = [320, 390, 1280]
const schemes = ["light", "dark"] as const

/** With Arabic, the page is from right to left. */
const languages = ["en", "de", "ar"]

/** With reduced motion, nothing changes by and by: two frames after a change all is drawn. */
const twoFrames = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join()))`)
}

describeBrowser("at 320, 390 and 1280 px, light and dark, in three languages", (live) => {
  for (const [name, [document, walk]] of Object.entries(screens))
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
                if (width === 390 && language !== "de")
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
        for (const document of new Set(Object.values(screens).map(([first]) => first))) {
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
