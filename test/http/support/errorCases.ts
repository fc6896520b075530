import { Effect, type Layer, Redacted } from "effect"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { DomainEntryTokens } from "../../../src/security/DomainEntryTokens.ts"
import { randomKey } from "../../../src/security/secrets.ts"
import { allKeyScopes, type KeyScope, type Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { type DeclaredOperation, declaredOperations } from "../../support/documentedErrors.ts"
import { issueAdminKey, issueKey, sampleIntent, send, serviceUrl, tenancyOf } from "../../support/testApi.ts"
import { ownTenancy, samplePlan } from "../../persistence/connectionFixtures.ts"
import type { apiWithOneSlot } from "./apiWith.ts"
import { shopOrigin } from "./connectionRequests.ts"

/** The services of the API in memory. */
type ApiServices = Layer.Layer.Success<typeof apiWithOneSlot>

/** An error of an operation, and a request that it answers with this error. */
export interface ErrorCase {
  readonly operation: string
  readonly status: number
  readonly code: string
  readonly send: Effect.Effect<Response, unknown, ApiServices>
}

/** The cases of one service: how it is set up, and which errors it answers then. */
export interface ErrorCases {
  readonly title: string
  readonly service: Layer.Layer<ApiServices, unknown>
  readonly cases: ReadonlyArray<ErrorCase>
}

/** The cases of one error that several operations answer to the same kind of request. */
export const casesOf = (
  [status, code]: readonly [status: number, code: string],
  operations: ReadonlyArray<DeclaredOperation>,
  sendTo: (operation: DeclaredOperation) => ErrorCase["send"]
): ReadonlyArray<ErrorCase> =>
  operations.map((operation) => ({ operation: operation.id, status, code, send: sendTo(operation) }))

/** The case of one error of one operation. */
export const caseOf = (
  id: string,
  [status, code]: readonly [status: number, code: string],
  sendTo: (operation: DeclaredOperation) => ErrorCase["send"]
): ErrorCase => {
  const operation = declaredOperations.find((operation) => operation.id === id)
  if (operation === undefined) throw new Error(`the contract has no operation ${id}`)
  return { operation: id, status, code, send: sendTo(operation) }
}

/** A body that fits the schema of an operation; any other takes none. */
const validBodies: Readonly<Record<string, unknown>> = {
  createConnection: { intent: sampleIntent, allowDuplicate: true },
  issueBrowserToken: { origin: shopOrigin },
  authorizeConnection: { method: "manual" },
  selectProvider: { provider: "unknown" },
  approvePlan: { digest: samplePlan.digest, acknowledge: samplePlan.warnings },
  updateConnection: { intent: sampleIntent },
  checkDomain: { domain: "example.com" },
  issueDomainEntryToken: { origin: shopOrigin },
  checkEnteredDomain: { domain: "example.com" },
  connectEnteredDomain: { domain: "example.com" },
  createWebhookEndpoint: { url: "https://hooks.example.com/" },
  updateWebhookEndpoint: { url: "https://hooks.example.com/" },
  replaceWebhookEndpoint: { url: "https://hooks.example.com/" },
  replayWebhookDeliveries: { from: "2026-01-31T09:30:00.000Z" },
  enterTestRecords: {},
  changeTestRecords: { records: [] },
  advanceTestTime: { seconds: 60 },
  redeemShareLink: { code: `dcs_${"A".repeat(43)}` },
  createApplication: { id: "new-app" },
  updateApplication: { name: "The Shop" },
  replaceApplication: {},
  createApiKey: { tenantId: "tenant" },
  rotateApiKey: {},
  eraseTenant: { connections: 0 },
  retryConnections: { dryRun: true },
  rotateAskSecret: {},
  createApplicationWebhookEndpoint: { url: "https://hooks.example.com/" },
  updateApplicationWebhookEndpoint: { url: "https://hooks.example.com/" },
  replaceApplicationWebhookEndpoint: { url: "https://hooks.example.com/" }
}

/** What differs from a request that its operation accepts. */
export interface RequestChanges {
  readonly method?: string
  /** The path of a connection; by default there is none. */
  readonly connection?: string
  /** The path of a webhook endpoint; by default there is none. */
  readonly endpoint?: string
  /** What an administrator names in the path; by default things that are not there. */
  readonly names?: AdminNames
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Fields that the body has beside those that the operation accepts. */
  readonly fields?: object
}

/** What stands in the paths of requests of administrators and web servers. */
export interface AdminNames {
  readonly applicationId?: string
  readonly keyId?: string
  readonly secretId?: string
  readonly endpointId?: string
  readonly askSecret?: string
}

/** Sends a request without a credential. */
export const sendTo = (
  { id, method, path }: DeclaredOperation,
  {
    fields,
    body = fields === undefined ? validBodies[id] : { ...Object(validBodies[id]), ...fields },
    connection = missingConnection,
    endpoint,
    headers,
    names,
    query = isForWebServers({ path }) ? "?domain=shop.example.com" : "",
    ...changes
  }: RequestChanges = {}
) =>
  send(`${fillPath(path, connection, endpoint, names)}${query}`, {
    method: changes.method ?? method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })

/** The path of an operation, of these things or of some that nobody has. */
export const fillPath = (
  path: string,
  connection = missingConnection,
  endpoint = "/v1/webhook-endpoints/whe_missing",
  {
    applicationId = "missing",
    keyId = "key_missing",
    secretId = "ask_missing",
    endpointId = "whe_missing",
    askSecret = unknownAskSecret
  }: AdminNames = {}
): string =>
  path
    .replace("{applicationId}", applicationId)
    .replace("{tenantId}", "tenant")
    .replace("{keyId}", keyId)
    .replace("{secretId}", secretId)
    .replace("{domain}/{label}", "keys.platform.example/k1")
    .replace("{askSecret}", askSecret)
    .replace("/v1/connections/{connectionId}", connection)
    .replace("/v1/test/connections/{connectionId}", connection.replace("/v1/", "/v1/test/"))
    .replace("/v1/webhook-endpoints/{endpointId}", endpoint)
    .replace("{endpointId}", endpointId)
    .replace("{eventId}", "evt_missing")

/** An ask secret that nobody has. */
const unknownAskSecret = randomKey("dcas_")

/** The path of a connection that nobody has. */
const missingConnection = "/v1/connections/con_missing"

/** Sends a request of a caller who may send it: a server with a new key, or the hosted page. */
export const sendAsCaller = (
  operation: DeclaredOperation,
  { headers, ...changes }: RequestChanges = {},
  tenancy: Tenancy = ownTenancy,
  scopes: ReadonlyArray<KeyScope> = allKeyScopes
) =>
  Effect.flatMap(credentialHeadersOf(operation, tenancy, scopes), (credential) =>
    sendTo(operation, { headers: { ...credential, ...headers }, ...changes })
  )

/** Sends a request that names an application which is there, and nothing in it that is. */
export const sendToApplication = (operation: DeclaredOperation, changes: RequestChanges = {}) =>
  Effect.zipRight(
    issueKey(tenancyOf("shop", "tenant")),
    sendAsCaller(operation, { ...changes, names: { applicationId: "shop", ...changes.names } })
  )

/** The headers of a caller who may send a request to this operation. */
export const credentialHeadersOf = (
  operation: DeclaredOperation,
  tenancy: Tenancy = ownTenancy,
  scopes: ReadonlyArray<KeyScope> = allKeyScopes
) =>
  Effect.gen(function* () {
    const headers: Record<string, string> = isForEntryTokens(operation)
      ? yield* entryHeadersOf(tenancy)
      : isForHostedPage(operation)
        ? { origin: yield* serviceUrl, "sec-fetch-site": "same-origin" }
        : isForWebServers(operation)
          ? {}
          : isForAdministrators(operation)
            ? { "x-admin-key": yield* issueAdminKey }
            : { "x-api-key": (yield* issueKey(tenancy, scopes)).key }
    return headers
  })

/** What a customer sends who types a domain. */
const entryHeadersOf = (tenancy: Tenancy) =>
  Effect.gen(function* () {
    const { id } = yield* issueKey(tenancy)
    const { issue } = yield* DomainEntryTokens
    const { token } = yield* issue({ tenancy, apiKeyId: id, origin: Origin.make(shopOrigin) })
    return { authorization: `Bearer ${Redacted.value(token)}`, origin: shopOrigin }
  })

/** The operations of the contract, by what their errors depend on. */
export const operations = {
  all: declaredOperations,
  forKeys: declaredOperations.filter(({ credentials }) => credentials.includes("apiKey")),
  forBrowserTokens: declaredOperations.filter(({ credentials }) => credentials.includes("browserToken")),
  forEntryTokens: declaredOperations.filter(isForEntryTokens),
  forHostedPage: declaredOperations.filter(isForHostedPage),
  forWebServers: declaredOperations.filter(isForWebServers),
  forAdministrators: declaredOperations.filter(isForAdministrators),
  /** Those that name an application in the path, which must be there. The audit log is there after its application. */
  ofApplications: declaredOperations.filter(
    ({ parameters, path }) =>
      parameters.includes("applicationId") && path.includes("{applicationId}") && !path.endsWith("/audit")
  ),
  ofConnections: declaredOperations.filter(({ path }) => path.includes("{connectionId}")),
  readingBody: declaredOperations.filter(({ method }) => method !== "GET"),
  writingInTestMode: declaredOperations.filter(({ method, path }) => method === "POST" && path.startsWith("/v1/test/")),
  ofWebhookEndpoints: declaredOperations.filter(({ parameters }) => parameters.includes("endpointId")),
  commands: declaredOperations.filter(isCommand),
  commandsWithBody: declaredOperations.filter((operation) => isCommand(operation) && operation.takesBody)
}

function isForEntryTokens({ credentials }: DeclaredOperation): boolean {
  return credentials.includes("domainEntryToken")
}

function isForHostedPage(operation: DeclaredOperation): boolean {
  return operation.credentials.length === 0 && !isForWebServers(operation)
}

function isForWebServers({ path }: Pick<DeclaredOperation, "path">): boolean {
  return path.includes("{askSecret}")
}

function isForAdministrators({ credentials }: DeclaredOperation): boolean {
  return credentials.includes("adminKey")
}

function isCommand({ parameters }: DeclaredOperation): boolean {
  return parameters.includes("idempotency-key") && parameters.includes("connectionId")
}
