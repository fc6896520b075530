import { Effect, Option, Redacted } from "effect"
import { AdminKeys } from "../src/security/AdminKeys.ts"
import { runProgram } from "../src/runProgram.ts"
import { readServerSentEvents } from "../test/support/readServerSentEvents.ts"
import { collectWebhookExamples } from "./collectWebhookExamples.ts"
import {
  apiToken,
  concurrentService,
  defectiveService,
  exampleService,
  impatientService,
  limitedService,
  signIn,
  signInToTestMode,
  unavailableService
} from "./exampleService.ts"
import { makeExampleNormalizer } from "./normalizeExample.ts"

const domain = "bakery.com"
const records = [
  { host: "shop", type: "CNAME", value: "shops.platform.com" },
  { host: "_verify", type: "TXT", value: "platform-verification=b41c" }
]
const origin = `https://admin.${domain}`

/** Answers of a running service to one request for each operation, and to the errors that a client can provoke. */
const collectExamples = Effect.gen(function* () {
  const { internet, layer } = yield* exampleService
  return yield* Effect.provide(
    Effect.gen(function* () {
      const { open, send, waitForState } = yield* signIn
      const examples: Record<string, unknown> = {}
      const keep = (name: string, value: unknown) => void (examples[name] = value)
      const post = Effect.fnUntraced(function* (
        name: string,
        path: string,
        { body, headers = {}, status = 200 }: { body?: unknown; headers?: Record<string, string>; status?: number } = {}
      ) {
        const answer = yield* send(path, status, { method: "POST", body: body ?? "", headers })
        if (body !== undefined) keep(`${name}.request`, body)
        keep(`${name}.${status}`, answer)
        return answer
      })

      const created = yield* post("createConnection", "/v1/connections", {
        body: { intent: { domain, records } },
        headers: { prefer: "wait=20" },
        status: 201
      })
      const path = `/v1/connections/${created.connection.id}`
      // A count of what is used is up to a second old: of the discovery, it may be from before or after its end.
      yield* Effect.sleep("1100 millis")
      keep("getUsage.200", yield* send("/v1/usage", 200))
      keep("listConnections.200", yield* send("/v1/connections", 200))
      const again = { body: { intent: { domain, records } } }
      keep("error.409.connection_exists", yield* send("/v1/connections", 409, again))
      yield* post("issueBrowserToken", `${path}/access-token`, { body: { origin }, status: 201 })
      const link = yield* post("createShareLink", `${path}/share-link`, { status: 201 })
      yield* post("redeemShareLink", "/v1/share-links/redeem", {
        body: { code: link.path.split("#")[1] },
        headers: { origin, "sec-fetch-site": "same-origin" },
        status: 201
      })
      const { providers } = yield* send("/v1/providers", 200)
      // The whole list would be a quarter of the document.
      keep("listProviders.200", { providers: providers.slice(0, 2) })
      yield* post("checkDomain", "/v1/domains/check", { body: { domain: "florist.org", records } })

      const undecided = yield* send("/v1/connections", 201, {
        body: { intent: { domain: "tailor.org", records } },
        headers: { prefer: "wait=20" }
      })
      yield* post("selectProvider", `/v1/connections/${undecided.connection.id}/provider`, {
        body: { provider: "squarespace" },
        headers: { prefer: "wait=20" }
      })

      const credential = { method: "direct_credential", credential: { kind: "api_token", apiToken } }
      yield* post("authorizeConnection", `${path}/authorization`, { body: credential })
      const planned = yield* waitForState(path, "planned")
      keep("getConnection.200", planned)
      const { digest, warnings } = planned.connection.plan
      const stream = yield* open(`${path}/stream`, {})
      const next = yield* readServerSentEvents(stream)
      for (const name of ["timeline", "records", "connection"]) {
        let event = yield* next
        while (event !== undefined && event.event !== name) event = yield* next
        if (event !== undefined) keep(`streamEvents.200.${name}`, { ...event, data: JSON.parse(event.data) })
      }
      keep("error.429.too_many_streams", yield* send(`${path}/stream`, 429))
      const wrongDigest = `${digest.slice(0, -1)}${digest.endsWith("0") ? "1" : "0"}`
      keep("error.409.plan_digest_mismatch", yield* send(`${path}/approval`, 409, { body: { digest: wrongDigest } }))
      yield* post("approvePlan", `${path}/approval`, { body: { digest, acknowledge: warnings } })
      yield* waitForState(path, "active")
      keep("listAuditEntries.200", yield* send("/v1/audit?limit=3", 200))
      yield* collectAdminExamples(keep, send)
      const { ask } = yield* makeAdminAsk(keep, send)
      const operated = path.replace("/v1/", "/v1/admin/")
      yield* ask("listConnectionsOfAllTenants", "/v1/admin/connections")
      yield* ask("inspectConnection", operated)
      yield* ask("readOverview", "/v1/admin/overview")
      const entry = yield* post("issueDomainEntryToken", "/v1/domain-entry/access-token", {
        body: { origin, externalId: "shop-42" },
        status: 201
      })
      const ofCustomer = {
        body: { domain: "www.florist.org" },
        headers: { authorization: `Bearer ${entry.accessToken}`, origin }
      }
      const asCustomer = { headers: ofCustomer.headers }
      keep("getPlatformOfEntry.200", yield* send("/v1/domain-entry/platform", 200, asCustomer))
      yield* post("checkEnteredDomain", "/v1/domain-entry/check", ofCustomer)
      yield* post("connectEnteredDomain", "/v1/domain-entry", { ...ofCustomer, status: 201 })
      keep("error.409.state_conflict", yield* send(`${path}/approval`, 409, { body: { digest: wrongDigest } }))
      keep("getPlatform.200", yield* send(`${path}/platform`, 200))
      keep("listRecords.200", yield* send(`${path}/records`, 200))
      keep("listEvents.200", yield* send(`${path}/events`, 200))
      keep(
        "error.412.precondition_failed",
        yield* send(`${path}/recheck`, 412, { method: "POST", headers: { "if-match": '"1"' } })
      )
      const moved = { intent: { domain, records: [{ host: "store", type: "CNAME", value: "shops.platform.com" }] } }
      keep("updateConnection.request", moved)
      const update = { method: "PATCH", body: moved, headers: { prefer: "wait=20" } }
      keep("updateConnection.200", yield* send(path, 200, update))
      yield* send(`${path}/cancel`, 200, { method: "POST", body: "" })
      internet.write(domain, "shop", "CNAME", [])
      yield* post("recheckConnection", `${path}/recheck`)
      yield* waitForState(path, "degraded")
      yield* ask("recheckConnectionAsOperator", `${operated}/recheck`, { body: "" })
      yield* ask("retryConnections", "/v1/admin/connections/retry", { body: { tenantId: "bakery", dryRun: true } })
      yield* post("retryConnection", `${path}/retry`)
      yield* waitForState(path, "awaiting_authorization")
      yield* ask("retryConnectionAsOperator", `${operated}/retry`, { body: "" })
      yield* post("disconnectConnection", `${path}/disconnect`)

      const endpoints = "/v1/webhook-endpoints"
      const url = "https://shop-builder.example/webhooks"
      const webhook = yield* post("createWebhookEndpoint", endpoints, {
        body: { url, eventTypes: ["connection.active", "connection.degraded", "connection.failed"] },
        status: 201
      })
      keep("listWebhookEndpoints.200", yield* send(endpoints, 200))
      const endpointPath = `${endpoints}/${webhook.endpoint.id}`
      keep("getWebhookEndpoint.200", yield* send(endpointPath, 200))
      const change = { tenantIds: ["bakery"], eventTypes: null }
      keep("updateWebhookEndpoint.request", change)
      keep("updateWebhookEndpoint.200", yield* send(endpointPath, 200, { method: "PATCH", body: change }))
      keep("error.409.settings_omitted", yield* send(endpointPath, 409, { method: "PUT", body: { url } }))
      const replacement = { url, tenantIds: ["bakery", "florist"] }
      keep("replaceWebhookEndpoint.request", replacement)
      keep("replaceWebhookEndpoint.200", yield* send(endpointPath, 200, { method: "PUT", body: replacement }))
      yield* post("pauseWebhookEndpoint", `${endpointPath}/pause`)
      yield* post("resumeWebhookEndpoint", `${endpointPath}/resume`)
      yield* post("rotateWebhookSecret", `${endpointPath}/secret`)
      const { delivery } = yield* post("sendTestEvent", `${endpointPath}/test`)
      keep("listWebhookDeliveries.200", yield* send(`${endpointPath}/deliveries`, 200))
      yield* post("replayWebhookDelivery", `${endpointPath}/deliveries/${delivery.eventId}/replay`)
      yield* post("replayWebhookDeliveries", `${endpointPath}/replay`, { body: { from: delivery.createdAt } })
      keep("error.400.webhook_url_not_allowed", yield* send(endpoints, 400, { body: { url: "https://10.1.2.3/" } }))
      keep("error.404.webhook_endpoint_not_found", yield* send(`${endpoints}/whe_missing`, 404))
      keep(
        "error.404.webhook_delivery_not_found",
        yield* send(`${endpointPath}/deliveries/evt_missing/replay`, 404, { method: "POST", body: "" })
      )

      const testMode = yield* signInToTestMode()
      const tested = yield* testMode.send("/v1/connections", 201, {
        body: { intent: { domain: "by-hand.test", records } },
        headers: { prefer: "wait=20" }
      })
      const calls = [
        ["enterTestRecords", "enter-records", { hosts: ["shop"] }],
        ["changeTestRecords", "change-records", { records: [{ host: "shop", type: "CNAME", values: [] }] }],
        ["advanceTestTime", "advance", { seconds: 3_600 }]
      ] as const
      keep("readTestZone.200", yield* testMode.send(`/v1/test/connections/${tested.connection.id}/zone`, 200))
      for (const [name, call, body] of calls) {
        const answer = yield* testMode.send(`/v1/test/connections/${tested.connection.id}/${call}`, 200, { body })
        keep(`${name}.request`, body)
        keep(`${name}.200`, answer)
      }

      const other = yield* send("/v1/connections", 201, {
        body: { intent: { domain: "florist.org", records } },
        headers: { prefer: "wait=20" }
      })
      const otherPath = `/v1/connections/${other.connection.id}`
      yield* post("cancelConnection", `${otherPath}/cancel`)
      yield* ask("cancelConnectionAsOperator", `${otherPath.replace("/v1/", "/v1/admin/")}/cancel`, { body: "" })
      keep("error.409.connection_ended", yield* send(`${otherPath}/access-token`, 409, { body: { origin } }))
      const headers = { "idempotency-key": "bakery-2" }
      const manual = { method: "manual" }
      const repeated = `${path}/authorization`
      yield* send(repeated, 200, { body: manual, headers })
      keep("error.422.idempotency_key_reused", yield* send(repeated, 422, { body: credential, headers }))

      const create = "/v1/connections"
      keep("error.400.invalid_request", yield* send(create, 400, { body: { intent: { domain } } }))
      keep("error.401.unauthenticated", yield* send(create, 401, { headers: { "x-api-key": "dck_live_wrong" } }))
      keep("error.403.api_key_in_browser", yield* send(create, 403, { headers: { origin } }))
      keep("error.403.origin_not_allowed", yield* send("/v1/share-links/redeem", 403, { body: { code: "dcs_" } }))
      keep("error.404.not_found", yield* send("/v1/connections/con_missing", 404))
      keep("error.405.method_not_allowed", yield* send(create, 405, { method: "PATCH" }))
      keep("error.413.body_too_large", yield* send(create, 413, { body: " ".repeat(300_000) }))
      const plainText = { body: "domain=bakery.com", headers: { "content-type": "text/plain" } }
      keep("error.415.unsupported_media_type", yield* send(create, 415, plainText))
      keep("error.422.unprocessable", yield* send(create, 422, { body: { intent: { domain: "co.uk", records } } }))
      return { ...examples, ...(yield* collectWebhookExamples) }
    }),
    layer
  )
})

