import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { serviceUrl } from "../support/testApi.ts"
import { issueTestKey, requesterWith, testModeService } from "../testmode/testModeService.ts"
import { describeBrowser, openPage } from "./Chromium.ts"
import { collapseWhitespace, confirmWarnings, headingOf, openWay } from "./labCustomer.ts"

/** The first replaces a website, which must be acknowledged. */
const records = ["www", "app"].map((host) => ({ host, type: "CNAME", value: "shops.platform.example" }))

/** A customer at a domain of test mode, on the page of a link, with the commands of a server beside them. */
const openCustomer = (key: string, domain: string) =>
  Effect.gen(function* () {
    const platform = yield* requesterWith(key)
    const { id } = yield* platform.connect(domain, records)
    const { json } = yield* platform.command(id, "share-link")
    const page = yield* openPage({ viewport: { width: 390, height: 800 }, locale: "en" })
    const address = yield* serviceUrl
    /** Agrees to the changes, and lets the service in with a key. */
    const allow = async () => {
      await page.goto(`${address}${json.path}`)
      await confirmWarnings(page)
      await page.getByRole("button", { name: "Continue" }).click()
      await openWay(page, "With an access key")
      await page.getByLabel("API token").fill("any-token")
      await page.getByRole("button", { name: "Allow and connect" }).click()
    }
    /** Enters at the provider what the plan for it asks for. */
    const enter = Effect.gen(function* () {
      const { plan } = yield* Effect.repeat(Effect.delay(platform.read(id), "50 millis"), {
        until: ({ plan, state }) => state === "awaiting_manual" && plan.basis === "public_dns"
      })
      const sets = plan.changes.flatMap(({ after }: any) =>
        after === undefined ? [] : [{ host: after.host, type: after.type, values: [after.value] }]
      )
      expect((yield* platform.test(id, "change-records", { records: sets })).status).toBe(200)
      yield* platform.command(id, "recheck")
      yield* platform.waitFor(id, "active")
      return plan.changes.flatMap(({ after }: any) => after?.host ?? [])
    })
    return { ...platform, allow, enter, id, page }
  })

const buttonsOf = async (page: Page) => (await page.locator(".actions button").allInnerTexts()).map(collapseWhitespace)

const atTestMode = <A, E>(story: (key: string) => Effect.Effect<A, E, any>) =>
  Effect.gen(function* () {
    const databaseUrl = urlOf(yield* freshTestModeDatabase)
    yield* Effect.flatMap(issueTestKey(databaseUrl), story).pipe(Effect.provide(testModeService(databaseUrl)))
  })

describeBrowser("where the provider refuses a change, the component", (live) => {
  live("leads on by hand, without asking again what was agreed to", () =>
    atTestMode((key) =>
      Effect.gen(function* () {
        const { allow, enter, page, waitFor, id } = yield* openCustomer(key, "bakery-rejected.test")
        yield* Effect.promise(async () => {
          await allow()
          await page.getByText("Your provider refused the change.").waitFor()
          expect((await buttonsOf(page)).slice(0, 2)).toEqual(["Try again", "Do it yourself"])
          await page.getByRole("button", { name: "Do it yourself" }).click()
          await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        })
        yield* waitFor(id, "awaiting_manual")
        expect(yield* enter).toContain("www")
      })
    )
  )

  live("tries again, and keeps what was ticked", () =>
    atTestMode((key) =>
      Effect.gen(function* () {
        const { allow, id, page, waitFor } = yield* openCustomer(key, "bakery-rejected.test")
        yield* Effect.promise(async () => {
          await allow()
          await page.getByRole("button", { name: "Try again" }).click()
          await page.getByRole("button", { name: "Make these changes" }).waitFor()
          const boxes = await page.getByRole("checkbox").all()
          expect(await Promise.all(boxes.map((box) => box.isChecked()))).toEqual(boxes.map(() => true))
          expect(boxes.length).toBeGreaterThan(0)
          await page.getByRole("button", { name: "Make these changes" }).click()
        })
        yield* waitFor(id, "active")
      })
    )
  )

  live("says what is done and what is not, and asks by hand only for the rest", () =>
    atTestMode((key) =>
      Effect.gen(function* () {
        const { allow, enter, page } = yield* openCustomer(key, "bakery-partial.test")
        yield* Effect.promise(async () => {
          await allow()
          await page.getByText("Only a part of the change was made.").waitFor()
          const outcomes = (await page.locator(".checks li").allInnerTexts()).map(collapseWhitespace)
          expect(outcomes.toSorted()).toEqual([
            expect.stringMatching(/^app\.bakery-partial\.test .*(Made|Not made)$/),
            expect.stringMatching(/^www\.bakery-partial\.test .*(Made|Not made)$/)
          ])
          expect(outcomes.filter((line) => line.endsWith("Not made"))).toHaveLength(1)
          expect((await buttonsOf(page)).slice(0, 2)).toEqual(["Try again", "Do it yourself"])
          await page.getByRole("button", { name: "Do it yourself" }).click()
          await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        })
        expect(yield* enter).toEqual([expect.stringMatching(/^(app|www)$/), "_domain-connection"])
        yield* Effect.promise(() => headingOf(page, /is connected|works/).waitFor())
      })
    )
  )
})
