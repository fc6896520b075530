import { expect } from "bun:test"
import { Effect } from "effect"
import { labPowerDns, labService } from "../support/labService.ts"
import { describeServiceInBrowser, openPage } from "./Chromium.ts"
import { createLabDomain, createShareLink, headingOf } from "./labCustomer.ts"

/** Redeems a code: with this origin, as a page there would, or without a browser. */
const redeem = (serviceUrl: string, code: string, headers: Record<string, string>) =>
  Effect.promise(async (): Promise<{ status: number; cors: string | null; said: any }> => {
    const answer = await fetch(`${serviceUrl}/v1/share-links/redeem`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ code })
    })
    return { status: answer.status, cors: answer.headers.get("access-control-allow-origin"), said: await answer.json() }
  })

const fromOwnPage = (serviceUrl: string) => ({ origin: serviceUrl, "sec-fetch-site": "same-origin" })

const redemption = "**/v1/share-links/redeem"

describeServiceInBrowser("the hosted page", labService([labPowerDns]), (live) => {
  live(
    "opens the connection of its link once, keeps nothing of the link, and outlives a reload",
    () =>
      Effect.gen(function* () {
        const domain = yield* createLabDomain("linked-shop.com")
        const { code, link, serviceUrl } = yield* createShareLink(domain)
        const page = yield* openPage({ locale: "de" })
        const other = yield* openPage({ locale: "en" })
        yield* Effect.promise(async () => {
          await page.goto(link)
          await headingOf(page, `${domain} verbinden`).waitFor()
          expect(page.url()).toBe(`${serviceUrl}/connect`)
          expect(await page.content()).not.toContain(code)
          await page.reload()
          await headingOf(page, `${domain} verbinden`).waitFor()
          await other.goto(link)
          await other.getByText("This link has been used, or is too old.").waitFor()
        })
      }),
    180_000
  )

  live(
    "keeps the link while the service cannot be reached, and opens it by itself, by a button, or after a reload",
    () =>
      Effect.gen(function* () {
        const domain = yield* createLabDomain("patient-link.com")
        const { code, link, serviceUrl } = yield* createShareLink(domain)
        const page = yield* openPage({ locale: "en" })
        yield* Effect.promise(async () => {
          const unreachable = page.getByText("We cannot reach the service. We keep trying.")
          await page.clock.install()
          await page.route(redemption, (route) => route.abort())
          await page.goto(link)
          await unreachable.waitFor()
          expect(page.url()).toBe(`${serviceUrl}/connect`)
          expect(await page.content()).not.toContain(code)
          await page.unroute(redemption)
          await page.route(redemption, (route) => route.fulfill({ status: 503 }))
          const again = page.waitForResponse(redemption)
          await page.clock.fastForward("01:00")
          expect((await again).status()).toBe(503)
          const asked = page.waitForResponse(redemption)
          await page.getByRole("button", { name: "Try again" }).click()
          expect((await asked).status()).toBe(503)
          await page.reload()
          await unreachable.waitFor()
          await page.unroute(redemption)
          await page.getByRole("button", { name: "Try again" }).click()
          await headingOf(page, `Connect ${domain}`).waitFor()
          expect(await unreachable.count()).toBe(0)
        })
      }),
    180_000
  )

  live(
    "shows the connection of the last link that was opened in the tab, and never that of another",
    () =>
      Effect.gen(function* () {
        const [domain, second] = [yield* createLabDomain("first-link.com"), yield* createLabDomain("second-link.com")]
        const { link, serviceUrl } = yield* createShareLink(domain)
        const other = yield* createShareLink(second)
        const page = yield* openPage({ locale: "en" })
        yield* Effect.promise(async () => {
          await page.goto(link)
          await headingOf(page, `Connect ${domain}`).waitFor()
          await page.goto(other.link)
          await headingOf(page, `Connect ${second}`).waitFor()
          expect(page.url()).toBe(`${serviceUrl}/connect`)
          expect(await page.locator("domain-connection").count()).toBe(1)
          await page.goto(other.link)
          await headingOf(page, `Connect ${second}`).waitFor()
          await page.goto(link)
          await page.getByText("This link has been used, or is too old.").waitFor()
          expect(await page.locator("domain-connection").count()).toBe(0)
          await page.reload()
          await page.getByText("This link has been used, or is too old.").waitFor()
        })
      }),
    180_000
  )

  live("opens its connection in a browser without storage", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("forgetful-link.com")
      const { link } = yield* createShareLink(domain)
      const page = yield* openPage({ locale: "en" })
      yield* Effect.promise(async () => {
        await page.addInitScript(
          `Object.defineProperty(window, "sessionStorage", { get: () => { throw new Error() } })`
        )
        await page.goto(link)
        await headingOf(page, `Connect ${domain}`).waitFor()
      })
    })
  )

  live("gives a token that works from its own page only", () =>
    Effect.gen(function* () {
      const { code, id, serviceUrl } = yield* createShareLink(yield* createLabDomain("guarded-shop.com"))
      const { said } = yield* redeem(serviceUrl, code, fromOwnPage(serviceUrl))
      const reading = (headers: Record<string, string>) =>
        Effect.promise(async () => {
          const authorization = `Bearer ${said.accessToken}`
          return (await fetch(`${serviceUrl}/v1/connections/${id}`, { headers: { authorization, ...headers } })).status
        })
      const own = { "sec-fetch-site": "same-origin" }
      expect(yield* Effect.all([reading(own), reading({ origin: serviceUrl })])).toEqual([200, 200])
      const foreign = [
        {},
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "same-site" },
        { ...own, host: "elsewhere.example" },
        { ...own, origin: "null" },
        { ...own, origin: "https://evil.example" }
      ]
      expect(yield* Effect.forEach(foreign, reading)).toEqual(foreign.map(() => 403))
    })
  )

  live("gives one token only, however many requests arrive at once", () =>
    Effect.gen(function* () {
      const { code, id, serviceUrl } = yield* createShareLink(yield* createLabDomain("raced-shop.com"))
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => redeem(serviceUrl, code, fromOwnPage(serviceUrl))),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 401)])
      const { said } = answers.find(({ status }) => status === 201) ?? {}
      expect(said).toEqual({
        connectionId: id,
        accessToken: expect.stringMatching(/^dct_[0-9A-Za-z]{43}$/),
        tokenType: "Bearer",
        expiresAt: expect.any(String)
      })
    })
  )

  live(
    "redeems no code for another page or of a revoked link, and accepts neither a code as a token nor a token as a code",
    () =>
      Effect.gen(function* () {
        const { code, id, revoke, serviceUrl } = yield* createShareLink(yield* createLabDomain("careful-shop.com"))
        const foreign = yield* redeem(serviceUrl, code, {
          origin: "https://evil.example",
          "sec-fetch-site": "cross-site"
        })
        expect([foreign.status, foreign.cors, foreign.said.error.code]).toEqual([403, null, "origin_not_allowed"])
        expect((yield* redeem(serviceUrl, code, { origin: serviceUrl })).status).toBe(403)
        const asToken = yield* Effect.promise(() =>
          fetch(`${serviceUrl}/v1/connections/${id}`, { headers: { authorization: `Bearer ${code}`, origin: "" } })
        )
        expect(asToken.status).toBe(401)
        yield* revoke
        expect((yield* redeem(serviceUrl, code, fromOwnPage(serviceUrl))).status).toBe(401)
        const another = yield* createShareLink(yield* createLabDomain("second-shop.com"))
        const { said } = yield* redeem(serviceUrl, another.code, fromOwnPage(serviceUrl))
        expect((yield* redeem(serviceUrl, said.accessToken, fromOwnPage(serviceUrl))).status).toBe(401)
      })
  )
})
