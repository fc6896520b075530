import { expect } from "bun:test"
import { Effect } from "effect"
import { explainWarnings } from "../../src/domain/connection/ConnectionDocument.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer, galleryServerWith, plan } from "./componentGallery.ts"
import { collapseWhitespace } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"

describeBrowser("the review of the component", (live) => {
  live("names in a confirmation the names that it is about, each once, and of many the first ones", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=many-hosts`)
        await page.locator(".tile").first().waitFor()
        const names = [..."abcdefghij"].map((letter) => `${letter}.many-shops.com`)
        const box = page.locator("label", { has: page.locator("[name=website_replaced]") })
        expect(collapseWhitespace(await box.innerText())).toBe(`Yes, replace the page at ${names.join(", ")}, and …`)
        const told = (await page.locator(".told").allTextContents()).map(collapseWhitespace)
        expect(told.filter((text) => text.startsWith(`${names.join(", ")}, …: `)).length).toBeGreaterThan(0)
      })
    })
  )

  live("says what was found out about a warning", () =>
    Effect.gen(function* () {
      const findings = ["shop.crumb-and-co-mail.test no longer answers with A."]
      const warnings = ["wildcard_hidden", "spf_include_broken"] as const
      const found = [{ code: "wildcard_hidden", changes: [0], findings }] as const
      const warningDetails = explainWarnings({ warnings, warningDetails: found })
      const shown = { ...readDocument("review-with-mail").connection, plan: { ...plan, warnings, warningDetails } }
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/v1/connections/1-changes") ? Response.json({ connection: shown }) : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=1-changes&locale=de`)
        await page.locator(".tile").first().waitFor()
        expect(await page.locator('.tile [lang="en"]').allTextContents()).toEqual(findings)
      })
    })
  )

  live("does not say of a removal that mail may stop, which it brings back", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=disconnect-review-without-mx`)
        await page.getByLabel("Yes, I get mail there").check()
        await page.getByText("Mail to small-bakery-token-only.test goes where it went before.").waitFor()
        await page.getByLabel("Yes, I have read this and want it").waitFor()
        expect(await page.getByText(/may stop|may be lost/).count()).toBe(0)
      })
    })
  )
})
