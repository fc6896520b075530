import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { oauthLab } from "../support/OAuthLab.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeServiceInBrowser, openPage } from "./Chromium.ts"
import {
  chooseByHand,
  confirmWarnings,
  createLabDomain,
  createShareLink,
  headingOf,
  openCustomerPage
} from "./labCustomer.ts"

const provider = "PowerDNS of the lab"

/** A zone with mail at the host that becomes a CNAME: a warning that must be confirmed. */
const customerWithMailAt = (name: string) =>
  Effect.gen(function* () {
    const { pdns } = yield* Lab
    const domain = yield* createLabDomain(name)
    const mail = { name: `www.${domain}.`, type: "MX", ttl: 3600, records: [{ content: "10 mx1.mailprov.net." }] }
    yield* pdns.patch(domain, [{ ...mail, changetype: "REPLACE" }])
    return { domain, ...(yield* openCustomerPage(domain)) }
  })

/** The records of such a zone after it is connected: everything except the old records at `www`. */
const connectedZone = (domain: string) => [
  `_verify.${domain}. + 3600 TXT "platform-verification=${domain}"`,
  `${domain}. + 300 A 192.0.2.20`,
  `${domain}. + 300 MX 10 mx1.mailprov.net.`,
  `${domain}. + 300 NS ns1.pdnsprov.net.`,
  `${domain}. + 300 NS ns2.pdnsprov.net.`,
  `www.${domain}. + 3600 CNAME web.hostprov.net.`
]

/** Goes from the changes to the page of the provider. */
const continueToProvider = async (page: Page) => {
  await confirmWarnings(page)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("button", { name: `Continue to ${provider}` }).click()
}

const signIn = async (page: Page) => {
  await page.getByLabel("User name").fill("baker")
  await page.getByLabel("Password").fill("flour")
  await page.getByRole("button", { name: "Sign in" }).click()
}

const answerProvider = (page: Page, name: "Allow" | "Deny") => page.getByRole("button", { name }).click()

describeServiceInBrowser("a customer whose provider uses OAuth", oauthLab({ hasPages: true }), (live) => {
  live("signs in at the provider, allows the change, returns to the page they left, and connects the domain", () =>
    Effect.gen(function* () {
      const { domain, page, url } = yield* customerWithMailAt("signed-in-shop.com")
      yield* Effect.promise(async () => {
        await page.goto(`${url}/?tab=domain#place`)
        await continueToProvider(page)
        await signIn(page)
        await answerProvider(page, "Allow")
        await headingOf(page, `${domain} is connected`).waitFor()
        await page.getByText("Your shop is online at your own domain.").waitFor()
        const id = await page.evaluate("document.querySelector('domain-connection').connectionId")
        expect(page.url()).toBe(`${url}/?tab=domain&connection=${id}&result=authorized`)
      })
      expect(yield* Effect.flatMap(Lab, ({ pdns }) => pdns.dump(domain))).toEqual(connectedZone(domain))
    })
  )

  live("denies the change, reads that nothing was changed, and can choose a method again at once", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const { domain, page, url } = yield* customerWithMailAt("denied-shop.com")
      const before = yield* pdns.dump(domain)
      const reason = page.getByText("You, or your provider, did not allow the change.")
      yield* Effect.promise(async () => {
        await page.goto(url)
        await continueToProvider(page)
        await signIn(page)
        await answerProvider(page, "Deny")
        await reason.waitFor()
        expect(new URL(page.url()).origin).toBe(url)
        await headingOf(page, "How shall we make the change?").waitFor()
      })
      expect(yield* pdns.dump(domain)).toEqual(before)
      yield* Effect.promise(async () => {
        await page.getByText(`Log in at ${provider}`, { exact: true }).click()
        await page.getByRole("button", { name: `Continue to ${provider}` }).click()
        await answerProvider(page, "Allow")
        await headingOf(page, `${domain} is connected`).waitFor()
        expect(await reason.count()).toBe(0)
      })
      expect(yield* pdns.dump(domain)).toEqual(connectedZone(domain))
    })
  )

  live("returns before the sign-in is complete, and continues it", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const { domain, page, url } = yield* customerWithMailAt("wavering-shop.com")
      yield* Effect.promise(async () => {
        await page.goto(url)
        await continueToProvider(page)
        await page.getByLabel("User name").waitFor()
        await page.goBack()
        await headingOf(page, `Waiting for you at ${provider}`).waitFor()
        await page.reload()
        await headingOf(page, `Waiting for you at ${provider}`).waitFor()
        await page.getByRole("button", { name: `Continue to ${provider}` }).click()
        await signIn(page)
        await page.getByRole("button", { name: "Allow" }).waitFor()
        await page.reload()
        await answerProvider(page, "Allow")
        await headingOf(page, `${domain} is connected`).waitFor()
      })
      expect(yield* pdns.dump(domain)).toEqual(connectedZone(domain))
    })
  )

  live("returns before the sign-in is complete, and chooses another method", () =>
    Effect.gen(function* () {
      const { page, url } = yield* customerWithMailAt("turning-shop.com")
      yield* Effect.promise(async () => {
        await page.goto(url)
        await continueToProvider(page)
        await page.getByLabel("User name").waitFor()
        await page.goto(url)
        await page.getByRole("button", { name: "Choose another way" }).click()
        await chooseByHand(page)
      })
    })
  )

  live("goes to the provider from the hosted page of a link, and returns to it", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("linked-shop.com")
      const { link, serviceUrl } = yield* createShareLink(domain)
      const page = yield* openPage({ locale: "en" })
      yield* Effect.promise(async () => {
        await page.goto(link)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: `Continue to ${provider}` }).click()
        await signIn(page)
        await answerProvider(page, "Allow")
        await headingOf(page, `${domain} is connected`).waitFor()
        expect(page.url()).toBe(`${serviceUrl}/connect`)
      })
    })
  )
})
