import { HttpServer } from "@effect/platform"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { ConnectionOperations } from "../../src/administration/ConnectionOperations.ts"
import { administrationLayer } from "../../src/administration/layer.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { type QuotaLimits, unlimitedQuotas } from "../../src/domain/access/Quota.ts"
import { type AdminScope, allAdminScopes } from "../../src/domain/access/AdminKey.ts"
import { allKeyScopes, ApplicationId, type KeyScope, type Tenancy, TenantId } from "../../src/domain/access/Tenancy.ts"
import { httpLayer, type HttpSettings } from "../../src/http/layer.ts"
import { Delegations } from "../../src/dns/zone/Delegations.ts"
import { OAuthFlow } from "../../src/lifecycle/authorize/OAuthFlow.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { CommandRunner } from "../../src/lifecycle/commit/CommandRunner.ts"
import { ConnectionReads } from "../../src/lifecycle/commit/ConnectionReads.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "../../src/lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "../../src/lifecycle/commit/Transitions.ts"
import { DomainChecks } from "../../src/lifecycle/plan/DomainChecks.ts"
import { ZoneSurveyFailed } from "../../src/lifecycle/plan/ZoneSurvey.ts"
import { Quotas } from "../../src/limits/Quotas.ts"
import type { RateLimits } from "../../src/limits/RateLimiter.ts"
import { defaultStateTimeouts } from "../../src/lifecycle/state/StateTimeouts.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { MasterKeyStore } from "../../src/persistence/stores/access/MasterKeyStore.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { ReceiverClient } from "../../src/webhooks/ReceiverClient.ts"
import { WebhookEndpoints } from "../../src/webhooks/WebhookEndpoints.ts"
import { AdminKeys } from "../../src/security/AdminKeys.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { expectDocumentedError } from "./documentedErrors.ts"
import { masterKey, securityWith } from "./masterKeys.ts"
import { Tables } from "./memory/Tables.ts"
import { adminKeyStoreInMemory } from "./memory/adminKeyStoreInMemory.ts"
import { apiKeyStoreInMemory } from "./memory/apiKeyStoreInMemory.ts"
import { applicationStoreInMemory } from "./memory/applicationStoreInMemory.ts"
import { adminRequestStoreInMemory } from "./memory/adminRequestStoreInMemory.ts"
import { askSecretStoreInMemory } from "./memory/askSecretStoreInMemory.ts"
import { auditStoreInMemory } from "./memory/auditStoreInMemory.ts"
import { browserTokenStoreInMemory } from "./memory/browserTokenStoreInMemory.ts"
import { connectionInspectionsInMemory } from "./memory/connectionInspectionsInMemory.ts"
import { connectionStoreInMemory } from "./memory/connectionStoreInMemory.ts"
import { connectionViewsInMemory } from "./memory/connectionViewsInMemory.ts"
import { credentialStoreInMemory } from "./memory/credentialStoreInMemory.ts"
import { domainConnectKeyStoreInMemory } from "./memory/domainConnectKeyStoreInMemory.ts"
import { erasureStoreInMemory } from "./memory/erasureStoreInMemory.ts"
import { hostHolderStoreInMemory } from "./memory/hostHolderStoreInMemory.ts"
import { journalInMemory } from "./memory/journalInMemory.ts"
import { leaseStoreInMemory } from "./memory/leaseStoreInMemory.ts"
import { oauthSessionStoreInMemory } from "./memory/oauthSessionStoreInMemory.ts"
import { phaseStoreInMemory } from "./memory/phaseStoreInMemory.ts"
import { usageStoreInMemory } from "./memory/usageStoreInMemory.ts"
import { webhookDeliveryStoreInMemory, webhookEndpointStoreInMemory } from "./memory/webhookStoresInMemory.ts"

/** The stores in memory, with the tables that they share. */
export const storesInMemory = Layer.mergeAll(
  connectionStoreInMemory,
  connectionViewsInMemory,
  phaseStoreInMemory,
  apiKeyStoreInMemory,
  adminKeyStoreInMemory,
  adminRequestStoreInMemory,
  askSecretStoreInMemory,
  applicationStoreInMemory,
  auditStoreInMemory,
  connectionInspectionsInMemory,
  browserTokenStoreInMemory,
  credentialStoreInMemory,
  erasureStoreInMemory,
  oauthSessionStoreInMemory,
  leaseStoreInMemory,
  journalInMemory,
  hostHolderStoreInMemory,
  usageStoreInMemory,
  webhookEndpointStoreInMemory,
  webhookDeliveryStoreInMemory,
  Layer.succeed(DatabaseReadiness, { findProblems: Effect.succeed([]) }),
  domainConnectKeyStoreInMemory,
  // Any master key fits.
  Layer.mock(MasterKeyStore, {
    register: (choose) => Effect.asVoid(choose([])),
    listChecks: Effect.succeed([]),
    findSealed: () => Effect.succeed([]),
    countUnreadable: () =>
      Effect.succeed({
        keyVersions: [],
        credentials: 0,
        oauthSessions: 0,
        webhookEndpoints: [],
        domainConnectKeys: [],
        answers: 0
      })
  })
).pipe(Layer.provideMerge(Tables.layer))

/** The endpoints of webhooks, at loopback too, without the loop that delivers; an application may have three, and ten replays an hour. */
export const webhooksWithoutLoop = Layer.provide(
  WebhookEndpoints.layer({ endpointsPerApplication: 3, replaysPerHour: 10 }),
  ReceiverClient.layer({
    outboundProxy: Option.none(),
    outboundAllow: Option.toArray(parseNetwork("127.0.0.0/8"))
  })
)

