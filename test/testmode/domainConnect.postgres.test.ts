import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { environmentOf, runCliHere } from "../cli/commandLine.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { freePort } from "../support/freePort.ts"
import { HttpBrowser } from "../support/HttpBrowser.ts"
import { masterKey } from "../support/masterKeys.ts"
import { issueTestAdminKey, issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

const template = {
  providerId: "platform.example",
  providerName: "Platform",
  serviceId: "shop",
  serviceName: "Shop",
  syncPubKeyDomain: "keys.platform.example",
  syncRedirectDomain: "localhost",
  records: [
    { groupId: "site", type: "CNAME", host: "shop", pointsTo: "%shop%.platform.example", ttl: 3600 },
    {
      groupId: "proof",
      type: "TXT",
      host: "_domain-connection",
      data: "domain-connection=%proof%",
      ttl: 300,
      txtConflictMatchingMode: "All"
    }
  ]
}

const shop = "https://shop.example.com"

/** An application of test mode that has the template and a key of it. */
const setUp = Effect.gen(function* () {
  const database = yield* freshTestModeDatabase
  const url = urlOf(database)
  const port = freePort()
  const key = yield* issueTestKey(url)
  const adminKey = yield* issueTestAdminKey(url)
  const environment = { ...environmentOf(database), MASTER_KEY: masterKey(1) }
  const made = yield* runCliHere(
    environment,
    "domain-connect",
    "key",
    "create",
    "--environment=test",
    "--application=app",
    `--domain=${template.syncPubKeyDomain}`,
    "--label=k1"
  )
  expect(made.code).toBe(0)
  return { adminKey, key, port, url }
})

/** A connection of a domain, after the template was set, and the customer's way to the provider. */
const connectWith = ({ adminKey, key }: { readonly adminKey: string; readonly key: string }, domain: string) =>
  Effect.gen(function* () {
    const platform = yield* requesterWith(key)
    yield* platform.send(
      "PATCH",
      "/v1/admin/applications/app",
      { domainConnectTemplates: [JSON.stringify(template)] },
      { "x-admin-key": adminKey, "x-api-key": "" }
    )
    const connection = yield* platform.connect(domain)
    const authorize = Effect.map(
      platform.command(connection.id, "authorization", { method: "domain_connect", returnUrl: `${shop}/domain` }),
      ({ json }) => `${json.authorizeUrl}`
    )
    return { authorize, connection, platform }
  })

/** Follows the customer to the page of the provider, and returns its address and its links by their texts. */
const visitProvider = (browser: HttpBrowser, authorizeUrl: string) =>
  Effect.promise(async () => {
    const url = await browser.follow(authorizeUrl, (next) => next.includes("/v1/test/domain-connect/"), {
      referer: `${shop}/`
    })
    const page = await browser.load(url)
    const html = await page.text()
    const links = [...html.matchAll(/href="([^"]*)">([^<]*)/g)].map(
      ([, href = "", text = ""]) => [text, new URL(href.replaceAll("&#38;", "&"), url).href] as const
    )
    return { url, status: page.status, links: Object.fromEntries(links) }
  })

concurrentTest("the provider of domain-connect.test applies a template, and leads a customer who cancels back", () =>
  Effect.gen(function* () {
    const { port, url, ...keys } = yield* setUp
    yield* Effect.gen(function* () {
      const { authorize, connection, platform } = yield* connectWith(keys, "shop-7-domain-connect.test")
      const { id, provider, state } = connection
      expect([state, provider.id, provider.availableAuthorizationMethods]).toEqual([
        "awaiting_authorization",
        "test-connect-dns",
        ["domain_connect", "manual"]
      ])
      const browser = new HttpBrowser()
      const canceled = yield* visitProvider(browser, yield* authorize)
      yield* Effect.promise(() => browser.load(canceled.links["Cancel"] ?? ""))
      expect((yield* platform.read(id)).state).toBe("awaiting_authorization")
      const { links, url: link } = yield* visitProvider(browser, yield* authorize)
      expect(new URL(link).pathname).toEndWith(
        "/v1/test/domain-connect/v2/domainTemplates/providers/platform.example/services/shop/apply"
      )
      const statusOf = (url: string) => Effect.promise(async () => (await browser.load(url)).status)
      for (const altered of [link.replace("shop=shops", "shop=others"), link.replace(/state=\w/, "state=")])
        expect([altered, yield* statusOf(altered)]).toEqual([altered, 403])
      // The link of the first visit names a session that the second one has replaced.
      expect([yield* statusOf(canceled.url), yield* statusOf(link)]).toEqual([403, 200])
      const back = yield* Effect.promise(() =>
        browser.follow(links["Allow"] ?? "", (next) => next.includes("/v1/oauth/callback"))
      )
      yield* Effect.promise(() => browser.load(back))
      yield* platform.waitFor(id, "active")
      const { json } = yield* platform.send("GET", `/v1/test/connections/${id}/zone`)
      expect(json.records.filter(({ name }: any) => name === "shop.shop-7-domain-connect.test")).toEqual([
        { name: "shop.shop-7-domain-connect.test", type: "CNAME", ttl: 3600, values: ["shops.platform.example"] }
      ])
    }).pipe(Effect.provide(testModeService(url, { count: 0 }, { PORT: `${port}`, HOST: "localhost" })))
  })
)
