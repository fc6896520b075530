import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { describeBrowser, openPage } from "./Chromium.ts"
import { galleryServer, galleryServerWith } from "./componentGallery.ts"
import { collapseWhitespace, confirmWarnings, headingOf } from "./labCustomer.ts"
import { readDocument } from "./recordedDocuments.ts"

/** Opens a recorded document in the component, and tells what the customer sees. */
const openDocument = (name: string, see: (page: Page) => Promise<void>) =>
  Effect.gen(function* () {
    const { url } = yield* galleryServer
    const page = yield* openPage({ viewport: { width: 320, height: 640 } })
    yield* Effect.promise(async () => {
      await page.goto(`${url}?picture=${name}`)
      await page.locator("h2").waitFor()
      await see(page)
    })
  })

const tileOf = async (page: Page, name: string) =>
  collapseWhitespace(await page.locator(".tile", { has: page.getByRole("heading", { name, exact: true }) }).innerText())

const namesOfEvents = ["step", "connected", "degraded", "disconnected", "diagnosis"]

const listenToSteps = (page: Page) =>
  page.addInitScript(`window.heard = []
    for (const name of ${JSON.stringify(namesOfEvents)})
      addEventListener(name, ({ detail }) => window.heard.push({ name, ...detail }))`)

describeBrowser("a step of the component", (live) => {
  live("says after a disconnection that the old website answers again, where that is true", () =>
    openDocument("disconnected", async (page) => {
      await headingOf(page, "leaving-shop.com is disconnected").waitFor()
      await page.getByText("Your old website answers there again.").waitFor()
    })
  )

  live("names what a disconnection left, and does not claim that the old website answers", () =>
    openDocument("disconnected-partly", async (page) => {
      await page.getByText("Some entries could not be changed back.").waitFor()
      expect(await page.getByText("Your old website").count()).toBe(0)
      await page.getByText("(somebody has changed it since)").first().waitFor()
    })
  )

  live("counts what is to be changed back by hand, each with the entry that it replaces", () =>
    openDocument("disconnecting-by-hand", async (page) => {
      await headingOf(page, "4 entries to change back").waitFor()
      await page.locator(".task", { hasText: "Put back “Web address” at www" }).click()
      await page.getByText("First delete this entry").waitFor()
      expect(await page.locator(".old").innerText()).toContain("web.hostprov.net")
    })
  )

  live("asks once whether there is mail at a domain without MX, and alarms only who gets some", () =>
    openDocument("review-without-mx", async (page) => {
      await page.getByRole("group", { name: "Do you get mail at …\u2060@small-shop.com?" }).waitFor()
      expect(await tileOf(page, "Mail")).not.toMatch(/stays|Nothing changes/)
      expect(await page.getByText("may stop").count()).toBe(0)
      await page.getByLabel("Yes, I get mail there").check()
      await page.getByLabel("Yes, mail to small-shop.com may stop").waitFor()
      expect(await tileOf(page, "Mail")).not.toMatch(/stays|Nothing changes/)
      await page.getByLabel("No, I get no mail there").check()
      await page.getByLabel("Yes, replace the page at").check()
      await page.getByRole("button", { name: "Continue" }).click()
      await headingOf(page, "How shall we make the change?").waitFor()
    })
  )

  live("shows of an SPF record what is added, and that mail stays where nothing of it changes", () =>
    openDocument("review", async (page) => {
      expect(await tileOf(page, "Mail")).toContain("+ web.hostprov.net")
      await page.goto(page.url().replace("picture=review", "picture=unknown-provider"))
      await page.locator("h2").waitFor()
      expect(await tileOf(page, "Mail")).toBe("Mail Stays at mx1.mailprov.net. Nothing changes.")
    })
  )

  live("marks in the language of the component what is missing, and moves the focus there", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=review&locale=de`)
        await page.getByRole("button", { name: "Weiter" }).click()
        await page.getByText("Eine Antwort fehlt noch").waitFor()
        const focused = "document.querySelector('domain-connection').shadowRoot.activeElement.name"
        expect(await page.evaluate(focused)).toBe("website_replaced")
      })
    })
  )

  live("goes through the review also by hand, with an unknown provider and with two providers", () =>
    openDocument("unknown-provider", async (page) => {
      for (const name of ["unknown-provider", "two-providers", "by-hand"]) {
        await page.goto(page.url().replace(/picture=[\w-]+/, `picture=${name}`))
        await headingOf(page, /^Connect /).waitFor()
        expect(await page.locator(".task").count()).toBe(0)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
      }
    })
  )

  live("tells the page of a slip", () =>
    openDocument("slip-doubled-zone", async (page) => {
      await listenToSteps(page)
      await page.reload()
      await confirmWarnings(page)
      await page.getByRole("button", { name: "Continue" }).click()
      await page.locator(".task", { hasText: "Show your shop at www" }).click()
      await page.locator(".slip").waitFor()
      // The observations may come before the first step is displayed.
      const heard = await page.evaluate("window.heard")
      expect(heard).toHaveLength(3)
      expect(heard).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: "step", step: "review" }),
          expect.objectContaining({
            name: "diagnosis",
            connectionId: "slip-doubled-zone",
            diagnoses: [{ name: "www.doubled-zone.com", type: "CNAME", code: "doubled_zone" }]
          }),
          expect.objectContaining({ name: "step", step: "by_hand", previous: "review" })
        ])
      )
    })
  )

  live("calls what a task removes a slip only once the customer has saved the task", () =>
    openDocument("slip-old-value-remains", async (page) => {
      await listenToSteps(page)
      await page.reload()
      await confirmWarnings(page)
      await page.getByRole("button", { name: "Continue" }).click()
      await page.locator(".task", { hasText: "Show your shop at old-value-remains.com" }).click()
      await page.locator(".old").first().waitFor()
      expect(await page.locator(".slip").count()).toBe(0)
      expect(await page.evaluate("window.heard.filter(({ name }) => name === 'diagnosis').length")).toBe(0)
      await page.getByRole("button", { name: "I have saved it" }).click()
      await page.locator(".slip", { hasText: "We still found A 192.0.2.20." }).waitFor()
    })
  )

  live("writes a name in Unicode everywhere but in what is copied", () =>
    openDocument("review-idn", async (page) => {
      await headingOf(page, "Connect bäcker.com").waitFor()
      expect(await page.locator(".card").innerText()).not.toContain("xn--")
    })
  )

  live("says at the end what has become of website and mail, and how it is undone", () =>
    openDocument("active", async (page) => {
      await page.getByText("The entries become what they were before.").waitFor()
      expect([await tileOf(page, "Website"), await tileOf(page, "Mail")]).toEqual([
        "Website Visitors of record-shop.com and www.record-shop.com now see the shop.",
        "Mail Your mail stays at mx1.mailprov.net. From now on the shop may send mail for you."
      ])
      await page.goto(page.url().replace("picture=active", "picture=active-by-hand"))
      await page.getByText("We then show you which entries to change back.").waitFor()
      expect(await tileOf(page, "Mail")).toBe(
        "Mail No mail service is set up for small-shop.com: mail there may not arrive."
      )
      await page.goto(page.url().replace("picture=active-by-hand", "picture=disconnected-by-hand"))
      await headingOf(page, /is disconnected$/).waitFor()
      expect(await tileOf(page, "Mail")).toBe("Mail Mail to small-shop.com goes where it went before.")
    })
  )

  live("is red for nothing that is only awaited", () =>
    openDocument("verifying", async (page) => {
      await page.locator(".checks li").first().waitFor()
      expect(await page.locator(".bad").count()).toBe(0)
    })
  )

  live("is not red where the world does not see yet what was entered", () =>
    Effect.gen(function* () {
      const codes = [
        "verification_timeout",
        "manual_setup_timeout",
        "control_unproven",
        "authorization_revoked"
      ] as const
      const { url } = yield* galleryServerWith((request) => {
        const code = codes.find((name) => request.url.endsWith(`/v1/connections/${name}`))
        const failure = { code, retryable: true, occurredAt: "2026-11-20T10:00:00.000Z" }
        return code && Response.json({ connection: { ...readDocument("refused-key").connection, failure } })
      })
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        const red = []
        for (const code of codes) {
          await page.goto(`${url}?picture=${code}`)
          await headingOf(page, "That did not work").waitFor()
          if ((await page.locator(".bad").count()) > 0) red.push(code)
        }
        expect(red).toEqual(["authorization_revoked"])
      })
    })
  )

  live("names what is done of a plan that the provider refused in part, and what is not", () =>
    openDocument("partly-written", async (page) => {
      await page.getByText("Only a part of the change was made.").waitFor()
      const lines = (await page.locator(".checks li").allTextContents()).map(collapseWhitespace)
      expect(lines).toEqual([
        "shop.bakery-partial.test Forwarding CNAME Not made",
        "app.bakery-partial.test Forwarding CNAME Made"
      ])
      await page.getByRole("button", { name: "Try again" }).waitFor()
    })
  )

  live("lists in the details what the zone has already, since nothing changes there", () =>
    Effect.gen(function* () {
      const { connection: shown } = readDocument("review-without-mx")
      const changes = shown.plan?.changes.filter(({ after, before }) => (after ?? before)?.host !== "@")
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/review-without-mx")
          ? Response.json({ connection: { ...shown, plan: { ...shown.plan, changes } } })
          : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=review-without-mx`)
        await page.getByText("Technical details").click()
        await page.getByText("Already there").waitFor()
        const lines = (await page.locator(".checks li").allTextContents()).map(collapseWhitespace)
        expect(lines).toEqual(["small-shop.com Web address A Found"])
      })
    })
  )

  live("tells the page that the records are removed, and which of them stay", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await listenToSteps(page)
        await page.goto(`${url}?picture=disconnected-partly`)
        await page.getByText("Some entries could not be changed back.").waitFor()
        const heard: any = await page.evaluate("window.heard.filter(({ name }) => name === 'disconnected')")
        const { leftovers = [] } = readDocument("disconnected-partly").connection
        expect(leftovers.length).toBeGreaterThan(0)
        expect(heard).toEqual([
          { name: "disconnected", connectionId: "disconnected-partly", state: "disconnected", leftovers }
        ])
      })
    })
  )

  live("keeps the bar in forced colours", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServer
      const page = yield* openPage({ forcedColors: "active" })
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=review`)
        await page.locator("h2").waitFor()
        const [past, next] = await page
          .locator(".bar li")
          .evaluateAll((items: any) =>
            [items[0], items[3]].map((item) => (globalThis as any).getComputedStyle(item).borderTopColor)
          )
        expect(past).not.toBe(next)
      })
    })
  )

  live("shows the fallback of the page where the connection cannot be read, and reports a degraded one", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/connections/review") ? Response.json({ error: { code: "x" } }, { status: 404 }) : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await listenToSteps(page)
        await page.goto(`${url}?picture=review`)
        await page.evaluate(
          "document.querySelector('domain-connection').innerHTML = '<p slot=\"fallback\">Call us</p>'"
        )
        await page.getByText("Call us").waitFor()
        await page.goto(`${url}?picture=degraded`)
        await headingOf(page, "Something is missing").waitFor()
        const heard: any = await page.evaluate("window.heard.map(({ name }) => name).sort()")
        expect(heard).toEqual(["degraded", "step"])
      })
    })
  )

  live("tells the page each step, and why the one before was left", () =>
    Effect.gen(function* () {
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/review") && isRefused
          ? Response.json({ connection: readDocument("refused-key").connection })
          : undefined
      )
      let isRefused = false
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await listenToSteps(page)
        await page.goto(`${url}?picture=review`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "Back" }).click()
        await page.getByRole("button", { name: "Continue" }).click()
        await headingOf(page, "How shall we make the change?").waitFor()
        isRefused = true
        await page.reload()
        await page.getByText("Your provider did not accept what you entered.").waitFor()
        expect(await page.evaluate("window.heard.map(({ step, reason }) => [step, reason ?? null])")).toEqual([
          ["ways", null]
        ])
        await page.goto(`${url}?picture=review-without-mx`)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "Back" }).click()
        await headingOf(page, /^Connect/).waitFor()
        expect(await page.evaluate("window.heard.map(({ step, reason }) => [step, reason ?? null])")).toEqual([
          ["review", null],
          ["ways", null],
          ["review", "back"]
        ])
      })
    })
  )

  live("says where access is switched on for a domain, and names fields as the provider does", () =>
    Effect.gen(function* () {
      const { connection: refused } = readDocument("refused-key")
      const shown = {
        ...refused,
        provider: { ...refused.provider, id: "porkbun", name: "Porkbun" },
        failure: { ...refused.failure, code: "account_not_entitled" }
      }
      const { url } = yield* galleryServerWith(({ url }) =>
        url.endsWith("/review") ? Response.json({ connection: shown }) : undefined
      )
      const page = yield* openPage()
      yield* Effect.promise(async () => {
        await page.goto(`${url}?picture=review`)
        await page.getByText("does not let other services in.").waitFor()
        expect(await page.locator("code:visible").allInnerTexts()).toEqual([
          "Domain Management · Details · API Access: ON"
        ])
        expect(await page.getByRole("link", { name: "Open Porkbun" }).getAttribute("href")).toBe(
          "https://porkbun.com/account/domainsSpeedy"
        )
        expect(await page.getByRole("button", { name: "Do it yourself" }).count()).toBe(1)
        const { authorizationInputs } = refused.provider ?? {}
        Object.assign(shown, { state: "awaiting_authorization", failure: undefined })
        for (const [id, labels, multiline] of [
          ["wix", ["Account ID", "API key"], 0],
          ["transip", ["User name", "Private key"], 1]
        ] as const) {
          Object.assign(shown.provider, {
            id,
            authorizationInputs: { ...authorizationInputs, directCredential: "username_api_key" }
          })
          await page.goto(`${url}?picture=review`)
          if (id === "wix") {
            await confirmWarnings(page)
            await page.getByRole("button", { name: "Continue" }).click()
          }
          await page.getByLabel(labels[1]).waitFor()
          expect(await page.locator(".field label").allInnerTexts()).toEqual([...labels])
          expect(await page.locator(".field textarea").count()).toBe(multiline)
        }
      })
    })
  )

  live("has targets of 44 px or more in the review and in every task", () =>
    openDocument("by-hand", async (page) => {
      const small = `[...document.querySelector("domain-connection").shadowRoot.querySelectorAll("button, summary, label.check")]
        .map((each) => [each.textContent.trim(), each.getBoundingClientRect()])
        .filter(([, { height, width }]) => width > 0 && (height < 44 || width < 44)).map(([text]) => text)`
      expect(await page.evaluate(small)).toEqual([])
      await confirmWarnings(page)
      await page.getByRole("button", { name: "Continue" }).click()
      for (const task of await page.locator(".task").all()) {
        await task.click()
        expect(await page.evaluate(small)).toEqual([])
      }
    })
  )
})
