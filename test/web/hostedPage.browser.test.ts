import { expect } from "bun:test"
import { Effect } from "effect"
import { labPowerDns, labService } from "../support/labService.ts"
import { describeServiceInBrowser, openPage, stopClock } from "./Chromium.ts"
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
    "opens the connection of its link on every device, keeps nothing of the link in the address, and outlives a reload",
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
          await headingOf(other, `Connect ${domain}`).waitFor()
          await other.getByLabel("Language").selectOption("de")
          await other.getByRole("heading", { level: 1, name: "Eine Domain verbinden" }).waitFor()
        })
      })
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
          await stopClock(page)
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
      })
  )

  live("shows the connection of the last link that was opened in the tab", () =>
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
        await headingOf(page, `Connect ${domain}`).waitFor()
      })
    })
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

  live("renews its session by the link, and says so once the link was revoked", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("renewed-link.com")
      const { link, revoke } = yield* createShareLink(domain)
      const page = yield* openPage({ locale: "en" })
      yield* Effect.promise(async () => {
        await page.goto(link)
        await headingOf(page, `Connect ${domain}`).waitFor()
        const renewed = page.waitForResponse(redemption)
        await page.evaluate(`document.querySelector("domain-connection")
            .dispatchEvent(new CustomEvent("token-expired"))`)
        expect((await renewed).status()).toBe(201)
      })
      yield* revoke
      yield* Effect.promise(async () => {
        await page.goto("about:blank")
        await page.goto(link)
        await page.getByText("This link is no longer open.").waitFor()
      })
    })
  )

  live("shows a helper who asks, by the link of the customer, and lets the helper decide nothing", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("helped-shop.com")
      const customerLink = yield* createShareLink(domain)
      const { said } = yield* redeem(customerLink.serviceUrl, customerLink.code, fromOwnPage(customerLink.serviceUrl))
      const { path } = yield* Effect.promise(async (): Promise<any> =>
        (
          await fetch(`${customerLink.serviceUrl}/v1/connections/${customerLink.id}/share-link`, {
            method: "POST",
            headers: { authorization: `Bearer ${said.accessToken}`, origin: customerLink.serviceUrl }
          })
        ).json()
      )
      const page = yield* openPage({ locale: "en" })
      yield* Effect.promise(async () => {
        await page.goto(`${customerLink.serviceUrl}${path}&from=Anna%20Berg`)
        await page.getByText(/^Anna Berg asks you to change .+ at /).waitFor()
        await headingOf(page, "It is Anna Berg’s turn").waitFor()
        expect(page.url()).toBe(`${customerLink.serviceUrl}/connect`)
        expect(await page.getByRole("button").count()).toBe(0)
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
