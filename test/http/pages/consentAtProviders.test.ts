import type { HttpClient } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Either, Layer, Option } from "effect"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { parseProvidersFile } from "../../../src/providers/ProvidersFile.ts"
import { en } from "../../../src/web/words/en.ts"
import { sampleProvider } from "../../persistence/connectionFixtures.ts"
import { makeFakeOf } from "../../providers/adapters/DescribedAdapter.ts"
import { makeConsentingOvh } from "../../providers/oauth/consentingOvh.ts"
import { application } from "../../providers/adapters/ovh/signedOvhCalls.ts"
import { HttpBrowser } from "../../support/HttpBrowser.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, jsonOf, post, serviceUrl } from "../../support/testApi.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { connectionAndTimeline, createInState } from "../support/commandFixtures.ts"
import { storedCredential } from "../support/credentials.ts"

/** The providers of the catalog, with the operator's client at this one. */
const providersWith = (id: string, oauth: object, http: HttpClient.HttpClient) => {
  const file = parseProvidersFile(JSON.stringify([{ id, oauth }]), http)
  const { catalogued, declared } = Either.getOrThrow(file)
  return Providers.layer(declared, catalogued)
}

const ovhClient = { clientId: application.key, clientSecret: application.secret }

/** A connection whose customer can only consent at this provider, and what the browser is sent to. */
const startConsent = (id: string) =>
  Effect.gen(function* () {
    const provider = Provider.make({
      ...sampleProvider,
      id,
      availableAuthorizationMethods: ["oauth2_pkce", "manual"],
      authorizationInputs: { directCredential: "none", providerSession: "none" }
    })
    const { key, path } = yield* createInState("awaiting_authorization", { connection: { provider } })
    const start = Effect.map(
      Effect.flatMap(post(`${path}/authorization`, key, { method: "oauth2_pkce" }), jsonOf),
      ({ authorizeUrl }) => String(authorizeUrl)
    )
    return { key, path, start }
  })

/** Loads a page of the service, whose own URLs have the port that it was told to take. */
const load = (browser: HttpBrowser, url: string) =>
  Effect.flatMap(serviceUrl, (origin) =>
    Effect.promise(async () => {
      const { pathname, search } = new URL(url)
      const response = await browser.load(`${origin}${pathname}${search}`)
      return { status: response.status, text: await response.text() }
    })
  )

const customer = makeConsentingOvh()
const atOvh = Layer.unwrapScoped(
  Effect.map(makeFakeOf(customer), (fake) => providersWith("ovh", ovhClient, httpClientFor(fake)))
)

