import { expect } from "bun:test"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { warningMeanings } from "../../src/domain/plan/Warning.ts"
import { Lab } from "../support/lab/Lab.ts"
import { labPowerDns, labService } from "../support/labService.ts"
import { describeServiceInBrowser } from "./Chromium.ts"
import {
  chooseByHand,
  collapseWhitespace,
  confirmWarnings,
  command,
  createLabDomain,
  headingOf,
  openCustomerPage,
  openWay,
  type PlatformSettings,
  readChallenge,
  readOutcome,
  recordSet
} from "./labCustomer.ts"

describeServiceInBrowser("a customer in a browser", labService([labPowerDns]), (live) => {
  live("reviews the changes, enters an API token and connects the domain with only the keyboard", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("keyboard-shop.com")
      const { pdns } = yield* Lab
      const { page, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        await page.goto(url)
        await headingOf(page, `Connect ${domain}`).waitFor()
        await page.locator("summary", { hasText: "Technical details" }).press("Enter")
        expect(
          await page
            .getByRole("row")
            .allTextContents()
            .then((rows) => rows.map(collapseWhitespace))
        ).toEqual([
          "Entry Today Afterwards",
          `_verify.${domain}`,
          `Note for other services TXT New Today nothing Afterwards platform-verification=${domain}`,
          `www.${domain}`,
          "Web address A Removed Today 192.0.2.20 Afterwards is removed",
          "Forwarding CNAME New Today nothing Afterwards web.hostprov.net"
        ])
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).press("Enter")
        await headingOf(page, "How shall we make the change?").waitFor()
        expect(await readFocusedName(page)).toBe("How shall we make the change?")
        await page.keyboard.press("Tab")
        expect(await readFocusedName(page)).toBe("apiToken")
        await page.keyboard.type(pdns.key)
        await page.keyboard.press("Enter")
        await headingOf(page, `${domain} is connected`).waitFor()
        await page.getByText("Your shop is online at your own domain.").waitFor()
        await page.locator("#warnings li", { hasText: warningMeanings.website_replaced }).waitFor()
      })
    })
  )

  live("disconnects with one click, and reads what was put back and that the old website answers", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("leaving-by-token.com")
      const { pdns } = yield* Lab
      const untouched = yield* pdns.dump(domain)
      const { page, settings, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("API token").fill(pdns.key)
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await headingOf(page, `${domain} is connected`).waitFor()
      })
      expect(yield* pdns.dump(domain)).not.toEqual(untouched)
      const outcome = yield* Effect.promise(async () => {
        await command(page, settings, "disconnect")
        await headingOf(page, `Disconnect ${domain}`).waitFor()
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("API token").fill(pdns.key)
        await page.getByRole("button", { name: "Allow and disconnect" }).click()
        await headingOf(page, `${domain} is disconnected`).waitFor()
        await page.getByText("Your old website answers there again.").waitFor()
        return readOutcome(page)
      })
      expect(outcome).toEqual([
        `Put back: www.${domain} Web address A`,
        `Removed: _verify.${domain} Note for other services TXT`,
        `Removed: www.${domain} Forwarding CNAME`
      ])
      expect(yield* pdns.dump(domain)).toEqual(untouched)
    })
  )

  live("enters the records at the provider, watches the page find each of them, and connects the domain", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("manual-shop.com")
      const { pdns } = yield* Lab
      const { page, url } = yield* openCustomerPage(domain)
      let challenge = ""
      yield* Effect.promise(async () => {
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await chooseByHand(page)
        challenge = await readChallenge(page)
        await page.getByRole("button", { name: "Copy Target", exact: true }).click()
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe("web.hostprov.net")
        const file = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download as a file" }).click()
        const downloaded = await file
        expect(downloaded.suggestedFilename()).toBe(`${domain}.zone`)
        expect(readFileSync(await downloaded.path(), "utf8")).toBe(
          `_domain-connection.${domain}. 300 IN TXT "${challenge}"\n` +
            `_verify.${domain}. 3600 IN TXT "platform-verification=${domain}"\n` +
            `www.${domain}. 3600 IN CNAME web.hostprov.net.\n`
        )
        await page.getByRole("button", { name: "I have saved it" }).click()
        await page.locator(".footer", { hasText: "Have you saved it?" }).waitFor()
        await page.locator("domain-connection [role=status]", { hasText: "Not there yet" }).waitFor()
      })
      yield* pdns.update(domain, [
        [recordSet(`www.${domain}`, "A"), recordSet(`www.${domain}`, "CNAME", "web.hostprov.net.")]
      ])
      yield* Effect.promise(async () => {
        await page.reload()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
        await page.locator(".task", { hasText: "Show your shop at www" }).click()
        await page.getByRole("button", { name: "I have saved it" }).click()
        await page.locator(".task.good", { hasText: "Show your shop at www" }).waitFor()
        await page.locator(".footer", { hasText: "Done: 1 of 3." }).waitFor()
        await page.locator(".task").first().click()
      })
      yield* pdns.update(domain, [
        [
          recordSet(`_verify.${domain}`, "TXT", `"platform-verification=${domain}"`),
          recordSet(`_domain-connection.${domain}`, "TXT", `"${challenge}"`)
        ]
      ])
      yield* Effect.promise(async () => {
        // The service may find them by itself before that.
        const connected = headingOf(page, `${domain} is connected`)
        await page.getByRole("button", { name: "I have saved it" }).or(connected).first().click()
        await connected.waitFor()
      })
    })
  )

  live("continues at the same step after the token has expired, and after a reload", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("patient-shop.com")
      const { pdns } = yield* Lab
      const { page, settings, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        const tokens = countTokens(page)
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("API token").fill(pdns.key)
        await revokeTokens(page, settings)
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await headingOf(page, `${domain} is connected`).waitFor()
        expect(tokens.count).toBe(2)
        await page.reload()
        await headingOf(page, `${domain} is connected`).waitFor()
      })
    })
  )

  live("stops before connecting, and starts again later without a reload", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("hesitant-shop.com")
      const { page, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        await page.goto(url)
        await page.getByRole("button", { name: "Not now" }).click()
        await page.getByText("Your shop stays at its old address for now.").waitFor()
        expect(await page.locator("domain-connection").count()).toBe(0)
        await page.getByRole("button", { name: "Connect your own domain" }).click()
        await headingOf(page, `Connect ${domain}`).waitFor()
      })
    })
  )

  live("reads that the connection was cancelled elsewhere, and no message about an ended session", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("cancelled-shop.com")
      const { page, settings, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        const tokens = countTokens(page)
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await chooseByHand(page)
        await command(page, settings, "cancel")
        await headingOf(page, "Cancelled").waitFor()
        await page.evaluate("dispatchEvent(new Event('online'))")
        expect(await page.getByRole("alert").innerText()).toBe("")
        expect(tokens.count).toBe(1)
      })
    })
  )

  live("reads why the provider refused the API token, and tries again with the right one", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("mistaken-shop.com")
      const { pdns } = yield* Lab
      const { page, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("API token").fill("not the key")
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await page.getByText("Your shop stays at its old address for now.").waitFor()
        const field = page.getByLabel("API token")
        await page.locator(".field", { hasText: "Your provider did not accept what you entered." }).waitFor()
        expect([await field.getAttribute("aria-invalid"), await field.inputValue()]).toEqual(["true", "not the key"])
        await page.getByRole("button", { name: "Do it yourself" }).waitFor()
        await field.fill(pdns.key)
        await page.getByRole("button", { name: "Try again" }).click()
        await headingOf(page, `${domain} is connected`).waitFor()
      })
    })
  )

  live("reviews and approves a new plan if the zone at the provider differs from public DNS", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("moving-shop.com")
      const { pdns } = yield* Lab
      const { page, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("API token").fill(pdns.key)
      })
      yield* pdns.update(domain, [[recordSet(`www.${domain}`, "A", "192.0.2.21")]])
      const before = yield* pdns.dump(domain)
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Allow and connect" }).click()
        await headingOf(page, "Please look once more").waitFor()
        await page.getByText(`Stored at your provider for www.${domain}: 192.0.2.21`).waitFor()
        expect(await page.locator(".since").count()).toBe(1)
      })
      expect(yield* pdns.dump(domain)).toEqual(before)
      yield* Effect.promise(async () => {
        await confirmWarnings(page, "Make these changes")
        await page.getByRole("button", { name: "Make these changes" }).click()
        await headingOf(page, `${domain} is connected`).waitFor()
      })
      expect(yield* pdns.dump(domain)).toEqual([
        `_verify.${domain}. + 3600 TXT "platform-verification=${domain}"`,
        ...before.filter((line) => !line.startsWith("www.")),
        `www.${domain}. + 3600 CNAME web.hostprov.net.`
      ])
    })
  )

  live("sees nothing of the connection on another origin than that of the token", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("stolen-shop.com")
      const { page, port, settings } = yield* openCustomerPage(domain)
      const secrets = [domain, "192.0.2.20", "web.hostprov.net", "platform-verification", "awaiting_authorization"]
      yield* Effect.promise(async () => {
        const responses = await recordResponses(page, `${settings.serviceUrl}/v1/connections/*`)
        await page.goto(`http://127.0.0.1:${port}`)
        await page.getByText("We cannot reach the service. We keep trying.").waitFor()
        const { connectionId, token }: any = await page.evaluate(
          "(({ connectionId, token }) => ({ connectionId, token }))(document.querySelector('domain-connection'))"
        )
        const read = responses.filter(({ method }) => method === "GET")
        expect(read.length).toBeGreaterThan(0)
        expect(read.map(({ status }) => status)).toEqual(read.map(() => 403))
        const refusal = {
          code: "origin_not_allowed",
          status: 403,
          message: expect.any(String),
          requestId: expect.any(String),
          documentationUrl: "/docs/errors#origin_not_allowed"
        }
        expect(read.map(({ body }) => JSON.parse(body))).toEqual(read.map(() => ({ error: refusal })))
        const everything = JSON.stringify(responses)
        expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
        const answer = await fetch(`${settings.serviceUrl}/v1/connections/${connectionId}`, {
          headers: { origin: `http://127.0.0.1:${port}`, authorization: `Bearer ${token}` }
        })
        expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null])
        expect(await answer.text()).not.toContain(domain)
        expect(await page.locator("domain-connection").textContent()).not.toContain(domain)
        // The API does return the secrets, so their absence above means something.
        let connectionJson = ""
        do {
          const init = { headers: { "x-api-key": settings.apiKey } }
          connectionJson = await (await fetch(`${settings.serviceUrl}/v1/connections/${connectionId}`, init)).text()
        } while (connectionJson.includes('"requested"'))
        expect(secrets.filter((secret) => !connectionJson.includes(secret))).toEqual([])
      })
    })
  )

  live("waits while the browser is offline, and continues without a reload once it is online", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("offline-shop.com")
      const { page, url } = yield* openCustomerPage(domain)
      yield* Effect.promise(async () => {
        await page.goto(url)
        await confirmWarnings(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await openWay(page, "Do it yourself")
        await page.context().setOffline(true)
        await page.getByRole("button", { name: "Show me what to enter" }).click()
        await page.getByText("We cannot reach the service. We keep trying.").waitFor()
        await page.context().setOffline(false)
        await page.getByText("We cannot reach the service. We keep trying.").waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Show me what to enter" }).click()
        await page.getByRole("button", { name: "It is open: begin" }).waitFor()
      })
    })
  )
})