type SignedInCaller = Effect.Effect.Success<typeof signIn>

/** Makes the function that sends a request of an administrator, and keeps it with its answer. */
const makeAdminAsk = Effect.fnUntraced(function* (
  keep: (name: string, value: unknown) => void,
  send: SignedInCaller["send"]
) {
  const { key } = yield* (yield* AdminKeys).issue({ name: Option.none(), environment: "live" })
  const headers = { "x-admin-key": Redacted.value(key) }
  const ask = Effect.fnUntraced(function* (
    name: string,
    path: string,
    { body, method, status = 200 }: { body?: unknown; method?: string; status?: number } = {}
  ) {
    const request = { headers, ...(method === undefined ? {} : { method }), ...(body === undefined ? {} : { body }) }
    const answer = yield* send(path, status, request)
    if (body !== undefined && body !== "") keep(`${name}.request`, body)
    keep(`${name}.${status}`, answer)
    return answer
  })
  return { ask, headers }
})

/** Answers to an administrator of the application, and to a web server that asks for the connected host. */
const collectAdminExamples = Effect.fnUntraced(function* (
  keep: (name: string, value: unknown) => void,
  send: SignedInCaller["send"]
) {
  const { ask, headers } = yield* makeAdminAsk(keep, send)
  const applications = "/v1/admin/applications"
  const application = `${applications}/shop-builder`
  const settings = {
    name: "Shop Builder",
    logoUrl: "https://shop-builder.example/logo.svg",
    supportEmail: "help@shop-builder.example",
    supportUrl: "https://shop-builder.example/help",
    returnOrigins: ["https://admin.shop-builder.example"],
    controlProof: "required",
    recordTemplate: [
      { host: "{host}", type: "A", value: "203.0.113.80" },
      { host: "_verify.{host}", type: "TXT", value: "platform-verification={name}" }
    ]
  }
  yield* ask("createApplication", applications, { body: { id: "blog-builder", name: "Blog Builder" }, status: 201 })
  yield* ask("replaceApplication", application, { body: settings, method: "PUT" })
  const change = { supportUrl: null, returnOrigins: ["https://shop-builder.example"] }
  yield* ask("updateApplication", application, { body: change, method: "PATCH" })
  yield* ask("getApplication", application)
  yield* ask("listApplications", applications)
  yield* ask("listTenants", `${application}/tenants`)
  yield* ask("getTenant", `${application}/tenants/bakery`)
  const created = yield* ask("createApiKey", `${application}/api-keys`, { body: { tenantId: "florist" }, status: 201 })
  const overlap = { overlapSeconds: 3_600 }
  const rotation = { body: overlap, status: 201 }
  yield* ask("rotateApiKey", `${application}/api-keys/${created.apiKey.id}/rotate`, rotation)
  yield* ask("listApiKeys", `${application}/api-keys?tenantId=florist`)
  yield* ask("revokeTenantKeys", `${application}/tenants/florist/revoke-keys`, { body: "" })
  yield* ask("countTenantErasure", `${application}/tenants/florist/erasure`)
  yield* ask("eraseTenant", `${application}/tenants/florist/erasure`, { body: { connections: 0 } })
  const endpoints = `${application}/webhook-endpoints`
  const webhook = { url: "https://shop-builder.example/events" }
  const { endpoint } = yield* ask("createApplicationWebhookEndpoint", endpoints, { body: webhook, status: 201 })
  yield* ask("listApplicationWebhookEndpoints", endpoints)
  const endpointPath = `${endpoints}/${endpoint.id}`
  yield* ask("getApplicationWebhookEndpoint", endpointPath)
  yield* ask("rotateApplicationWebhookSecret", `${endpointPath}/secret`, { body: "" })
  yield* ask("sendApplicationTestEvent", `${endpointPath}/test`, { body: "" })
  const replacement = { ...webhook, description: "production" }
  yield* ask("replaceApplicationWebhookEndpoint", endpointPath, { method: "PUT", body: replacement })
  yield* ask("updateApplicationWebhookEndpoint", endpointPath, { method: "PATCH", body: { description: null } })
  yield* ask("pauseApplicationWebhookEndpoint", `${endpointPath}/pause`, { body: "" })
  yield* ask("resumeApplicationWebhookEndpoint", `${endpointPath}/resume`, { body: "" })
  const asking = yield* ask("createAskSecret", `${application}/ask-secrets`, { body: "", status: 201 })
  yield* ask("listAskSecrets", `${application}/ask-secrets`)
  yield* ask("putDomainConnectKey", `${application}/domain-connect-keys/keys.shop-builder.example/k1`, {
    method: "PUT",
    body: ""
  })
  yield* ask("listDomainConnectKeys", `${application}/domain-connect-keys`)
  yield* ask("askForDomain", `${asking.path}?domain=shop.${domain}`)
  yield* ask("rotateAskSecret", `${application}/ask-secrets/${asking.askSecret.id}/rotate`, rotation)
  yield* ask("listApplicationAuditEntries", `${application}/audit?action=application.changed`)
  yield* ask("listAdminAuditEntries", "/v1/admin/audit?limit=3")
  const errors: ReadonlyArray<readonly [name: string, path: string, request?: { body?: unknown; method?: string }]> = [
    ["404.domain_not_allowed", `${asking.path}?domain=www.${domain}`],
    ["404.application_not_found", `${applications}/missing`],
    ["404.api_key_not_found", `${application}/api-keys/key_missing`, { method: "DELETE" }],
    ["404.ask_secret_not_found", `${application}/ask-secrets/ask_missing`, { method: "DELETE" }],
    ["409.application_exists", applications, { body: { id: "shop-builder" } }],
    ["409.application_not_empty", application, { method: "DELETE" }],
    ["409.tenant_has_live_connections", `${application}/tenants/bakery/erasure`, { body: { connections: 0 } }],
    ["409.connection_count_differs", `${application}/tenants/florist/erasure`, { body: { connections: 7 } }]
  ]
  for (const [name, path, request] of errors)
    keep(`error.${name}`, yield* send(path, Number(name.slice(0, 3)), { headers, ...request }))
})

