import { HttpServer } from "@effect/platform"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { httpServer } from "../../src/api/HttpServer.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { allScopes, ApplicationId, type KeyScope, type Tenancy, TenantId } from "../../src/domain/Tenancy.ts"
import { defaultClocks } from "../../src/lifecycle/state/Clocks.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { ProviderVisits } from "../../src/lifecycle/access/ProviderVisits.ts"
import { Revocations } from "../../src/lifecycle/steps/Revocations.ts"
import { Commits } from "../../src/lifecycle/steps/Commits.ts"
import { Signals } from "../../src/lifecycle/steps/Signals.ts"
import { Steps } from "../../src/lifecycle/steps/Steps.ts"
import { Survey, SurveyFailed } from "../../src/lifecycle/zone/Survey.ts"
import { DatabaseReadiness } from "../../src/persistence/DatabaseReadiness.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { Fingerprints } from "../../src/security/Fingerprints.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { apiKeyStoreInMemory } from "./memory/apiKeyStoreInMemory.ts"
import { browserTokenStoreInMemory } from "./memory/browserTokenStoreInMemory.ts"
import { connectionStoreInMemory } from "./memory/connectionStoreInMemory.ts"
import { connectionViewsInMemory } from "./memory/connectionViewsInMemory.ts"
import { credentialStoreInMemory } from "./memory/credentialStoreInMemory.ts"
import { journalInMemory } from "./memory/journalInMemory.ts"
import { leaseStoreInMemory } from "./memory/leaseStoreInMemory.ts"
import { oauthSessionStoreInMemory } from "./memory/oauthSessionStoreInMemory.ts"
import { phaseStoreInMemory } from "./memory/phaseStoreInMemory.ts"
import { Tables } from "./memory/Tables.ts"
import { masterKey, sealingWith } from "./sealing.ts"

/** The stores in memory, and the tables that they share. */
export const storesInMemory = Layer.mergeAll(
  connectionStoreInMemory,
  connectionViewsInMemory,
  phaseStoreInMemory,
  apiKeyStoreInMemory,
  browserTokenStoreInMemory,
  credentialStoreInMemory,
  oauthSessionStoreInMemory,
  leaseStoreInMemory,
  journalInMemory,
  Layer.succeed(DatabaseReadiness, { isReady: Effect.succeed(true) })
).pipe(Layer.provideMerge(Tables.layer))

/** What stands between the HTTP API and the stores, without the phases: connections stay as they were commanded. */
export const roomsWith = (masterKeys: string) =>
  Layer.merge(Connections.layer, ProviderVisits.layer).pipe(
    Layer.provide(Commits.layer),
    Layer.provideMerge(Revocations.layer),
    Layer.provideMerge(Layer.merge(OAuthSessions.layer, Fingerprints.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        ApiKeys.layer,
        BrowserTokens.layer({ lifetime: Duration.minutes(15) }),
        sealingWith(masterKeys),
        Signals.layer,
        Steps.layer(defaultClocks)
      )
    ),
    Layer.provideMerge(Identifiers.layer)
  )

export const rooms = roomsWith(masterKey(1))

/** No DNS server answers, and no provider is declared. */
export const withoutInternet = Layer.merge(
  Layer.succeed(Survey, {
    survey: () => new SurveyFailed({ code: "discovery_timeout", provider: Option.none() }),
    look: () => new SurveyFailed({ code: "discovery_timeout", provider: Option.none() })
  }),
  Providers.layer([])
)

/** The HTTP API on a free port of this machine, over in-memory stores. */
export const apiInMemory = (settings: { readonly rateLimitPerMinute: number } = { rateLimitPerMinute: 0 }) =>
  httpServer({ host: "127.0.0.1", port: 0, publicUrl: Option.none(), ...settings }).pipe(
    Layer.provideMerge(rooms),
    Layer.provide(withoutInternet),
    Layer.provideMerge(storesInMemory)
  )

export const tenancyOf = (applicationId: string, tenantId: string): Tenancy => ({
  applicationId: ApplicationId.make(applicationId),
  tenantId: TenantId.make(tenantId)
})

/** A new key, for `app`/`tenant` with all scopes unless told otherwise. */
export const issueKey = (tenancy = tenancyOf("app", "tenant"), scopes: ReadonlyArray<KeyScope> = allScopes) =>
  Effect.flatMap(ApiKeys, (keys) =>
    Effect.map(keys.issue({ tenancy, scopes, environment: "test" }), ({ id, key }) => ({
      id,
      key: Redacted.value(key)
    }))
  )

/** Where the API under test is. */
export const serviceUrl = HttpServer.addressFormattedWith(Effect.succeed)

/** Sends a request to the API under test, as any client on the wire would. */
export const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(serviceUrl, (url) => Effect.promise(() => fetch(`${url}${path}`, { redirect: "manual", ...init })))

/** A request with a JSON body and an API key; `headers` come last and win. */
export const post = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

export const get = (path: string, key: string, headers: Record<string, string> = {}) =>
  send(path, { headers: { "x-api-key": key, ...headers } })

export const jsonOf = (response: Response): Effect.Effect<any> => Effect.promise(() => response.json())

/** A small intent that makes sense. */
export const someIntent = {
  domain: "example.com",
  records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
}
