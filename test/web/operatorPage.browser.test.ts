import { expect } from "bun:test"
import { Effect } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "../../prove/connectionSteps.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueAdminKey, issueKey, serviceUrl, tenancyOf } from "../support/testApi.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { accessibilityFaults } from "./inspectPage.ts"

/** The folder for screenshots: set it to `docs/screenshots` to renew those of the documentation. */
const folder = process.env["SCREENSHOTS"]

const domains = ["bakery-example.com", "florist-example.org"]

/** One active connection, one that waits for its customer, and one that failed. */
const threeConnections = Effect.gen(function* () {
  const { key } = yield* issueKey(tenancyOf("shop-builder", "bakery"))
  const api = makeApiClient(yield* serviceUrl, key)
  const shop = desiredShopOf("bakery-example.com")
  const active = yield* createPlannedConnection(api, shop)
  yield* authorizeAndApprove(api, active, shop)
  yield* waitForState(api, active.id, ["active"])
  yield* createPlannedConnection(api, desiredShopOf("florist-example.org"))
  const created = yield* api.post("/v1/connections", {
    intent: { domain: "missing-example.com", records: [{ host: "www", type: "A", value: "192.0.2.1" }] }
  })
  yield* waitForState(api, created.body.connection.id, ["failed"])
})

describeBrowser("the page of operators", (live) => {
  live("refuses a wrong key, finds a connection, shows what it waits for, and checks it", () =>
    Effect.gen(function* () {
      const { layer } = yield* scriptedService(urlOf(yield* freshDatabase), domains)
      yield* Effect.gen(function* () {
        yield* threeConnections
        const [url, key] = yield* Effect.all([serviceUrl, issueAdminKey])
        const page = yield* openPage({ viewport: { width: 1_280, height: 900 }, reducedMotion: "reduce" })
        yield* Effect.promise(async () => {
          await page.goto(`${url}/admin`)
          await page.getByLabel("Admin key").fill("dcka_wrong")
          await page.getByRole("button", { name: "Open" }).click()
          await page.getByRole("alert").getByText("valid admin key").waitFor()
          expect(await accessibilityFaults(page)).toEqual([])
          await page.getByLabel("Admin key").fill(key)
          await page.getByRole("button", { name: "Open" }).click()
          await page.getByRole("button", { name: "bakery-example.com" }).waitFor()
          expect(await page.getByRole("alert").textContent()).toBe("")
          expect(await page.locator("#found ~ table tbody tr").count()).toBe(3)
          expect(await page.locator("#providers ~ table tbody").textContent()).toContain("unknown")
          await page.getByLabel("Show").selectOption("failed or degraded")
          await page.getByRole("button", { name: "Find" }).click()
          await page.getByRole("button", { name: "bakery-example.com" }).waitFor({ state: "detached" })
          expect(await page.locator("#found ~ table tbody tr").count()).toBe(1)
          await page.getByRole("button", { name: "missing-example.com" }).click()
          await page.getByText("domain_not_registered: ").waitFor()
          await page.locator("section:has(#inspected) li").getByText("missing-example.com").waitFor()
          await page.getByLabel("Show").selectOption("the newest")
          await page.getByLabel("Domain or id").fill("bakery-example.com")
          await page.getByLabel("Domain or id").press("Enter")
          await page.getByRole("button", { name: "bakery-example.com" }).click()
          await page.getByText("The service checks again by itself.").waitFor()
          expect(await page.evaluate("document.activeElement.id")).toBe("inspected")
          await page.getByText("create A shop").waitFor()
          const audit = page.locator("section:has(#audit) tbody tr")
          expect(await audit.first().textContent()).toMatch(/connection\.active\s*service verify/)
          expect(await audit.last().textContent()).toMatch(/connection\.created\s*api_key/)
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            expect([colorScheme, await accessibilityFaults(page)]).toEqual([colorScheme, []])
          }
          await page.emulateMedia({ colorScheme: "light" })
          if (folder !== undefined) await page.screenshot({ path: `${folder}/operator-en-desktop-light.png` })
          await page.getByRole("button", { name: "Check now" }).click()
          await page.getByRole("heading", { name: "bakery-example.com: active" }).waitFor()
          await page.setViewportSize({ width: 390, height: 844 })
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
          expect(await accessibilityFaults(page)).toEqual([])
          if (folder !== undefined) await page.screenshot({ path: `${folder}/operator-en-phone-light.png` })
          await page.route(/connections\?/, (route) => route.continue({ url: `${route.request().url()}&limit=2` }))
          await page.getByLabel("Domain or id").fill("")
          await page.getByRole("button", { name: "Find" }).click()
          await page.getByRole("button", { name: "Show more" }).click()
          await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" })
          expect(await page.locator("#found ~ table tbody tr").count()).toBe(3)
          expect(await page.evaluate("document.activeElement.textContent")).toBe("bakery-example.com")
        })
      }).pipe(Effect.provide(layer))
    })
  )
})
