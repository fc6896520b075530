import { HttpServer } from "@effect/platform"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { allKeyScopes, ApplicationId, type KeyScope, type Tenancy, TenantId } from "../../src/domain/Tenancy.ts"
import { httpLayer } from "../../src/http/layer.ts"
import { OAuthFlow } from "../../src/lifecycle/authorize/OAuthFlow.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { CommandRunner } from "../../src/lifecycle/commit/CommandRunner.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "../../src/lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "../../src/lifecycle/commit/Transitions.ts"
import { PlanMaker } from "../../src/lifecycle/plan/PlanMaker.ts"
import { ZoneSurveyFailed } from "../../src/lifecycle/plan/ZoneSurvey.ts"
import { defaultStateTimeouts } from "../../src/lifecycle/state/StateTimeouts.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { RequestFingerprints } from "../../src/security/RequestFingerprints.ts"
import { masterKey, sealingLayer } from "./masterKeys.ts"
import { Tables } from "./memory/Tables.ts"
import { apiKeyStoreInMemory } from "./memory/apiKeyStoreInMemory.ts"
import { browserTokenStoreInMemory } from "./memory/browserTokenStoreInMemory.ts"
import { connectionStoreInMemory } from "./memory/connectionStoreInMemory.ts"
import { connectionViewsInMemory } from "./memory/connectionViewsInMemory.ts"
import { credentialStoreInMemory } from "./memory/credentialStoreInMemory.ts"
import { journalInMemory } from "./memory/journalInMemory.ts"
import { leaseStoreInMemory } from "./memory/leaseStoreInMemory.ts"
import { oauthSessionStoreInMemory } from "./memory/oauthSessionStoreInMemory.ts"
import { phaseStoreInMemory } from "./memory/phaseStoreInMemory.ts"

/** The stores in memory, with the tables that they share. */
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
  Layer.succeed(DatabaseReadiness, { findProblems: Effect.succeed([]) })
).pipe(Layer.provideMerge(Tables.layer))

/** The layers between the HTTP API and the stores, without phases: connections keep the state after each command. */
export const securityLayerWith = (masterKeys: string) =>
  Layer.merge(Connections.layer, OAuthFlow.layer).pipe(
    Layer.provide(CommandRunner.layer),
    Layer.provideMerge(TokenRevocations.layer),
    Layer.provideMerge(Layer.merge(OAuthSessions.layer, RequestFingerprints.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        ApiKeys.layer,
        BrowserTokens.layer({ lifetime: Duration.minutes(15) }),
        sealingLayer(masterKeys),
        ConnectionSignals.layer,
        Transitions.layer(defaultStateTimeouts)
      )
    ),
    Layer.provideMerge(Identifiers.layer)
  )

export const securityLayer = securityLayerWith(masterKey(1))

/** A DNS in which no server answers, and no declared providers. */
export const offlineDns = Layer.merge(
  Layer.mock(PlanMaker, {
    preview: () => new ZoneSurveyFailed({ code: "discovery_timeout", provider: Option.none() })
  }),
  Providers.layer([])
)

/** The HTTP API on a free port, over in-memory stores. */
export const apiInMemory = (settings: { readonly rateLimitPerMinute: number } = { rateLimitPerMinute: 0 }) =>
  httpLayer({ host: "127.0.0.1", port: 0, publicUrl: Option.none(), ...settings }).pipe(
    Layer.provideMerge(securityLayer),
    Layer.provide(offlineDns),
    Layer.provideMerge(storesInMemory)
  )

export const tenancyOf = (applicationId: string, tenantId: string): Tenancy => ({
  applicationId: ApplicationId.make(applicationId),
  tenantId: TenantId.make(tenantId)
})

/** Issues an API key, by default for `app`/`tenant` with all scopes. */
export const issueKey = (tenancy = tenancyOf("app", "tenant"), scopes: ReadonlyArray<KeyScope> = allKeyScopes) =>
  Effect.flatMap(ApiKeys, (keys) =>
    Effect.map(keys.issue({ tenancy, scopes, environment: "test" }), ({ id, key }) => ({
      id,
      key: Redacted.value(key)
    }))
  )

/** The URL of the API under test. */
export const serviceUrl = HttpServer.addressFormattedWith(Effect.succeed)

/** Sends a request to the API under test over the network. */
export const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(serviceUrl, (url) => Effect.promise(() => fetch(`${url}${path}`, { redirect: "manual", ...init })))

/** Posts a JSON body with an API key; `headers` override the defaults. */
export const post = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

export const get = (path: string, key: string, headers: Record<string, string> = {}) =>
  send(path, { headers: { "x-api-key": key, ...headers } })

export const jsonOf = (response: Response): Effect.Effect<any> => Effect.promise(() => response.json())

/** A small valid intent. */
export const sampleIntent = {
  domain: "example.com",
  records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
}
