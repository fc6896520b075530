import { application, applications, connections } from "./declaredAdminEndpoints.ts"
import { connection, webhookEndpoint } from "./declaredEndpoints.ts"

/** The parameters of the calls about one webhook endpoint, of an API key and of an administrator. */
const parametersOfOneEndpoint = (path: string, before = "") =>
  [
    "get",
    "patch,if-match",
    "put,if-match",
    "post/pause,if-match",
    "post/resume,if-match",
    "delete,if-match",
    "post/secret,if-match",
    "post/test"
  ].map((call) => {
    const [, method, rest = "", header] = /^([a-z]+)(\/[a-z]+)?(?:,(.+))?$/.exec(call) ?? []
    return `${method} ${path}${rest}, ${before}path endpointId${header === undefined ? "" : `, header ${header}`}`
  })

const window = "query createdAfter, query createdBefore, query order"
const page = `${window}, query cursor, query limit`

const id = "path connectionId"
const forCommand = `${id}, header idempotency-key, header if-match`

/** The operations of the OpenAPI document in its order, each with its parameters. */
export const declaredParameters: ReadonlyArray<string> = [
  "post /v1/connections, header idempotency-key, header prefer",
  `get ${connection}, ${id}, header if-none-match`,
  `post ${connection}/access-token, ${id}`,
  `get /v1/connections, query state, query domain, query externalId, ${page}, query metadata`,
  `delete ${connection}/access-token, ${id}`,
  `delete ${connection}, ${id}, header if-match`,
  ...["authorization", "provider", "approval", "recheck", "retry", "update", "cancel", "disconnect"].map((name) =>
    name === "update"
      ? `patch ${connection}, ${forCommand}, header prefer`
      : `post ${connection}/${name}, ${forCommand}${["recheck", "cancel"].includes(name) ? "" : ", header prefer"}`
  ),
  `get ${connection}/platform, ${id}`,
  `get ${connection}/records, ${id}`,
  `get ${connection}/events, ${id}, ${page}`,
  `get ${connection}/stream, ${id}, header last-event-id`,
  "get /v1/providers",
  "post /v1/domains/check",
  `post ${connection}/share-link, ${id}`,
  `delete ${connection}/share-link, ${id}`,
  "post /v1/share-links/redeem",
  "post /v1/domain-entry/access-token",
  "get /v1/domain-entry/platform",
  "post /v1/domain-entry/check",
  "post /v1/domain-entry",
  `get /v1/test/connections/{connectionId}/zone, ${id}`,
  ...["advance", "change-records", "enter-records"].map(
    (call) => `post /v1/test/connections/{connectionId}/${call}, ${id}`
  ),
  "get /v1/usage",
  "post /v1/webhook-endpoints, header idempotency-key",
  `get /v1/webhook-endpoints, ${window}`,
  ...parametersOfOneEndpoint(webhookEndpoint),
  `get ${webhookEndpoint}/deliveries, path endpointId, query status, ${page}`,
  `post ${webhookEndpoint}/deliveries/{eventId}/replay, path endpointId, path eventId`,
  `post ${webhookEndpoint}/replay, path endpointId`,
  "get /v1/domains/allowed/{askSecret}, path askSecret, query domain",
  `post ${applications}, header idempotency-key`,
  `get ${applications}, ${page}`,
  `get ${application}, path applicationId`,
  `patch ${application}, path applicationId, header if-match`,
  `put ${application}, path applicationId, header if-match`,
  `delete ${application}, path applicationId, header if-match`,
  `get ${application}/tenants, path applicationId, query createdAfter, query createdBefore, query order, query cursor, query limit`,
  `get ${application}/tenants/{tenantId}, path applicationId, path tenantId`,
  `post ${application}/tenants/{tenantId}/revoke-keys, path applicationId, path tenantId`,
  `get ${application}/tenants/{tenantId}/erasure, path applicationId, path tenantId`,
  `post ${application}/tenants/{tenantId}/erasure, path applicationId, path tenantId`,
  `get ${application}/audit, path applicationId, query tenantId, query connectionId, query actor, query action, ${page}, query after, query before`,
  `get /v1/admin/audit, query actor, query action, ${page}, query after, query before`,
  `get ${connections}, query state, query failure, query provider, query applicationId, query tenantId, query domain, query stuckSeconds, ${page}`,
  `get ${connections}/{connectionId}, ${id}`,
  "get /v1/admin/overview",
  ...["retry", "recheck", "cancel"].map((command) => `post ${connections}/{connectionId}/${command}, ${id}`),
  `post ${connections}/retry`,
  `post ${application}/api-keys, path applicationId, header idempotency-key`,
  `get ${application}/api-keys, path applicationId, query tenantId, ${page}`,
  `post ${application}/api-keys/{keyId}/rotate, path applicationId, path keyId, header idempotency-key`,
  `delete ${application}/api-keys/{keyId}, path applicationId, path keyId`,
  `post ${application}/ask-secrets, path applicationId, header idempotency-key`,
  `get ${application}/ask-secrets, path applicationId, ${page}`,
  `post ${application}/ask-secrets/{secretId}/rotate, path applicationId, path secretId, header idempotency-key`,
  `delete ${application}/ask-secrets/{secretId}, path applicationId, path secretId`,
  `put ${application}/domain-connect-keys/{domain}/{label}, path applicationId, path domain, path label`,
  `get ${application}/domain-connect-keys, path applicationId`,
  `delete ${application}/domain-connect-keys/{domain}/{label}, path applicationId, path domain, path label`,
  `post ${application}/webhook-endpoints, path applicationId, header idempotency-key`,
  `get ${application}/webhook-endpoints, path applicationId, ${window}`,
  ...parametersOfOneEndpoint(`${application}/webhook-endpoints/{endpointId}`, "path applicationId, "),
  `get /v1/audit, query tenantId, query connectionId, query actor, query action, ${page}, query after, query before`
]
