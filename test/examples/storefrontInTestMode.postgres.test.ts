import { DomainConnectionClient } from "@domain-connection/client"
import { expect } from "bun:test"
import { Effect } from "effect"
import { shopIntent, startStorefront } from "../../examples/storefront/server.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"
import { live } from "../support/effectTest.ts"
import { freePort } from "../support/freePort.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { eventually } from "../webhooks/Receiver.ts"

const isShop = (page: string): boolean => page.startsWith("The shop at ")

live("a storefront with a test key is online at its domain from the event that it is active to its disconnection", () =>
  Effect.gen(function* () {
    const service = yield* startCompiledService({
      DATA_DIR: yield* makeDataDirectory,
      OUTBOUND_ALLOW: "127.0.0.0/8"
    })
    const apiKey = /dck_test_\w+/.exec(service.output())?.[0] ?? ""
    const client = new DomainConnectionClient({ baseUrl: service.url, apiKey })
    const port = freePort()
    const { secret } = yield* Effect.promise(() =>
      client.createWebhookEndpoint({ url: `http://127.0.0.1:${port}/webhooks` })
    )
    const shop = yield* Effect.acquireRelease(
      Effect.sync(() =>
        startStorefront({
          apiKey,
          intent: shopIntent("bakery-token-only.test"),
          port,
          serviceUrl: service.url,
          webhookSecret: secret
        })
      ),
      (shop) => Effect.promise(() => shop.stop(true))
    )
    const ask = (path: string, init: RequestInit = {}) =>
      Effect.promise(() => fetch(`${shop.url.origin}${path}`, init).then((response) => response.text()))
    const awaitPage = (host: string, isExpected: (page: string) => boolean) =>
      eventually(Effect.filterOrFail(ask("/", { headers: { host } }), isExpected))

    const { connectionId } = JSON.parse(yield* ask("/token", { method: "POST" }))
    /** What the customer does with the component. */
    const allow = Effect.promise(async () => {
      await client.waitUntil(connectionId, ["awaiting_authorization"])
      await client.authorizeConnection(connectionId, {
        method: "direct_credential",
        credential: { kind: "api_token", apiToken: "any" }
      })
      const { plan } = await client.waitUntil(connectionId, ["planned"])
      if (plan === undefined) throw new Error("a connection that is planned has a plan")
      await client.approvePlan(connectionId, { digest: plan.digest, acknowledge: plan.warnings })
    })
    yield* allow
    for (const host of ["www.bakery-token-only.test", "bakery-token-only.test"]) yield* awaitPage(host, isShop)
    // Its provider flattens no alias.
    expect(JSON.parse(yield* ask("/status"))).toMatchObject({
      state: "active",
      records: ["www CNAME shops.platform.example", "@ A 192.0.2.10"]
    })

    yield* ask("/disconnect", { method: "POST" })
    yield* allow
    yield* awaitPage("www.bakery-token-only.test", (page) => !isShop(page))
  })
)
