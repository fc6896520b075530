import type { Page } from "playwright-core"
import { readDocument } from "./recordedDocuments.ts"

/** What the customer does on the page to get to a screen. */
type Walk = (page: Page) => Promise<unknown>

/** Answers every question of the review, in whatever language, and goes on. */
export const agree: Walk = async (page) => {
  await page.locator("h2").waitFor()
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

/** Opens the page as the link for somebody else does. */
const helping: Walk = async (page) => {
  await page.evaluate(`document.querySelector("domain-connection").sender = "Anna Berg"`)
  await page.locator(".asks").waitFor()
}

const firstTask = ".task >> nth=0"
const lastTask = ".task >> nth=-1"
const shareButton = ".more-ways .link >> nth=0"

/** Each screen of each way: the recorded document that leads to it, and what the customer does there. */
export const componentScreens: { readonly [name: string]: readonly [document: string, walk?: Walk] } = {
  "the review": ["review"],
  "the review without mail": ["review-without-mx"],
  "the review of a name in Unicode": ["review-idn"],
  "the review of a new intent": ["review-of-new-intent"],
  "the review after the zone has changed": ["planned-again"],
  "the ways": ["review", agree],
  "the ways with a sign-in": ["review-with-sign-in", agree],
  "a sign-in in another window": ["signing-in"],
  "a sign-in that was denied": ["sign-in-denied"],
  "a failure of a key": ["refused-key"],
  "a failure after a part was written": ["partly-written"],
  "a field whose key was refused": ["review", refusedKey],
  "the start by hand": ["by-hand", agree],
  "a task by hand": ["by-hand", agreeAnd(firstTask)],
  "the last task by hand": ["by-hand", agreeAnd(lastTask)],
  "a slip at the host": ["slip-doubled-zone", agreeAnd(firstTask)],
  "a long value that was cut": ["slip-truncated", agreeAnd(firstTask)],
  "the link for somebody else": ["by-hand", agreeAnd(shareButton)],
  "what a helper is asked": ["two-providers", helping],
  "a helper whose turn it is not yet": ["review", helping],
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