withLayer("OVHcloud's page of consent", apiInMemory({ providers: atOvh }), (live) => {
  live("is reached by the redirect of every provider, and the key that the customer allows is kept", () =>
    Effect.gen(function* () {
      const { key, path, start } = yield* startConsent("ovh")
      const browser = new HttpBrowser()
      const page = yield* load(browser, yield* start)
      expect([
        page.status,
        page.text.includes("https://eu.api.ovh.com/auth/?credentialToken=consumer-1-token")
      ]).toEqual([200, true])
      const back = yield* load(browser, customer.allow("consumer-1"))
      expect([back.status, back.text.includes("You have allowed the changes")]).toEqual([200, true])
      const { connection } = yield* connectionAndTimeline(path, key)
      expect(connection.state).toBe("authorized")
      expect<unknown>(yield* storedCredential(path)).toEqual(
        Option.some({ kind: "oauth_token", accessToken: "consumer-1" })
      )
    })
  )

  live("leads on for a customer who allowed fewer rights: the page says so, and the next consent counts", () =>
    Effect.gen(function* () {
      const { key, path, start } = yield* startConsent("ovh")
      const browser = new HttpBrowser()
      yield* load(browser, yield* start)
      const { rules = [] } = customer.keys().get("consumer-2") ?? {}
      const fewer = { rules: rules.filter(({ method }) => method !== "DELETE") }
      const refused = yield* load(browser, customer.allow("consumer-2", fewer))
      expect(refused.status).toBe(400)
      expect(refused.text).toContain(en.failures.authorization_insufficient_scope.reason)
      const { connection } = yield* connectionAndTimeline(path, key)
      expect([connection.state, connection.failure.code]).toEqual([
        "awaiting_authorization",
        "authorization_insufficient_scope"
      ])
      expect(connection.failure.details[0].message).toContain("/record/* is missing")
      expect(connection.allowedActions).toContain("authorization")
      yield* load(browser, yield* start)
      yield* load(browser, customer.allow("consumer-3"))
      expect((yield* connectionAndTimeline(path, key)).connection.state).toBe("authorized")
    })
  )

  live("is left without consent by a customer who closes it: nothing was allowed", () =>
    Effect.gen(function* () {
      const { key, path, start } = yield* startConsent("ovh")
      const browser = new HttpBrowser()
      yield* load(browser, yield* start)
      const { redirection = "" } = customer.keys().get("consumer-4") ?? {}
      expect((yield* load(browser, redirection)).text).toContain(en.failures.authorization_denied.reason)
      expect((yield* connectionAndTimeline(path, key)).connection.failure.code).toBe("authorization_denied")
    })
  )
})

const atNobody = providersWith(
  "ovh",
  ovhClient,
  httpClientFor({ baseUrl: "https://eu.api.ovh.com", origin: "http://127.0.0.1:9" })
)

withLayer(
  "a provider that asks for consent by a call, and does not answer",
  apiInMemory({ providers: atNobody }),
  (live) =>
    live("has the customer load the page again, for the session stays open", () =>
      Effect.gen(function* () {
        const { key, path, start } = yield* startConsent("ovh")
        const page = yield* load(new HttpBrowser(), yield* start)
        expect(page.status).toBe(503)
        expect((yield* connectionAndTimeline(path, key)).connection.state).toBe("authorizing")
      })
    )
)

/** Cloudflare's authorization server, which grants less than it was asked for. */
const atCloudflare = Layer.unwrapScoped(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          port: 0,
          hostname: "127.0.0.1",
          fetch: () => Response.json({ access_token: "token", token_type: "bearer", scope: "zone.read" })
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) =>
      providersWith(
        "cloudflare",
        { clientId: "our-client", clientSecret: "our-s3cret" },
        httpClientFor({ baseUrl: "https://dash.cloudflare.com", origin: `http://127.0.0.1:${port}` })
      )
  )
)

withLayer("Cloudflare's page of consent", apiInMemory({ providers: atCloudflare }), (live) =>
  live("may grant fewer scopes than asked: the customer reads so, and can choose again", () =>
    Effect.gen(function* () {
      const { key, path, start } = yield* startConsent("cloudflare")
      const browser = new HttpBrowser()
      const startUrl = yield* start
      const { text } = yield* load(browser, startUrl)
      const [, state = ""] = /[?&;]state=([0-9A-Za-z]{43})/.exec(text) ?? []
      expect(text).toContain("scope=zone.read+dns.write")
      const back = new URL("/v1/oauth/callback", startUrl)
      back.search = new URLSearchParams({ code: "a-code", state }).toString()
      const refused = yield* load(browser, back.href)
      expect([refused.status, refused.text.includes(en.failures.authorization_insufficient_scope.reason)]).toEqual([
        400,
        true
      ])
      const { connection } = yield* connectionAndTimeline(path, key)
      expect(connection).toMatchObject({
        state: "awaiting_authorization",
        failure: { code: "authorization_insufficient_scope" }
      })
      expect(connection.failure.details[0].message).toContain("dns.write is missing")
      expect(connection.allowedActions).toContain("authorization")
      expect(Option.isNone(yield* storedCredential(path))).toBe(true)
    })
  )
)