/** The focused element, by its name or its text. */
const readFocusedName = (page: Page) =>
  page.evaluate(
    "(({ activeElement }) => activeElement.name || activeElement.textContent.trim())(document.querySelector('domain-connection').shadowRoot)"
  )

/** Every response from the network, including those that the page cannot read. */
const recordResponses = async (page: Page, urlPattern: string) => {
  const answers: Array<{ method: string; status: number | undefined; headers: string; body: string }> = []
  const session = await page.context().newCDPSession(page)
  session.on("Fetch.requestPaused", async ({ request: { method }, requestId, ...answer }) => {
    const headers = JSON.stringify(answer.responseHeaders ?? [])
    // A stream does not end, and a response that a reload interrupted has no body.
    const read = headers.includes("text/event-stream")
      ? Promise.reject(new Error("a stream"))
      : session.send("Fetch.getResponseBody", { requestId })
    const { base64Encoded, body } = await read.catch(() => ({ base64Encoded: false, body: "" }))
    const text = base64Encoded ? Buffer.from(body, "base64").toString() : body
    answers.push({ method, status: answer.responseStatusCode, headers, body: text })
    await session.send("Fetch.continueRequest", { requestId }).catch(() => undefined)
  })
  await session.send("Fetch.enable", { patterns: [{ urlPattern, requestStage: "Response" }] })
  return answers
}

const countTokens = (page: Page) => {
  const tokenRequests = { count: 0 }
  page.on("request", (request) => {
    if (request.url().endsWith("/token")) tokenRequests.count += 1
  })
  return tokenRequests
}

/** Revokes the token, which has the same effect as its expiry. */
const revokeTokens = async (page: Page, { apiKey, serviceUrl }: PlatformSettings) => {
  const id = await page.evaluate("document.querySelector('domain-connection').connectionId")
  const url = `${serviceUrl}/v1/connections/${id}/access-token`
  expect((await fetch(url, { method: "DELETE", headers: { "x-api-key": apiKey } })).status).toBe(204)
}
