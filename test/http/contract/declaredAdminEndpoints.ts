import { component, errorsOf } from "./declaredErrorBodies.ts"

/** What the OpenAPI document must say about an endpoint. */
export interface ExpectedEndpoint {
  readonly method: string
  readonly path: string
  readonly security: ReadonlyArray<string>
  readonly request?: unknown
  readonly bodies: Readonly<Record<string, unknown>>
}

const adminKeys = ["adminKey"]

/** The path of the applications, and of one. */
export const applications = "/v1/admin/applications"
export const application = `${applications}/{applicationId}`

/** The path of the connections of all tenants. */
export const connections = "/v1/admin/connections"

/** The path of the webhook endpoints of one, and of one of these. */
const webhookEndpoints = `${application}/webhook-endpoints`
const webhookEndpoint = `${webhookEndpoints}/{endpointId}`

/** The responses to an administrator who reads or changes something, of an application. */
const byAdmin = errorsOf("InvalidRequest", "Unauthenticated", "AdminForbidden", "RateLimited", "Unavailable")
const ofApplication = { ...byAdmin, ...errorsOf("ApplicationNotFound") }
const ofWebhookEndpoint = { ...byAdmin, ...errorsOf("ApplicationEndpointNotFound") }
const operatorCommand = {
  200: component("ConnectionSummaryBody"),
  ...byAdmin,
  ...errorsOf("InvalidBody", "NotFound")
}
const onlyOnce = errorsOf("InvalidBody", "IdempotencyConflict", "IdempotencyKeyReused")

