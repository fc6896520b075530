import { expect } from "bun:test"
import { Effect } from "effect"
import { describeBrowser, openPage } from "./Chromium.ts"
import { componentScreens } from "./componentScreens.ts"
import { galleryServer, galleryServerWith, galleryStates } from "./componentGallery.ts"

/** Parents that a page may put the component in; half of them are as wide as their content wants to be. */
const parents: { readonly [name: string]: string } = {
  block: "",
  flex: "display: flex",
  "centred flex": "display: flex; flex-direction: column; align-items: center",
  "inline flex": "display: inline-flex",
  grid: "display: grid",
  "centred grid": "display: grid; place-items: center",
  "inline grid": "display: inline-grid",
  "inline block": "display: inline-block",
  absolute: "position: absolute",
  fixed: "position: fixed",
  float: "float: left",
  "fit content": "width: fit-content",
  dialog: "dialog",
  "modal dialog": "modal",
  "table cell": "display: table-cell"
}

/** What style sheets of pages do to every element, or let it inherit. */
const styleSheets = {
  "a small root": `html { font-size: 62.5% }
    body { font-size: 1.6rem; line-height: 3; text-transform: uppercase; letter-spacing: 0.3em; white-space: nowrap }`,
  "a rule for every element": `* { margin: 0; padding: 0; font: italic 10px / 1 serif; letter-spacing: 2px;
    text-transform: uppercase; white-space: pre; word-spacing: 1em; color: red; min-width: 0 }
    domain-connection { text-indent: 3em }`,
  "a page from right to left": `html { direction: rtl } body { text-align: center; font-weight: 900; word-break: break-all;
    line-height: 0; cursor: wait; text-shadow: 1px 1px red; font-variant: small-caps; writing-mode: horizontal-tb }
    * { width: auto; max-width: 100%; flex: none }`
}

const widths = [320, 390, 1280]

const untouched = {
  fontSize: "16px",
  fontStyle: "normal",
  letterSpacing: "normal",
  textIndent: "0px",
  textTransform: "none",
  whiteSpace: "normal",
  wordSpacing: "0px"
}

/** Together, the parents under all style sheets show each screen at least once. */
const screens = Object.entries(componentScreens)

const parentCount = Object.keys(parents).length

const pageWith = (
  parent: string,
  styleSheet: string,
  document: string
) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title><style>${styleSheet}</style>
  <script type="module" src="/v1/connect.js"></script></head><body><main>${wrap(parent, `<domain-connection token="t" connection-id="${document}" locale="en"></domain-connection>`)}</main><script>document.querySelector("dialog.modal")?.showModal()</script></body></html>`

const wrap = (parent: string, element: string): string =>
  parent === "dialog" || parent === "modal"
    ? `<dialog class="${parent}" ${parent === "dialog" ? "open" : ""}>${element}</dialog>`
    : `<div style="${parent}">${element}</div>`

const measure = `(() => {
  const host = document.querySelector("domain-connection")
  const card = host.shadowRoot.querySelector(".card")
  const style = getComputedStyle(card)
  return {
    width: Math.round(card.getBoundingClientRect().width),
    scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    style: Object.fromEntries(${JSON.stringify(Object.keys(untouched))}.map((name) => [name, style[name]]))
  }
})()`

describeBrowser("in every parent and under every style sheet of a page, the component", (live) => {
  for (const [nth, [sheet, styleSheet]] of Object.entries(styleSheets).entries())
    live(`has its width and its own text style, on some of its screens: ${sheet}`, () =>
      Effect.gen(function* () {
        const { url } = yield* galleryServerWith((request) => {
          const { pathname, searchParams } = new URL(request.url)
          return pathname === "/parent"
            ? new Response(
                pageWith(parents[searchParams.get("in") ?? ""] ?? "", styleSheet, searchParams.get("shows") ?? ""),
                {
                  headers: { "content-type": "text/html; charset=utf-8" }
                }
              )
            : undefined
        })
        const page = yield* openPage({ reducedMotion: "reduce" })
        yield* Effect.promise(async () => {
          for (const [place, parent] of Object.keys(parents).entries()) {
            const [screen = "", [document = "", walk] = []] =
              screens[(nth * parentCount + place) % screens.length] ?? []
            const name = `${screen} in ${parent}`
            // What is fixed does not scroll: the walk needs all of it.
            await page.setViewportSize({ width: 1280, height: 4_000 })
            await page.goto(`${url}parent?in=${parent}&shows=${document}`)
            await page.locator("h2").waitFor()
            await walk?.(page)
            for (const width of widths) {
              await page.setViewportSize({ width, height: 700 })
              const measured: any = await page.evaluate(measure)
              const least = width === 1280 ? 640 : width - 80
              expect({ name, screen: width, isWide: measured.width >= least, ...measured }).toEqual({
                name,
                screen: width,
                isWide: true,
                width: measured.width,
                scrolls: 0,
                style: untouched
              })
            }
          }
        })
      })
    )
})

describeBrowser("on every screen of the gallery, the component", (live) => {
  live("has targets of 44 px, and no sideways scrolling at 200 % on a phone", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ viewport: { width: 320, height: 640 }, reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        const found: Array<unknown> = []
        for (const name of Object.keys(galleryStates)) {
          await page.goto(`${url}?picture=${name}`)
          await page.locator("h2").waitFor()
          found.push(...((await page.evaluate(smallTargets)) as ReadonlyArray<string>).map((text) => [name, text]))
          await page.evaluate(`document.querySelector("domain-connection").style.setProperty("--dc-font-size", "32px")`)
          const width = await page.evaluate("document.documentElement.scrollWidth")
          if (width !== 320) found.push([name, "scrolls", width])
        }
        expect(found).toEqual([])
      })
    })
  )

  live("keeps its steps visible in forced colours", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ forcedColors: "active" })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=4-progress`)
        await page.locator("h2").waitFor()
        const colours: any = await page.evaluate(`[...document.querySelector("domain-connection").shadowRoot
          .querySelectorAll(".bar li")].map((step) => getComputedStyle(step).borderTopColor)`)
        expect(colours.length).toBe(4)
        expect(new Set(colours).size).toBe(2)
        expect(colours.every((colour: string) => colour !== "rgb(255, 255, 255)")).toBe(true)
      })
    })
  )

  live("keeps names of records from left to right on a page from right to left", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=1-changes`)
        await page.evaluate(`document.documentElement.dir = "rtl"`)
        await page.locator("h2").waitFor()
        const directions = await page.evaluate(`[...new Set([...document.querySelector("domain-connection").shadowRoot
          .querySelectorAll("code")].map((code) => getComputedStyle(code).direction))]`)
        expect(directions).toEqual(["ltr"])
      })
    })
  )
})

/** The controls that are smaller than a fingertip; of a box its label counts. */
const smallTargets = `[...document.querySelector("domain-connection").shadowRoot
  .querySelectorAll("a, button, input, select, textarea, summary")]
  .map((control) => control.closest("label") ?? control)
  .filter((control) => control.checkVisibility())
  .map((control) => [control, control.getBoundingClientRect()])
  .filter(([, { height, width }]) => height < 43.9 || width < 43.9)
  .map(([control, { height, width }]) => control.className + " " + control.textContent.trim().slice(0, 30) + " " + width + "×" + height)`
