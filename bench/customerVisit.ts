import { Effect, type Scope } from "effect"
import { type Browser, chromium, type Page } from "playwright-core"

/** A headless Chromium that is running already when the customer comes; `undefined` where there is none. */
export const openBrowser: Effect.Effect<Browser | undefined, never, Scope.Scope> = Effect.gen(function* () {
  const executablePath = process.env["CHROMIUM"] ?? Bun.which("chromium") ?? Bun.which("google-chrome")
  if (executablePath === null) return undefined
  return yield* Effect.acquireRelease(
    Effect.promise(() => chromium.launch({ executablePath, args: quiet })),
    (browser) => Effect.promise(() => browser.close())
  )
})

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** What a customer has waited for, in milliseconds. */
export interface VisitTimings {
  /** From the navigation until the first button can be seen and pressed; nothing was in the browser's cache. */
  readonly cold: number
  /** Of that, what came after the script of the element was there. */
  readonly afterScript: number
  /** The same as `cold` on a second visit. */
  readonly warm: number
  /** From sending the command that changes the connection until the new heading can be seen. */
  readonly change: number
}

/** What changes the connection, and the heading that then stands over it. */
export interface VisitChange {
  readonly command: () => Promise<unknown>
  readonly heading: string
}

/** Somebody who has never been at this page visits it twice and stays until `change` shows, if it is to change. */
export const measureVisit = (browser: Browser, url: string, change?: VisitChange): Effect.Effect<VisitTimings> =>
  Effect.acquireUseRelease(
    Effect.promise(() => browser.newContext({ locale: "en" })),
    (context) =>
      Effect.promise(async () => {
        const page = await context.newPage()
        const nextDrawn = await watched(page)
        const first = await arrivedAt(url, page, nextDrawn)
        if (change === undefined)
          return { ...first, warm: (await arrivedAt(url, page, nextDrawn)).cold, change: Number.NaN }
        const [again] = await Promise.all([
          arrivedAt(url, page, nextDrawn),
          page.waitForResponse((response) => response.url().endsWith("/stream"))
        ])
        const shown = nextDrawn(change.heading)
        const sentAt = performance.timeOrigin + performance.now()
        await change.command()
        const { at, timeOrigin } = await shown
        return { ...first, warm: again.cold, change: timeOrigin + at - sentAt }
      }),
    (context) => Effect.promise(() => context.close())
  )

/** Something new that the element shows, from the next frame on. */
interface Drawn {
  /** The text of a heading; `button` for the first that can be pressed. */
  readonly what: string
  /** Since the navigation, which was at `timeOrigin`. */
  readonly at: number
  readonly timeOrigin: number
  /** When the script of the element had arrived. */
  readonly scriptAt: number
}

type NextDrawn = (what: string) => Promise<Drawn>

const arrivedAt = async (url: string, page: Page, nextDrawn: NextDrawn) => {
  const drawn = nextDrawn("button")
  await page.goto(url)
  const { at, scriptAt } = await drawn
  return { cold: at, afterScript: at - scriptAt }
}

/** Has the page tell what its element draws. */
const watched = async (page: Page): Promise<NextDrawn> => {
  let hear: ((drawn: Drawn) => void) | undefined
  await page.exposeFunction("tellDrawn", (drawn: Drawn) => hear?.(drawn))
  await page.addInitScript(tellingScript)
  return (what) =>
    new Promise((resolve) => {
      hear = (drawn) => drawn.what === what && resolve(drawn)
    })
}

/** A timer that is set in a frame runs after that frame was drawn. */
const tellingScript = `{
  const attachShadow = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init)
    const shown = new Set()
    const tell = (what) => {
      if (shown.has(what)) return
      shown.add(what)
      requestAnimationFrame(() => setTimeout(() => {
        const at = performance.now()
        const script = performance.getEntriesByType("resource").find(({ name }) => /connect|byHand|empty/.test(name))
        tellDrawn({ what, at, timeOrigin: performance.timeOrigin, scriptAt: script.responseEnd })
      }))
    }
    const look = () => {
      if (root.querySelector("button:enabled") !== null) tell("button")
      root.querySelectorAll("h2").forEach((heading) => tell(heading.textContent.trim()))
    }
    new MutationObserver(look).observe(root, { childList: true, subtree: true, attributes: true, characterData: true })
    return root
  }
}`