/** The endpoints for administrators, and that for web servers. */
export const adminEndpoints: ReadonlyArray<ExpectedEndpoint> = [
  {
    method: "get",
    path: "/v1/domains/allowed/{askSecret}",
    security: [],
    bodies: {
      200: component("AllowedDomainBody"),
      ...errorsOf("InvalidRequest", "Unauthenticated", "DomainNotAllowed", "RateLimited", "Unavailable")
    }
  },
  {
    method: "post",
    path: applications,
    request: component("CreateApplicationRequest"),
    security: adminKeys,
    bodies: { 201: component("ApplicationBody"), ...byAdmin, ...onlyOnce, ...errorsOf("ApplicationConflict") }
  },
  {
    method: "get",
    path: applications,
    security: adminKeys,
    bodies: { 200: component("ApplicationListBody"), ...byAdmin }
  },
  {
    method: "get",
    path: application,
    security: adminKeys,
    bodies: { 200: component("ApplicationBody"), ...ofApplication }
  },
  {
    method: "patch",
    path: application,
    request: component("UpdateApplicationRequest"),
    security: adminKeys,
    bodies: {
      200: component("ApplicationBody"),
      ...ofApplication,
      ...errorsOf("InvalidBody", "ApplicationPreconditionFailed")
    }
  },
  {
    method: "put",
    path: application,
    request: component("ReplaceApplicationRequest"),
    security: adminKeys,
    bodies: {
      200: component("ApplicationBody"),
      ...ofApplication,
      ...errorsOf("InvalidBody", "SettingsOmitted", "ApplicationPreconditionFailed")
    }
  },
  {
    method: "delete",
    path: application,
    security: adminKeys,
    bodies: {
      204: undefined,
      ...ofApplication,
      ...errorsOf("InvalidBody", "ApplicationNotEmpty", "ApplicationPreconditionFailed")
    }
  },
  {
    method: "get",
    path: `${application}/tenants`,
    security: adminKeys,
    bodies: { 200: component("TenantListBody"), ...ofApplication }
  },
  {
    method: "get",
    path: `${application}/tenants/{tenantId}`,
    security: adminKeys,
    bodies: { 200: component("TenantBody"), ...ofApplication }
  },
  {
    method: "post",
    path: `${application}/tenants/{tenantId}/revoke-keys`,
    security: adminKeys,
    bodies: { 200: component("RevokedKeysBody"), ...ofApplication, ...errorsOf("InvalidBody") }
  },
  {
    method: "get",
    path: `${application}/tenants/{tenantId}/erasure`,
    security: adminKeys,
    bodies: { 200: component("TenantErasureCount"), ...ofApplication }
  },
  {
    method: "post",
    path: `${application}/tenants/{tenantId}/erasure`,
    request: component("EraseTenantRequest"),
    security: adminKeys,
    bodies: {
      200: component("TenantErasureBody"),
      ...ofApplication,
      ...errorsOf("InvalidBody", "TenantErasureRefused")
    }
  },
  {
    method: "get",
    path: `${application}/audit`,
    security: adminKeys,
    bodies: { 200: component("AuditListBody"), ...byAdmin }
  },
  {
    method: "get",
    path: "/v1/admin/audit",
    security: adminKeys,
    bodies: { 200: component("AuditListBody"), ...byAdmin }
  },
  {
    method: "get",
    path: connections,
    security: adminKeys,
    bodies: { 200: component("ConnectionSummaryListBody"), ...byAdmin }
  },
  {
    method: "get",
    path: `${connections}/{connectionId}`,
    security: adminKeys,
    bodies: { 200: component("ConnectionInspectionBody"), ...byAdmin, ...errorsOf("NotFound") }
  },
  {
    method: "get",
    path: "/v1/admin/overview",
    security: adminKeys,
    bodies: { 200: component("ConnectionOverviewBody"), ...byAdmin }
  },
  {
    method: "post",
    path: `${connections}/{connectionId}/retry`,
    security: adminKeys,
    bodies: { ...operatorCommand, ...errorsOf("OperatorRetryConflict", "CreationLimited") }
  },
  {
    method: "post",
    path: `${connections}/{connectionId}/recheck`,
    security: adminKeys,
    bodies: { ...operatorCommand, ...errorsOf("OperatorConflict", "CommandLimited") }
  },
  {
    method: "post",
    path: `${connections}/{connectionId}/cancel`,
    security: adminKeys,
    bodies: { ...operatorCommand, ...errorsOf("OperatorCancelConflict", "CommandLimited") }
  },
  {
    method: "post",
    path: `${connections}/retry`,
    request: component("RetryConnectionsRequest"),
    security: adminKeys,
    bodies: { 200: component("RetryConnectionsBody"), ...byAdmin, ...errorsOf("InvalidBody") }
  },
  {
    method: "post",
    path: `${application}/api-keys`,
    request: component("CreateApiKeyRequest"),
    security: adminKeys,
    bodies: { 201: component("NewApiKeyBody"), ...ofApplication, ...onlyOnce }
  },
  {
    method: "get",
    path: `${application}/api-keys`,
    security: adminKeys,
    bodies: { 200: component("ApiKeyListBody"), ...ofApplication }
  },
  {
    method: "post",
    path: `${application}/api-keys/{keyId}/rotate`,
    request: component("RotationRequest"),
    security: adminKeys,
    bodies: { 201: component("NewApiKeyBody"), ...byAdmin, ...onlyOnce, ...errorsOf("ApiKeyNotFound") }
  },
  {
    method: "delete",
    path: `${application}/api-keys/{keyId}`,
    security: adminKeys,
    bodies: { 204: undefined, ...byAdmin, ...errorsOf("InvalidBody", "ApiKeyNotFound") }
  },
  {
    method: "post",
    path: `${application}/ask-secrets`,
    security: adminKeys,
    bodies: {
      201: component("NewAskSecretBody"),
      ...ofApplication,
      ...errorsOf("InvalidBody", "IdempotencyConflict")
    }
  },
  {
    method: "get",
    path: `${application}/ask-secrets`,
    security: adminKeys,
    bodies: { 200: component("AskSecretListBody"), ...ofApplication }
  },
  {
    method: "post",
    path: `${application}/ask-secrets/{secretId}/rotate`,
    request: component("RotationRequest"),
    security: adminKeys,
    bodies: { 201: component("NewAskSecretBody"), ...byAdmin, ...onlyOnce, ...errorsOf("AskSecretNotFound") }
  },
  {
    method: "delete",
    path: `${application}/ask-secrets/{secretId}`,
    security: adminKeys,
    bodies: { 204: undefined, ...byAdmin, ...errorsOf("InvalidBody", "AskSecretNotFound") }
  },
  {
    method: "put",
    path: `${application}/domain-connect-keys/{domain}/{label}`,
    security: adminKeys,
    bodies: {
      200: component("DomainConnectKeyBody"),
      ...ofApplication,
      ...errorsOf("InvalidBody", "CommandLimited")
    }
  },
  {
    method: "get",
    path: `${application}/domain-connect-keys`,
    security: adminKeys,
    bodies: { 200: component("DomainConnectKeyListBody"), ...ofApplication }
  },
  {
    method: "delete",
    path: `${application}/domain-connect-keys/{domain}/{label}`,
    security: adminKeys,
    bodies: { 204: undefined, ...ofApplication, ...errorsOf("InvalidBody") }
  },
  {
    method: "post",
    path: webhookEndpoints,
    request: component("CreateWebhookEndpointRequest"),
    security: adminKeys,
    bodies: {
      201: component("NewWebhookEndpointBody"),
      ...ofApplication,
      ...errorsOf("InvalidWebhookUrl", "IdempotencyKeyReused", "CommandLimited")
    }
  },
  {
    method: "get",
    path: webhookEndpoints,
    security: adminKeys,
    bodies: { 200: component("WebhookEndpointListBody"), ...ofApplication }
  },
  {
    method: "get",
    path: webhookEndpoint,
    security: adminKeys,
    bodies: { 200: component("WebhookEndpointBody"), ...ofWebhookEndpoint }
  },
  {
    method: "patch",
    path: webhookEndpoint,
    request: component("UpdateWebhookEndpointRequest"),
    security: adminKeys,
    bodies: {
      200: component("WebhookEndpointBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidWebhookUrl", "EndpointPreconditionFailed")
    }
  },
  {
    method: "put",
    path: webhookEndpoint,
    request: component("ReplaceWebhookEndpointRequest"),
    security: adminKeys,
    bodies: {
      200: component("WebhookEndpointBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidWebhookUrl", "SettingsOmitted", "EndpointPreconditionFailed")
    }
  },
  ...["pause", "resume"].map((action) => ({
    method: "post" as const,
    path: `${webhookEndpoint}/${action}`,
    security: adminKeys,
    bodies: {
      200: component("WebhookEndpointBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidBody", "EndpointPreconditionFailed")
    }
  })),
  {
    method: "delete",
    path: webhookEndpoint,
    security: adminKeys,
    bodies: { 204: undefined, ...ofWebhookEndpoint, ...errorsOf("InvalidBody", "EndpointPreconditionFailed") }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/secret`,
    security: adminKeys,
    bodies: {
      200: component("WebhookSecretBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidBody", "EndpointPreconditionFailed")
    }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/test`,
    security: adminKeys,
    bodies: {
      200: component("WebhookDeliveryBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidBody", "CommandLimited")
    }
  }
]