/** OAuth where each domain is a zone of its own. */
export const offlineOAuthFlow = Layer.provide(
  OAuthFlow.layer,
  Layer.mock(Delegations, {
    findKept: (zone) =>
      Effect.succeed({
        zone,
        nameServers: [],
        parentNameServers: [],
        childNameServers: [],
        hasParentChildMismatch: false,
        isSigned: false
      })
  })
)

/** The layers between the HTTP API and the stores, without phases: connections keep the state after each command. */
export const apiServicesLayerWith = (masterKeys: string) =>
  Layer.mergeAll(
    Connections.layer,
    offlineOAuthFlow,
    webhooksWithoutLoop,
    administrationLayer,
    ConnectionOperations.layer
  ).pipe(
    Layer.provide(CommandRunner.layer),
    Layer.provideMerge(TokenRevocations.layer),
    Layer.provideMerge(
      Layer.mergeAll(ConnectionReads.layer, ConnectionSignals.layer, Transitions.layer(defaultStateTimeouts))
    ),
    Layer.provideMerge(securityWith(masterKeys)),
    Layer.provideMerge(Identifiers.layer)
  )

export const apiServicesLayer = apiServicesLayerWith(masterKey(1))

/** A DNS in which no server answers, and no declared providers. */
export const offlineDnsWith = (providers: Layer.Layer<Providers>) =>
  Layer.merge(
    Layer.mock(DomainChecks, {
      findHolding: () => Effect.succeed("nobody"),
      preview: () => new ZoneSurveyFailed({ code: "discovery_timeout", provider: Option.none() })
    }),
    providers
  )

/** The same, with no provider that the service writes to. */
export const offlineDns = offlineDnsWith(Providers.layer([]))

/** Settings of the HTTP API under test; a rate that they do not name is unlimited. */
export type TestApiSettings = Partial<Omit<HttpSettings, "rates">> & { readonly rates?: Partial<RateLimits> }

const unlimitedRates: RateLimits = { server: 0, browser: 0, refused: 0 }

/** No request is traced, as in a service without a collector. */
export const untraced = Layer.setTracerEnabled(false)

/** The HTTP API on a free port of loopback, without any limit of rates. */
export const httpOnFreePort = ({ rates, ...settings }: TestApiSettings = {}) =>
  Layer.provide(
    httpLayer({
      host: "127.0.0.1",
      port: 0,
      publicUrl: Option.none(),
      trustedProxies: [],
      ...settings,
      rates: { ...unlimitedRates, ...rates }
    }),
    untraced
  )

/** The HTTP API on a free port, over in-memory stores. */
export const apiInMemory = ({
  providers = Providers.layer([]),
  quotas = {},
  ...settings
}: TestApiSettings & {
  readonly providers?: Layer.Layer<Providers>
  readonly quotas?: Partial<QuotaLimits>
} = {}) =>
  httpOnFreePort(settings).pipe(
    Layer.provideMerge(apiServicesLayer),
    Layer.provide(offlineDnsWith(providers)),
    Layer.provideMerge(Quotas.layer({ ...unlimitedQuotas, ...quotas })),
    Layer.provideMerge(storesInMemory)
  )

export const tenancyOf = (applicationId: string, tenantId: string): Tenancy => ({
  applicationId: ApplicationId.make(applicationId),
  tenantId: TenantId.make(tenantId)
})

/** Issues an API key, by default for `app`/`tenant` with all scopes. */
export const issueKey = (tenancy = tenancyOf("app", "tenant"), scopes: ReadonlyArray<KeyScope> = allKeyScopes) =>
  Effect.gen(function* () {
    const { issue } = yield* ApiKeys
    // A busy machine may open no connection within the two seconds that the service allows.
    const { id, key } = yield* Effect.retry(issue({ tenancy, scopes, environment: "live" }), {
      schedule: Schedule.spaced("200 millis"),
      times: 20
    })
    return { id, key: Redacted.value(key) }
  })

/** Issues an admin key with these scopes. */
export const issueScopedAdminKey = (scopes: ReadonlyArray<AdminScope>) =>
  Effect.flatMap(AdminKeys, ({ issue }) => issue({ name: Option.none(), environment: "live", scopes })).pipe(
    Effect.map(({ key }) => Redacted.value(key))
  )

/** Issues an admin key. */
export const issueAdminKey = issueScopedAdminKey(allAdminScopes)

/** The URL of the API under test. */
export const serviceUrl = HttpServer.addressFormattedWith(Effect.succeed)

/** Sends a request to the API under test over the network. What it answers must be documented. */
export const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(serviceUrl, (url) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, { redirect: "manual", ...init })
      await expectDocumentedError(path, init.method ?? "GET", response)
      return response
    })
  )

/** Posts a JSON body with an API key; `headers` override the defaults. */
export const post = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  sendJson("POST", path, key, body, headers)

/** Sends a JSON body by PATCH. */
export const patch = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  sendJson("PATCH", path, key, body, headers)

const sendJson = (method: string, path: string, key: string, body: unknown, headers: Record<string, string>) =>
  send(path, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

export const get = (path: string, key: string, headers: Record<string, string> = {}) =>
  send(path, { headers: { "x-api-key": key, ...headers } })

export const jsonOf = (response: Response): Effect.Effect<any> => Effect.promise(() => response.json())

export const textOf = (response: Response): Effect.Effect<string> => Effect.promise(() => response.text())

/** A small valid intent. */
export const sampleIntent = {
  domain: "example.com",
  records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
}
