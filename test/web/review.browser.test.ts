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
      const added = Array.from({ length: 11 }, (_, index) => ({
        action: "create",
        after: { ...plan.changes[0]?.after, host: `shop${index}`, name: `shop${index}.crumb-and-co-mail.test` },
        destructive: false
      }))
      const warnings = ["website_replaced", "mx_replaced", "plan_large_deletion", "spf_include_broken"] as const
      const warningDetails = explainWarnings({
        warnings,
        warningDetails: [
          { code: "website_replaced", changes: [0, 4] },
          { code: "mx_replaced", changes: [3] },
          { code: "plan_large_deletion", changes: added.map((_, index) => 4 + index) },
          { code: "spf_include_broken", changes: [] }
        ]
      })
      const { connection } = readDocument("review-with-mail")
      const changed = { ...plan, changes: [...plan.changes, ...added], warnings, warningDetails }
      const shown = { ...connection, plan: changed }
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/v1/connections/1-changes") ? Response.json({ connection: shown }) : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=1-changes`)
        await page.locator(".tile").first().waitFor()
        const names = Array.from({ length: 10 }, (_, index) => `shop${index}.crumb-and-co-mail.test`)
        const told = (await page.locator(".told").allTextContents()).map(collapseWhitespace)
        for (const about of [
          "www.crumb-and-co-mail.test, shop0.crumb-and-co-mail.test: The website",
          "crumb-and-co-mail.test: Your mail",
          `${names.join(", ")}, …: Many entries`,
          "Your list"
        ])
          expect(told.filter((text) => text.startsWith(about)).length).toBe(1)
        const box = page.locator("label", { has: page.locator("[name=website_replaced]") })
        expect(collapseWhitespace(await box.innerText())).toBe(
          "Yes, replace the page at www.crumb-and-co-mail.test and shop0.crumb-and-co-mail.test"
        )
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
