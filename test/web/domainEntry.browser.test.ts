import { expect } from "bun:test"
import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import { sendAsAdmin } from "../http/support/adminRequests.ts"
import { labPowerDns, labService } from "../support/labService.ts"
import { get, issueKey, jsonOf, post, serviceUrl, tenancyOf } from "../support/testApi.ts"
import { describeServiceInBrowser, openPage } from "./Chromium.ts"
import { createLabDomain, headingOf } from "./labCustomer.ts"

/** The folder for screenshots, if they are wanted. */
const folder = process.env["SCREENSHOTS"]

const recordTemplate = [
  { host: "{host}", type: "A", value: "203.0.113.80" },
  { host: "_verify.{host}", type: "TXT", value: "platform={name}" }
]

/** The page of a platform that does not ask for the domain, with a token to type one. */
const openEntryPage = (application: string, options: BrowserContextOptions = {}) =>
  Effect.gen(function* () {
    yield* sendAsAdmin("/v1/admin/applications", { body: { id: application, name: "Shop Builder", recordTemplate } })
    const { key } = yield* issueKey(tenancyOf(application, "tenant"))
    const service = yield* serviceUrl
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port: 0, fetch: () => new Response(pageFor(service), { headers: pageHeaders }) })),
      (running) => Effect.promise(() => running.stop(true))
    )
    const origin = `http://localhost:${server.port}`
    const { accessToken } = yield* Effect.flatMap(post("/v1/domain-entry/access-token", key, { origin }), jsonOf)
    const page = yield* openPage({ locale: "en", ...options })
    yield* Effect.promise(async () => {
      await page.goto(origin)
      await page.evaluate(`document.querySelector("domain-connection").token = ${JSON.stringify(accessToken)}`)
      await headingOf(page, "Which domain do you want to connect?").waitFor()
    })
    return { key, page }
  })

const pageHeaders = { "content-type": "text/html; charset=utf-8" }

const pageFor = (service: string): string => `<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Shop</title>
      <script type="module" src="${service}/v1/connect.js"></script>
      <script>
        window.heard = []
        for (const name of ["created", "step"])
          addEventListener(name, ({ detail }) => heard.push([name, detail.step ?? detail.connectionId]))
      </script>
    </head>
    <body><main><h1>Your domain</h1><domain-connection></domain-connection></main></body>
  </html>`

describeServiceInBrowser("a customer who types the domain", labService([labPowerDns]), (live) => {
  for (const width of [390, 1280])
    live(`chooses the address and goes on to the review of its connection, at ${width} px`, () =>
      Effect.gen(function* () {
        const domain = yield* createLabDomain(`typed-${width}.com`)
        const { key, page } = yield* openEntryPage(`typing-${width}`, { viewport: { width, height: 700 } })
        const { name: id } = yield* Effect.promise(async () => {
          await page.locator(".frame").getByText("Shop Builder").waitFor()
          await page.getByLabel("Your domain").fill(domain)
          if (folder !== undefined) await page.screenshot({ path: `${folder}/entry-1-${width}.png` })
          await page.getByRole("button", { name: "Continue" }).click()
          await page.getByRole("group", { name: "Which address do visitors use?" }).waitFor()
          await page.getByText("managed at PowerDNS of the lab").waitFor()
          await page.getByLabel(`www.${domain}`).check()
          if (folder !== undefined) await page.screenshot({ path: `${folder}/entry-2-${width}.png` })
          await page.getByRole("button", { name: "Continue" }).click()
          await headingOf(page, `Connect ${domain}`).waitFor()
          const heard: any = await page.evaluate("window.heard")
          expect(heard).toEqual([["step", "domain"], ["created", expect.stringMatching(/^con_/)], ...heard.slice(2)])
          expect(heard.at(-1)).toEqual(["step", "review"])
          return { name: heard[1][1] }
        })
        const { connection } = yield* Effect.flatMap(get(`/v1/connections/${id}`, key), jsonOf)
        expect(connection.intent.records.map(({ host, value }: any) => [host, value])).toEqual([
          ["www", "203.0.113.80"],
          ["_verify.www", `platform=www.${domain}`]
        ])
      })
    )

  live("is offered the name inside of what was pasted, and told of a domain that nobody has registered", () =>
    Effect.gen(function* () {
      const domain = yield* createLabDomain("pasted-shop.com")
      const { page } = yield* openEntryPage("pasting", { viewport: { width: 390, height: 700 } })
      yield* Effect.promise(async () => {
        const field = page.getByLabel("Your domain")
        const goOn = page.getByRole("button", { name: "Continue" })
        await goOn.click()
        await page.getByRole("alert").filter({ hasText: "This is no domain." }).waitFor()
        await field.fill(`https://www.${domain}/basket`)
        await field.press("Enter")
        if (folder !== undefined) await page.screenshot({ path: `${folder}/entry-pasted.png` })
        await page.getByRole("button", { name: `Do you mean www.${domain}?` }).click()
        await page.getByLabel(domain, { exact: true }).waitFor()
        expect(await page.getByLabel(`www.${domain}`).isChecked()).toBe(true)
        await field.fill("nobody-has-this-shop.com")
        await goOn.click()
        await page.getByText("This domain is not registered.").waitFor()
        expect(await page.getByRole("radio").count()).toBe(0)
      })
    })
  )
})
