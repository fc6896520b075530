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

/** Confirms each consequence that has to be confirmed before the customer can go on. */
export const confirmWarnings = async (page: Page, buttonName = "Continue") => {
  await page.getByRole("button", { name: buttonName }).waitFor()
  for (const box of await page.getByRole("checkbox").all()) await box.press("Space")
}

/** The value of the challenge, which the page shows once the plan for a manual setup is made. */
export const readChallenge = async (page: Page): Promise<string> => {
  const challenge = page.getByText(/^domain-connection=\w+$/).first()
  await challenge.waitFor()
  return collapseWhitespace((await challenge.textContent()) ?? "")
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
