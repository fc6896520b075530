import { expect } from "bun:test"
import { Effect } from "effect"
import { describeBrowser, openPage } from "./Chromium.ts"
import { connection, galleryServerWith, plan } from "./componentGallery.ts"
import { headingOf } from "./labCustomer.ts"

describeBrowser("the entries to make by hand", (live) => {
  live("have no address of a proxy, and say to turn it off at the entry in its place", () =>
    Effect.gen(function* () {
      const alias = plan.changes[1]
      const proxied = ["104.16.0.1", "104.16.0.2"].map((value) => ({
        action: "delete",
        before: { host: "www", type: "A", value, ttl: 300, optional: false, proxied: true },
        destructive: true
      }))
      const shown = connection("awaiting_manual", { plan: { ...plan, changes: [...proxied, alias] } })
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/v1/connections/proxied") ? Response.json({ connection: shown }) : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=proxied`)
        await headingOf(page, "Enter these changes").waitFor()
        const entries = await page.locator("ol.records > li").allInnerTexts()
        expect(entries).toHaveLength(1)
        expect(entries[0]).toContain("turn the proxy off")
      })
    })
  )
})
