import { expect } from "bun:test"
import { Effect } from "effect"
import { de } from "../../src/web/words/de.ts"
import { Lab } from "../support/lab/Lab.ts"
import { labBind, labPowerDns, labService } from "../support/labService.ts"
import { describeServiceInBrowser } from "./Chromium.ts"
import {
  command,
  confirmWarnings,
  createLabDomain,
  headingOf,
  openCustomerPage,
  readChallenge,
  recordSet
} from "./labCustomer.ts"

const darkPhone = { viewport: { width: 390, height: 800 }, colorScheme: "dark", locale: "de" } as const

describeServiceInBrowser("a customer on a phone", labService([labPowerDns, labBind]), (live) => {
  live("reads in German what is missing of a connected domain, repairs it with a key, and is connected again", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("repaired-shop.com")
      const { pdns } = yield* Lab
      const { page, settings, url } = yield* openCustomerPage(domain, darkPhone)
      const connected = headingOf(page, `${domain} ist verbunden`)
      const allow = async () => {
        await page.getByLabel(de.apiToken).fill(pdns.key)
        await page.getByRole("button", { name: de.tokenButton }).click()
        await connected.waitFor()
      }
      yield* Effect.promise(async () => {
        await page.goto(url)
        await page.evaluate("document.querySelector('domain-connection').locale = 'de'")
        await confirmWarnings(page, de.goOn)
        await page.getByRole("button", { name: de.goOn }).click()
        await allow()
      })
      const whole = yield* pdns.dump(domain)
      yield* pdns.update(domain, [[recordSet(`www.${domain}`, "CNAME")]])
      yield* Effect.promise(async () => {
        await command(page, settings, "recheck")
        await headingOf(page, de.degradedTitle).waitFor()
        await page
          .locator(".checks li", { hasText: `www.${domain}` })
          .getByText(de.statusLost)
          .waitFor()
        await page.getByRole("button", { name: de.repair }).click()
        await confirmWarnings(page, de.goOn)
        await page.getByRole("button", { name: de.goOn }).click()
        await allow()
      })
      expect(yield* pdns.dump(domain)).toEqual(whole)
    })
  )

  live("enters the same at two providers, and reads at which of them it is not there yet", () =>
    Effect.gen(function* () {
      const domain = "mixed.com"
      const { bind, pdns } = yield* Lab
      const { page, url } = yield* openCustomerPage(domain, { viewport: { width: 320, height: 640 } })
      let challenge = ""
      yield* Effect.promise(async () => {
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        challenge = await readChallenge(page)
      })
      const entries = [
        [
          recordSet(`www.${domain}`, "A"),
          recordSet(`www.${domain}`, "CNAME", "web.hostprov.net."),
          recordSet(`_verify.${domain}`, "TXT", `"platform-verification=${domain}"`),
          recordSet(`_domain-connection.${domain}`, "TXT", `"${challenge}"`)
        ]
      ]
      yield* pdns.update(domain, entries)
      yield* Effect.promise(async () => {
        await page.reload()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        await page.locator(".task", { hasText: "At PowerDNS of the lab" }).first().click()
        await page.getByRole("button", { name: "I have saved it" }).click()
        await page.locator(".footer", { hasText: "Done: 3 of 6." }).waitFor()
        const done = await page.locator(".task.good").allTextContents()
        expect(done.map((text) => /At (\w+) of the lab/.exec(text)?.[1])).toEqual(["PowerDNS", "PowerDNS", "PowerDNS"])
        await page.locator(".task", { hasText: "At BIND of the lab" }).first().click()
      })
      yield* bind.update(domain, entries)
      yield* Effect.promise(async () => {
        const found = headingOf(page, `${domain} is connected`)
        await page.getByRole("button", { name: "I have saved it" }).or(found).first().click()
        await found.waitFor()
      })
    })
  )
})
