import type { DomainConnectKeyId } from "../domain/access/DomainConnectKey.ts"
import type { IdempotentRequest } from "../domain/access/IdempotentRequest.ts"
import type { SecretOwner } from "../domain/access/SealedSecret.ts"
import type { WebhookSecretOwner } from "../domain/webhook/WebhookEndpoint.ts"

/** For each kind of sealed secret, the parts that identify an owner among all owners of all kinds. */
export const identifyOwner = {
  credential: ({ applicationId, connectionId, tenantId }: SecretOwner): ReadonlyArray<string> => [
    applicationId,
    tenantId,
    connectionId
  ],
  oauthSession: ({ applicationId, connectionId, tenantId }: SecretOwner): ReadonlyArray<string> => [
    "oauth_session",
    applicationId,
    tenantId,
    connectionId
  ],
  webhookSecret: ({ applicationId, endpointId }: WebhookSecretOwner): ReadonlyArray<string> => [
    "webhook",
    applicationId,
    endpointId
  ],
  domainConnectKey: ({ applicationId, domain, label }: DomainConnectKeyId): ReadonlyArray<string> => [
    "domain_connect",
    applicationId,
    domain,
    label
  ],
  domainEntry: (prefix: string): ReadonlyArray<string> => ["domain_entry", prefix],
  adminAnswer: ({ key, route }: Pick<IdempotentRequest, "key" | "route">): ReadonlyArray<string> => [
    "admin-request",
    route,
    key
  ]
}
