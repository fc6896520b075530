import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { sendAsAdmin } from "../http/support/adminRequests.ts"
import {
  createSigningKey,
  DomainConnectLab,
  domainConnectLab,
  nameServers,
  template
} from "../support/DomainConnectLab.ts"
import { Lab } from "../support/lab/Lab.ts"
import { issueKey } from "../support/testApi.ts"
import { describeServiceInBrowser } from "./Chromium.ts"
import { chooseByHand, confirmWarnings, headingOf, openCustomerPage } from "./labCustomer.ts"

const provider = "Lab Connect"

/** An application whose template the provider has, and whose key is published. */
const application = Effect.gen(function* () {
  yield* issueKey()
  yield* createSigningKey("app")
  yield* sendAsAdmin("/v1/admin/applications/app", {
    method: "PATCH",
    body: { domainConnectTemplates: [JSON.stringify(template)] }
  })
})

const service = Layer.provideMerge(
  Layer.effectDiscard(Effect.scoped(application)),
  domainConnectLab({ hasPages: true })
)

/** A customer of the provider with a website and mail, on the page of the shop. */
const customerOf = (domain: string) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const lab = yield* DomainConnectLab
    lab.provider.setTemplates([template])
    lab.provider.setCarelessness([])
    const lines = [
      ...nameServers.map((name) => `@ NS ${name}.`),
      `_domainconnect TXT "${lab.provider.address}"`,
      "@ MX 10 mx1.mailprov.net.",
      '@ TXT "site-verification=of-another-service"',
      "www A 192.0.2.20"
    ]
    yield* pdns.createZone(domain, lines.join("\n"))
    yield* delegate(domain, nameServers)
    const intent = {
      domain,
      records: [
        { host: "www", type: "CNAME", value: "shop-7.hostprov.net" },
        { host: "_verify", type: "TXT", value: "platform=7f3a" }
      ]
    } as const
    const { page, url } = yield* openCustomerPage(domain, { ignoreHTTPSErrors: true }, intent)
    yield* Effect.promise(() => page.goto(url))
    return { lab: lab.provider, page, readZone: pdns.dump(domain), url }
  })

/** Goes from the review to the choice of a way. */
const goToWays = async (page: Page) => {
  await confirmWarnings(page)
  await page.getByRole("button", { name: "Continue" }).click()
  await headingOf(page, "How shall we make the change?").waitFor()
}

const goToProvider = (page: Page) => page.getByRole("button", { name: `Continue to ${provider}` }).click()

const answer = (page: Page, name: "Allow" | "Cancel") => page.getByRole("button", { name }).click()

/** The records under a text, each as name, type and value. */
const listRecords = async (page: Page, text: string): Promise<ReadonlyArray<string>> => {
  const items = page.locator(".notice", { hasText: text }).locator("li")
  return (await items.allInnerTexts()).map((item) => item.replaceAll(/\s+/g, " ").trim())
}

describeServiceInBrowser("a customer whose provider takes part in Domain Connect", service, (live) => {
  live("reads what goes, allows it at the provider, and comes back to a domain that is connected", () =>
    Effect.gen(function* () {
      const { page, readZone, url } = yield* customerOf("allowed-shop.com")
      yield* Effect.promise(async () => {
        await goToWays(page)
        expect(await listRecords(page, `${provider} will remove`)).toEqual(["www.allowed-shop.com A 192.0.2.20"])
        await goToProvider(page)
        await answer(page, "Allow")
        await headingOf(page, "allowed-shop.com is connected").waitFor()
        expect(new URL(page.url()).origin).toBe(url)
        expect(await page.getByText("has removed these entries, too").count()).toBe(0)
        await page.locator(".tile", { hasText: "Your mail stays at mx1.mailprov.net." }).waitFor()
      })
      expect((yield* readZone).filter((line) => line.startsWith("www."))).toEqual([
        "www.allowed-shop.com. + 3600 CNAME shop-7.hostprov.net."
      ])
    })
  )

  live("cancels at the provider, and chooses again", () =>
    Effect.gen(function* () {
      const { page, readZone } = yield* customerOf("canceled-shop.com")
      const before = yield* readZone
      yield* Effect.promise(async () => {
        await goToWays(page)
        await goToProvider(page)
        await answer(page, "Cancel")
        await headingOf(page, "How shall we make the change?").waitFor()
      })
      expect(yield* readZone).toEqual(before)
      yield* Effect.promise(async () => {
        await goToProvider(page)
        await answer(page, "Allow")
        await headingOf(page, "canceled-shop.com is connected").waitFor()
      })
    })
  )

  live("finds at the provider that the signature does not fit, goes back, and chooses another way", () =>
    Effect.gen(function* () {
      const { lab, page, readZone } = yield* customerOf("unsigned-shop.com")
      const before = yield* readZone
      yield* Effect.promise(async () => {
        await goToWays(page)
        lab.setTemplates([{ ...template, syncPubKeyDomain: "formerkeys.com" }])
        await goToProvider(page)
        await page.getByText("The signature of this link does not fit.").waitFor()
        await page.goBack()
        await headingOf(page, `Waiting for you at ${provider}`).waitFor()
        await page.getByRole("button", { name: "Choose another way" }).click()
        await chooseByHand(page)
      })
      expect(yield* readZone).toEqual(before)
    })
  )

  live("finds at the provider that it does not know the template, goes back, and chooses another way", () =>
    Effect.gen(function* () {
      const { lab, page, readZone } = yield* customerOf("unknown-shop.com")
      const before = yield* readZone
      yield* Effect.promise(async () => {
        await goToWays(page)
        lab.setTemplates([])
        await goToProvider(page)
        await page.getByText("This service is not known here.").waitFor()
        await page.goBack()
        await page.getByRole("button", { name: "Choose another way" }).click()
        await chooseByHand(page)
      })
      expect(yield* readZone).toEqual(before)
    })
  )

  live("reads afterwards what the provider has removed beside what it was to remove", () =>
    Effect.gen(function* () {
      const { lab, page } = yield* customerOf("careless-shop.com")
      yield* Effect.promise(async () => {
        await goToWays(page)
        expect(await listRecords(page, `${provider} will remove`)).toEqual(["www.careless-shop.com A 192.0.2.20"])
        lab.setCarelessness(["careless-shop.com. MX", "careless-shop.com. TXT"])
        await goToProvider(page)
        await answer(page, "Allow")
        await headingOf(page, "careless-shop.com is connected").waitFor()
        expect((await listRecords(page, `${provider} has removed these entries, too`)).toSorted()).toEqual([
          "careless-shop.com MX 10 mx1.mailprov.net",
          "careless-shop.com TXT site-verification=of-another-service"
        ])
        expect(await page.getByText("Your mail stays").count()).toBe(0)
      })
    })
  )
})
