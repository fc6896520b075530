import { expect } from "bun:test"
import { adminEndpoints, type ExpectedEndpoint } from "./declaredAdminEndpoints.ts"
import { component, errorsOf } from "./declaredErrorBodies.ts"

const keys = ["apiKey"]
const keysAndTokens = ["apiKey", "browserToken"]
const entryTokens = ["domainEntryToken"]
/** The path of one connection. */
export const connection = "/v1/connections/{connectionId}"

/** The responses of every command. */
const commandBodies = {
  200: component("ConnectionBody"),
  ...errorsOf("InvalidBody", "Unauthenticated", "Forbidden", "NotFound", "Conflict", "PreconditionFailed"),
  ...errorsOf("CommandLimited", "Unavailable")
}

/** The responses to a server that reads something. */
const serverRead = errorsOf("InvalidRequest", "Unauthenticated", "KeyForbidden", "RateLimited", "Unavailable")

/** The responses to a server or a browser that reads something of a connection. */
const callerRead = errorsOf("InvalidRequest", "Unauthenticated", "Forbidden", "NotFound", "RateLimited", "Unavailable")

/** The path of one webhook endpoint. */
export const webhookEndpoint = "/v1/webhook-endpoints/{endpointId}"

/** The responses to a server that reads or changes something of a webhook endpoint. */
const ofWebhookEndpoint = { ...serverRead, ...errorsOf("WebhookEndpointNotFound") }

