import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import type { ConsoleMessage, Page } from "playwright-core"

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

/** The accessibility rules that a page violates as it is shown now, each with its elements. */
export const accessibilityFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`)
}

/** Empties a page, and collects what its console says then and which errors it has, but for images that are missing. */
export const collectComplaints = (page: Page): Effect.Effect<ReadonlyArray<string>, never, Scope.Scope> => {
  const complaints: Array<string> = []
  const collect = (complaint: ConsoleMessage | Error) => {
    const text = complaint instanceof Error ? complaint.message : complaint.text()
    if (!text.includes("404")) complaints.push(text)
  }
  return Effect.acquireRelease(
    Effect.promise(async () => {
      await page.goto("about:blank")
      page.on("console", collect).on("pageerror", collect)
      return complaints
    }),
    () => Effect.sync(() => page.off("console", collect).off("pageerror", collect))
  )
}

/** Waits until a page is drawn after a change: with reduced motion, nothing changes by and by. */
export const awaitDrawn = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
