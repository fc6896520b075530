import { expect } from "bun:test"
import { Effect } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import type { IntentRequest } from "@domain-connection/client"
import { startStorefront } from "../../examples/storefront/server.ts"
import { Lab } from "../support/lab/Lab.ts"
import { issueKey, jsonOf, post, send, serviceUrl } from "../support/testApi.ts"
import { openPage } from "./Chromium.ts"

/** A domain that was just delegated to PowerDNS of the lab: a site at `www`, and mail. */
export const createLabDomain = (domain: string) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const lines = `
      @    NS  ns1.pdnsprov.net.
      @    NS  ns2.pdnsprov.net.
      @    A   192.0.2.20
      @    MX  10 mx1.mailprov.net.
      www  A   192.0.2.20`
    yield* pdns.createZone(domain, lines)
    yield* delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
    return domain
  })

const intentFor = (domain: string): IntentRequest => ({
  domain,
  records: [
    { host: "www", type: "CNAME", value: "web.hostprov.net" },
    { host: "_verify", type: "TXT", value: `platform-verification=${domain}` }
  ]
})

/** The example storefront with a connection of its own, and a customer on its page. */
export const openCustomerPage = (domain: string, options: BrowserContextOptions = {}, intent = intentFor(domain)) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const settings = { serviceUrl: yield* serviceUrl, apiKey: key }
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => startStorefront({ ...settings, port: 0, intent, shopId: domain })),
      (running) => Effect.promise(() => running.stop(true))
    )
    const page = yield* openPage({ locale: "en", permissions: ["clipboard-write", "clipboard-read"], ...options })
    return { page, settings, url: `http://localhost:${server.port}`, port: server.port }
  })

/** Creates a connection and a link to it, as a server does. */
export const createShareLink = (domain: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const postJson = (path: string, body: object = {}) => Effect.flatMap(post(path, key, body), jsonOf)
    const { connection } = yield* postJson("/v1/connections", { intent: intentFor(domain) })
    const { path } = yield* postJson(`/v1/connections/${connection.id}/share-link`)
    const revoke = send(`/v1/connections/${connection.id}/access-token`, {
      method: "DELETE",
      headers: { "x-api-key": key }
    })
    const at = yield* serviceUrl
    return {
      link: `${at}${path}`,
      code: `${path}`.replace("/connect#", ""),
      id: connection.id,
      serviceUrl: at,
      revoke
    }
  })

/** What the server of a platform knows. */
export interface PlatformSettings {
  readonly apiKey: string
  readonly serviceUrl: string
}

/** Sends a command for the connection of a page, as its platform does. */
export const command = async (
  page: Page,
  { apiKey, serviceUrl }: PlatformSettings,
  name: "cancel" | "disconnect" | "recheck"
) => {
  const id = await page.evaluate("document.querySelector('domain-connection').connectionId")
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }
  const response = await fetch(`${serviceUrl}/v1/connections/${id}/${name}`, { method: "POST", headers, body: "{}" })
  expect(response.status).toBe(200)
}

/** What a page says at the end that was changed, sorted. */
export const readOutcome = async (page: Page): Promise<ReadonlyArray<string>> => {
  const outcome = page.getByRole("group").filter({ hasText: "What changed" })
  await outcome.getByText("What changed").click()
  return (await outcome.getByRole("listitem").allTextContents()).map(collapseWhitespace).toSorted()
}

/** Answers what the review asks, and confirms each consequence, before the customer can go on. */
export const confirmWarnings = async (page: Page, buttonName = "Continue") => {
  await page.getByRole("button", { name: buttonName }).waitFor()
  for (const answer of await page.getByLabel("No, I get no mail there").all()) await answer.press("Space")
  for (const box of await page.getByRole("checkbox").all()) if (!(await box.isChecked())) await box.press("Space")
}

/** Opens a row of the ways, of which only the recommended one is open. */
export const openWay = (page: Page, title: string) => page.locator("summary", { hasText: title }).click()

/** Goes from the review to the tasks of a setup by hand. */
export const chooseByHand = async (page: Page) => {
  await openWay(page, "Do it yourself")
  await page.getByRole("button", { name: "Show me what to enter" }).click()
  await page.getByRole("button", { name: "It is open: begin" }).waitFor()
}

/** What a task asks for: the entry that is deleted first or changed, if any, and each field of the new one. */
export interface ShownTask {
  readonly title: string
  readonly intro: string
  readonly old: ReadonlyArray<string>
  readonly fields: { readonly [label: string]: string }
}

/** Walks through the tasks and reads what each of them shows. */
export const readTasks = async (page: Page): Promise<ReadonlyArray<ShownTask>> => {
  const shown: Array<ShownTask> = []
  // The plan for a setup by hand has one more entry, which comes a little later.
  await page.locator(".task", { hasText: "_domain-connection" }).first().waitFor()
  for (const task of await page.locator(".task").all()) {
    await task.click()
    const record = page.locator(".record", { has: page.locator("dl") })
    const labels = await record.locator("dt").allTextContents()
    const values = await record.locator("dd:not(.hint)").allTextContents()
    shown.push({
      title: collapseWhitespace(await page.locator("h2").innerText()),
      intro: await record.locator("h3").innerText(),
      old: (await page.locator(".old").allTextContents()).map(collapseWhitespace),
      fields: Object.fromEntries(
        labels.map((label, index) => [label, collapseWhitespace(values[index] ?? "").replace(/ Copy$/, "")])
      )
    })
  }
  return shown
}

/** The value of the challenge, which is the task that proves the domain. */
export const readChallenge = async (page: Page): Promise<string> => {
  const values = (await readTasks(page)).map(({ fields }) => fields["Value"] ?? "")
  return values.find((value) => value.startsWith("domain-connection=")) ?? ""
}

/** The headings of the steps, for which the tests wait. */
export const headingOf = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 2, name })

/** The visible text of an element. */
export const collapseWhitespace = (text: string) => text.replaceAll(/\s+/g, " ").trim()

/** Sets an RRset; without contents it is removed. */
export const recordSet = (name: string, type: string, ...contents: ReadonlyArray<string>): any => ({
  name: `${name}.`,
  type,
  changetype: contents.length === 0 ? "DELETE" : "REPLACE",
  ttl: 3600,
  records: contents.map((content) => ({ content, disabled: false }))
})