const collectUnavailable = Effect.provide(
  Effect.flatMap(signIn, ({ send }) => send("/v1/providers", 503)),
  unavailableService
)

const collectDefect = Effect.provide(
  Effect.flatMap(signIn, ({ send }) => send("/v1/providers", 500)),
  defectiveService
)

const collectSlowBody = Effect.provide(
  Effect.flatMap(signIn, ({ send }) => send("/v1/connections", 408, { body: new ReadableStream() })),
  impatientService
)

const collectRateLimited = Effect.provide(
  Effect.flatMap(signIn, ({ send }) => Effect.zipRight(send("/v1/providers", 200), send("/v1/providers", 429))),
  limitedService
)

const collectInProgress = Effect.provide(
  Effect.flatMap(signIn, ({ send }) =>
    send("/v1/connections", 409, { body: { intent: { domain, records } }, headers: { "idempotency-key": "bakery-1" } })
  ),
  concurrentService
)

/** Writes the examples of the OpenAPI document: `bun run openapi`. */
const program = Effect.gen(function* () {
  const examples = {
    ...(yield* collectExamples),
    "error.408.body_too_slow": yield* collectSlowBody,
    "error.409.idempotency_in_progress": yield* collectInProgress,
    "error.429.rate_limited": yield* collectRateLimited,
    "error.500.internal_error": yield* collectDefect,
    "error.503.unavailable": yield* collectUnavailable
  }
  const normalize = makeExampleNormalizer()
  const entries = Object.entries(examples).map(([name, value]) => [name, { value: normalize(value) }])
  const text = `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`
  yield* Effect.promise(() => Bun.write(new URL("../src/http/contract/responseExamples.json", import.meta.url), text))
})

runProgram(Effect.scoped(program))
