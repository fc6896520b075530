import { describe, test } from "bun:test"
import { Context, Effect, Exit, Layer } from "effect"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { nameSkipped } from "../support/describeIfPossible.ts"
import { withLayer } from "../support/effectTest.ts"
import { Lab } from "../support/lab/Lab.ts"
import { labUnavailableReason } from "../support/lab/labAvailability.ts"

/** The shell without windows comes first: a page in it takes a quarter of the processor time that one in a window takes. */
const programs = ["chromium-headless-shell", "chromium", "google-chrome"]

const program = process.env["CHROMIUM"] ?? programs.map((name) => Bun.which(name)).find((path) => path !== null)

const noBrowser =
  program === undefined
    ? `no Chromium is installed; apt-get install -y --no-install-recommends ${programs[0]}`
    : undefined

/** A headless Chromium, shared by the tests of a file. */
export class Chromium extends Context.Tag("test/Chromium")<Chromium, Browser>() {
  static readonly layer = Layer.scoped(
    Chromium,
    Effect.acquireRelease(
      Effect.promise(() =>
        chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox", "--disable-dev-shm-usage"] })
      ),
      (browser) => Effect.promise(() => browser.close())
    )
  )
}

/** Runs tests in a browser. Without Chromium they are skipped and say why; with `CI=true` that is a failure. */
export const describeBrowser = (name: string, tests: Parameters<typeof withLayer<Chromium, unknown>>[2]): void =>
  runUnless(noBrowser, name, () => withLayer(name, Chromium.layer, tests))

/** The same on one page, for tests that leave nothing behind on it: a page of its own takes longer than what they look at. */
export const describePage = (
  name: string,
  options: BrowserContextOptions,
  tests: Parameters<typeof withLayer<SharedPage, unknown>>[2]
): void =>
  runUnless(noBrowser, name, () => withLayer(name, Layer.provide(SharedPage.layer(options), Chromium.layer), tests))

/** Runs tests in a browser against a service that uses the name servers of the lab. */
export const describeServiceInBrowser = <R, E>(
  name: string,
  service: Layer.Layer<R, E, Chromium | Lab>,
  tests: Parameters<typeof withLayer<Chromium | Lab | R, unknown>>[2]
): void =>
  runUnless(noBrowser ?? noLab, name, () =>
    withLayer(name, Layer.provideMerge(service, Layer.merge(Chromium.layer, Lab.layer)), tests)
  )

const noLab = await labUnavailableReason()

const runUnless = (reason: string | undefined, name: string, run: () => void): void => {
  if (reason === undefined) return run()
  if (process.env["CI"] === "true")
    return test(`${name}: Chromium is installed`, () => Promise.reject(new Error(reason)))
  describe.skip(nameSkipped(name, reason), () => test("in a browser", () => {}))
}

/** Opens a page in a browser context of its own, which is closed at the end of the scope; a failure says what it showed. */
export const openPage = (options: BrowserContextOptions = {}) =>
  Effect.gen(function* () {
    const browser = yield* Chromium
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => browser.newContext(options)),
      (opened, exit) => Effect.promise(() => (Exit.isSuccess(exit) ? opened.close() : closeShown(opened)))
    )
    // Shorter than the time limit of a test, so that the error names what it waited for.
    context.setDefaultTimeout(90_000)
    return yield* Effect.promise(() => context.newPage())
  })

/** Stops the clock of a page: its timers run when the test lets time pass, however slow the machine is. */
export const stopClock = async (page: Page): Promise<void> => {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1_000)
}

/** A page that tests open one after the other. */
export class SharedPage extends Context.Tag("test/SharedPage")<SharedPage, Page>() {
  static readonly layer = (options: BrowserContextOptions) => Layer.scoped(SharedPage, openPage(options))
}

/** Prints what the pages of a context show, and closes it. */
const closeShown = async (context: BrowserContext) => {
  for (const page of context.pages())
    console.error(page.url(), await page.locator("body").ariaSnapshot({ timeout: 5_000 }).catch(String))
  await context.close()
}
