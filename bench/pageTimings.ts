import { Effect, type Scope } from "effect"
import { type Browser, chromium, type Page } from "playwright-core"

/** Starts a headless Chromium; `undefined` if none is installed. */
export const openBrowser: Effect.Effect<Browser | undefined, never, Scope.Scope> = Effect.gen(function* () {
  const executablePath = process.env["CHROMIUM"] ?? Bun.which("chromium") ?? Bun.which("chromium-headless-shell")
  if (executablePath === null) return undefined
  return yield* Effect.acquireRelease(
    Effect.promise(() => chromium.launch({ executablePath, args: chromiumFlags })),
    (browser) => Effect.promise(() => browser.close())
  )
})

const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** How long a customer waited, in milliseconds. */
export interface PageTimings {
  /** From the navigation until the first enabled button is visible, with an empty browser cache. */
  readonly cold: number
  /** The part of `cold` after the script of the element had loaded. */
  readonly afterScript: number
  /** Like `cold`, when the page is opened again. */
  readonly warm: number
  /** From sending the command that changes the connection until the new heading is visible. */
  readonly change: number
}

/** A command that changes the connection, and the heading that the page then shows. */
export interface ConnectionChange {
  readonly command: () => Promise<unknown>
  readonly heading: string
}

/** Opens a page twice, at first with an empty cache, and waits until `change` is visible, if given. */
export const measurePage = (browser: Browser, url: string, change?: ConnectionChange): Effect.Effect<PageTimings> =>
  Effect.acquireUseRelease(
    Effect.promise(() => browser.newContext({ locale: "en" })),
    (context) =>
      Effect.promise(async () => {
        const page = await context.newPage()
        const nextDrawing = await watchPage(page)
        const first = await openPage(url, page, nextDrawing)
        if (change === undefined)
          return { ...first, warm: (await openPage(url, page, nextDrawing)).cold, change: Number.NaN }
        const [again] = await Promise.all([
          openPage(url, page, nextDrawing),
          page.waitForResponse((response) => response.url().endsWith("/stream"))
        ])
        const shown = nextDrawing(change.heading)
        const sentAt = performance.timeOrigin + performance.now()
        await change.command()
        const { at, timeOrigin } = await shown
        return { ...first, warm: again.cold, change: timeOrigin + at - sentAt }
      }),
    (context) => Effect.promise(() => context.close())
  )

/** Something new that the element has drawn. */
interface Drawing {
  /** The text of a heading; `button` for the first enabled button. */
  readonly what: string
  /** Milliseconds since the navigation, which was at `timeOrigin`. */
  readonly at: number
  readonly timeOrigin: number
  /** When the script of the element had loaded, in milliseconds since the navigation. */
  readonly scriptAt: number
}

type NextDrawing = (what: string) => Promise<Drawing>

const openPage = async (url: string, page: Page, nextDrawing: NextDrawing) => {
  const drawn = nextDrawing("button")
  await page.goto(url)
  const { at, scriptAt } = await drawn
  return { cold: at, afterScript: at - scriptAt }
}

/** Makes the page report what its element draws. */
const watchPage = async (page: Page): Promise<NextDrawing> => {
  let report: ((drawn: Drawing) => void) | undefined
  await page.exposeFunction("reportDrawing", (drawn: Drawing) => report?.(drawn))
  await page.addInitScript(reportingScript)
  return (what) =>
    new Promise((resolve) => {
      report = (drawn) => drawn.what === what && resolve(drawn)
    })
}

/** A timer that is set in an animation frame runs after that frame was drawn. */
const reportingScript = `{
  const attachShadow = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init)
    const shown = new Set()
    const reportNew = (what) => {
      if (shown.has(what)) return
      shown.add(what)
      requestAnimationFrame(() => setTimeout(() => {
        const at = performance.now()
        const script = performance.getEntriesByType("resource").find(({ name }) => /connect|handwritten|empty/.test(name))
        reportDrawing({ what, at, timeOrigin: performance.timeOrigin, scriptAt: script.responseEnd })
      }))
    }
    const readRoot = () => {
      if (root.querySelector("button:enabled") !== null) reportNew("button")
      root.querySelectorAll("h2").forEach((heading) => reportNew(heading.textContent.trim()))
    }
    new MutationObserver(readRoot).observe(root, { childList: true, subtree: true, attributes: true, characterData: true })
    return root
  }
}`
