import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer } from "./componentGallery.ts"

/** Opens a recorded document as the link of a customer does. */
const openAsHelper = async (page: Page, url: URL, name: string) => {
  await page.goto(`${url}?picture=${name}`)
  await page.evaluate(`document.querySelector("domain-connection").sender = "Anna Berg"`)
  await page.locator("h2").waitFor()
}

describeBrowser("for a helper, the component", (live) => {
  live("says where entries are to be changed: at both providers, or at one that nobody knows", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const asks: Array<string> = []
        for (const name of ["two-providers", "unknown-provider"]) {
          await openAsHelper(page, url, name)
          await page.locator(".task").first().waitFor()
          asks.push(await page.locator(".asks").innerText())
        }
        expect(asks).toEqual([
          expect.stringMatching(/^Anna Berg asks you to change \d entries at .+ and .+\.$/),
          expect.stringMatching(/^Anna Berg asks you to change \d entries at your provider\.$/)
        ])
      })
    })
  )

  live("offers nothing that only the customer may do", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await openAsHelper(page, url, "unknown-provider")
        await page.getByRole("button", { name: "Download as a file" }).waitFor()
        expect(await page.getByRole("button", { name: "Send to my web person" }).count()).toBe(0)
      })
    })
  )

  live("asks for nothing any more once everything is done", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        for (const name of ["verifying", "active-by-hand", "disconnected-by-hand"]) {
          await openAsHelper(page, url, name)
          expect([name, await page.locator(".asks").count()]).toEqual([name, 0])
        }
      })
    })
  )
})