/** The contract's endpoints with their bodies and credentials. */
export const endpoints: ReadonlyArray<ExpectedEndpoint> = [
  {
    method: "post",
    path: "/v1/connections",
    request: component("CreateConnectionRequest"),
    security: keys,
    bodies: {
      201: component("ConnectionBody"),
      ...errorsOf("InvalidBody", "Unauthenticated", "KeyForbidden", "CreationConflict"),
      ...errorsOf("UnprocessableCreation", "CreationLimited")
    }
  },
  {
    method: "get",
    path: connection,
    security: keysAndTokens,
    bodies: {
      200: component("ConnectionBody"),
      304: undefined,
      ...errorsOf("InvalidRequest", "Unauthenticated", "Forbidden", "NotFound", "RateLimited", "Unavailable")
    }
  },
  {
    method: "post",
    path: `${connection}/access-token`,
    request: component("IssueTokenRequest"),
    security: keys,
    bodies: {
      201: component("BrowserToken"),
      ...errorsOf("InvalidTokenRequest", "Unauthenticated", "KeyForbidden", "NotFound", "ConnectionEnded"),
      ...errorsOf("RateLimited")
    }
  },
  {
    method: "get",
    path: "/v1/connections",
    security: keys,
    bodies: { 200: component("ConnectionListBody"), ...serverRead }
  },
  {
    method: "delete",
    path: `${connection}/access-token`,
    security: keys,
    bodies: { 204: undefined, ...serverRead, ...errorsOf("InvalidBody", "NotFound") }
  },
  {
    method: "delete",
    path: connection,
    security: keys,
    bodies: {
      204: undefined,
      ...serverRead,
      ...errorsOf("InvalidBody", "NotFound", "ConnectionNotEnded", "PreconditionFailed")
    }
  },
  {
    method: "post",
    path: `${connection}/authorization`,
    request: {
      anyOf: [
        {
          anyOf: [
            { anyOf: [component("ManualAuthorizationRequest"), component("CredentialAuthorizationRequest")] },
            component("ProviderAuthorizationRequest")
          ]
        },
        component("DomainConnectAuthorizationRequest")
      ]
    },
    security: keysAndTokens,
    bodies: {
      ...commandBodies,
      200: component("AuthorizationBody"),
      ...errorsOf("InvalidAuthorization", "UnprocessableAuthorization")
    }
  },
  {
    method: "post",
    path: `${connection}/provider`,
    request: component("ProviderSelection"),
    security: keysAndTokens,
    bodies: { ...commandBodies, ...errorsOf("UnprocessableSelection") }
  },
  {
    method: "post",
    path: `${connection}/approval`,
    request: component("ApprovalRequest"),
    security: keysAndTokens,
    bodies: { ...commandBodies, ...errorsOf("ApprovalConflict", "UnprocessableApproval") }
  },
  { method: "post", path: `${connection}/recheck`, security: keysAndTokens, bodies: commandBodies },
  {
    method: "post",
    path: `${connection}/retry`,
    security: keysAndTokens,
    bodies: { ...commandBodies, ...errorsOf("RetryConflict", "CreationLimited") }
  },
  {
    method: "patch",
    path: connection,
    request: component("UpdateConnectionRequest"),
    security: keys,
    bodies: {
      ...commandBodies,
      ...errorsOf("UpdateConflict", "KeyForbidden", "UnprocessableCreation", "CreationLimited")
    }
  },
  {
    method: "post",
    path: `${connection}/cancel`,
    security: keysAndTokens,
    bodies: { ...commandBodies, ...errorsOf("CancelConflict") }
  },
  {
    method: "post",
    path: `${connection}/disconnect`,
    security: keys,
    bodies: { ...commandBodies, ...errorsOf("KeyForbidden") }
  },
  {
    method: "get",
    path: `${connection}/platform`,
    security: keysAndTokens,
    bodies: { 200: component("PlatformBody"), ...callerRead }
  },
  {
    method: "get",
    path: `${connection}/records`,
    security: keysAndTokens,
    bodies: { 200: component("ObservationsBody"), ...callerRead }
  },
  {
    method: "get",
    path: `${connection}/events`,
    security: keysAndTokens,
    bodies: { 200: component("TimelineBody"), ...callerRead }
  },
  {
    method: "get",
    path: `${connection}/stream`,
    security: keysAndTokens,
    bodies: {
      200: expect.objectContaining({
        oneOf: ["TimelineEvent", "RecordsEvent", "ConnectionEvent"].map((name) => component(name))
      }),
      204: undefined,
      ...callerRead,
      ...errorsOf("StreamLimited", "StreamUnavailable")
    }
  },
  {
    method: "get",
    path: "/v1/providers",
    security: keys,
    bodies: { 200: component("ProviderListBody"), ...serverRead }
  },
  {
    method: "post",
    path: "/v1/domains/check",
    request: component("DomainCheckRequest"),
    security: keys,
    bodies: {
      200: component("DomainCheck"),
      ...serverRead,
      ...errorsOf("InvalidBody", "UnprocessableIntent", "CheckUnavailable")
    }
  },
  {
    method: "post",
    path: `${connection}/share-link`,
    security: keysAndTokens,
    bodies: {
      201: component("ShareLink"),
      ...errorsOf("Unauthenticated", "Forbidden", "RateLimited"),
      ...errorsOf("InvalidBody", "NotFound", "ConnectionEnded")
    }
  },
  {
    method: "delete",
    path: `${connection}/share-link`,
    security: keysAndTokens,
    bodies: {
      204: undefined,
      ...errorsOf("InvalidBody", "Unauthenticated", "Forbidden", "NotFound", "RateLimited", "Unavailable")
    }
  },
  {
    method: "post",
    path: "/v1/share-links/redeem",
    request: component("RedeemRequest"),
    security: [],
    bodies: {
      201: component("RedeemedLink"),
      ...errorsOf("InvalidBody", "Unauthenticated", "OriginForbidden", "RateLimited")
    }
  },
  {
    method: "post",
    path: "/v1/domain-entry/access-token",
    request: component("DomainEntryTokenRequest"),
    security: keys,
    bodies: {
      201: component("BrowserToken"),
      ...errorsOf("InvalidTokenRequest", "Unauthenticated", "KeyForbidden", "UnprocessableEntry", "RateLimited")
    }
  },
  {
    method: "get",
    path: "/v1/domain-entry/platform",
    security: entryTokens,
    bodies: {
      200: component("PlatformBody"),
      ...errorsOf("InvalidRequest", "Unauthenticated", "EntryForbidden", "RateLimited", "Unavailable")
    }
  },
  {
    method: "post",
    path: "/v1/domain-entry/check",
    request: component("DomainEntryCheckRequest"),
    security: entryTokens,
    bodies: {
      200: component("DomainEntryCheck"),
      ...errorsOf("InvalidBody", "Unauthenticated", "EntryForbidden", "UnprocessableEntry", "RateLimited"),
      ...errorsOf("CheckUnavailable")
    }
  },
  {
    method: "post",
    path: "/v1/domain-entry",
    request: component("DomainEntryRequest"),
    security: entryTokens,
    bodies: {
      201: component("EnteredConnection"),
      ...errorsOf("InvalidBody", "Unauthenticated", "EntryForbidden", "EntryConflict", "UnprocessableCreation"),
      ...errorsOf("CreationLimited")
    }
  },
  {
    method: "get",
    path: "/v1/test/connections/{connectionId}/zone",
    security: keys,
    bodies: { 200: component("TestZoneBody"), ...serverRead, ...errorsOf("NotFound") }
  },
  ...[
    ["advance", "AdvanceRequest", "RateLimited"],
    ["change-records", "ChangeRecordsRequest", "CommandLimited", "UnprocessableTestCall"],
    ["enter-records", "EnterRecordsRequest", "CommandLimited", "UnprocessableTestCall", "TestEntryConflict"]
  ].map(([call, request = "", ...errors]) => ({
    method: "post",
    path: `/v1/test/connections/{connectionId}/${call}`,
    request: component(request),
    security: keys,
    bodies: {
      200: component("ConnectionBody"),
      ...errorsOf("InvalidBody", "Unauthenticated", "KeyForbidden", "NotFound", "TestConflict"),
      ...errorsOf("Unavailable", ...errors)
    }
  })),
  {
    method: "get",
    path: "/v1/usage",
    security: keys,
    bodies: { 200: component("UsageBody"), ...serverRead }
  },
  {
    method: "post",
    path: "/v1/webhook-endpoints",
    request: component("CreateWebhookEndpointRequest"),
    security: keys,
    bodies: {
      201: component("NewWebhookEndpointBody"),
      ...serverRead,
      ...errorsOf("InvalidWebhookUrl", "IdempotencyKeyReused", "CommandLimited")
    }
  },
  {
    method: "get",
    path: "/v1/webhook-endpoints",
    security: keys,
    bodies: { 200: component("WebhookEndpointListBody"), ...serverRead }
  },
  {
    method: "get",
    path: webhookEndpoint,
    security: keys,
    bodies: { 200: component("WebhookEndpointBody"), ...ofWebhookEndpoint }
  },
  {
    method: "patch",
    path: webhookEndpoint,
    request: component("UpdateWebhookEndpointRequest"),
    security: keys,
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
    security: keys,
    bodies: {
      200: component("WebhookEndpointBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidWebhookUrl", "SettingsOmitted", "EndpointPreconditionFailed")
    }
  },
  ...["pause", "resume"].map((action) => ({
    method: "post" as const,
    path: `${webhookEndpoint}/${action}`,
    security: keys,
    bodies: {
      200: component("WebhookEndpointBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidBody", "EndpointPreconditionFailed")
    }
  })),
  {
    method: "delete",
    path: webhookEndpoint,
    security: keys,
    bodies: { 204: undefined, ...ofWebhookEndpoint, ...errorsOf("InvalidBody", "EndpointPreconditionFailed") }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/secret`,
    security: keys,
    bodies: {
      200: component("WebhookSecretBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidBody", "EndpointPreconditionFailed")
    }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/test`,
    security: keys,
    bodies: {
      200: component("WebhookDeliveryBody"),
      ...ofWebhookEndpoint,
      ...errorsOf("InvalidBody", "CommandLimited")
    }
  },
  {
    method: "get",
    path: `${webhookEndpoint}/deliveries`,
    security: keys,
    bodies: { 200: component("WebhookDeliveryListBody"), ...ofWebhookEndpoint }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/deliveries/{eventId}/replay`,
    security: keys,
    bodies: {
      200: component("WebhookDeliveryBody"),
      ...serverRead,
      ...errorsOf("InvalidBody", "WebhookDeliveryNotFound", "CommandLimited")
    }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/replay`,
    request: component("ReplayRequest"),
    security: keys,
    bodies: { 200: component("ReplayBody"), ...ofWebhookEndpoint, ...errorsOf("InvalidBody", "CommandLimited") }
  },
  ...adminEndpoints,
  {
    method: "get",
    path: "/v1/audit",
    security: keys,
    bodies: { 200: component("AuditListBody"), ...serverRead }
  }
]
