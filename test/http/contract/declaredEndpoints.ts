import { expect } from "bun:test"
import { Record } from "effect"

/** A reference to a schema of the OpenAPI document. */
export const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The errors around an endpoint, by status. */
const commonErrors = {
  405: "MethodNotAllowed",
  408: "BodyTooSlow",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  500: "InternalError",
  503: "Unavailable"
}

/** The codes of each error body, and the statuses of those that are answered with several. */
export const errorBodies: Readonly<
  Record<string, { readonly codes: ReadonlyArray<string>; readonly statuses: ReadonlyArray<number> }>
> = {
  ...bodiesOf(400, {
    InvalidRequest: ["invalid_request"],
    InvalidBody: ["invalid_request", "malformed_json"],
    InvalidAuthorization: ["invalid_request", "malformed_json", "return_url_not_allowed"],
    InvalidWebhookUrl: ["invalid_request", "malformed_json", "webhook_url_not_allowed"]
  }),
  InvalidCreation: {
    codes: [
      "invalid_request",
      "malformed_json",
      "method_not_allowed",
      "body_too_slow",
      "body_too_large",
      "unsupported_media_type"
    ],
    statuses: [400, 405, 408, 413, 415]
  },
  InvalidRead: {
    codes: ["invalid_request", "method_not_allowed"],
    statuses: [400, 405]
  },
  InvalidTokenRequest: {
    codes: [
      "invalid_request",
      "malformed_json",
      "origin_not_canonical",
      "method_not_allowed",
      "body_too_slow",
      "body_too_large",
      "unsupported_media_type"
    ],
    statuses: [400, 405, 408, 413, 415]
  },
  ...bodiesOf(401, { Unauthenticated: ["unauthenticated"] }),
  ...bodiesOf(403, {
    Forbidden: ["api_key_in_browser", "origin_not_allowed", "insufficient_scope"],
    KeyForbidden: ["api_key_in_browser", "insufficient_scope"],
    OriginForbidden: ["origin_not_allowed"]
  }),
  ...bodiesOf(404, {
    NotFound: ["not_found"],
    WebhookEndpointNotFound: ["webhook_endpoint_not_found"],
    WebhookDeliveryNotFound: ["webhook_endpoint_not_found", "webhook_delivery_not_found"]
  }),
  ...bodiesOf(405, { MethodNotAllowed: ["method_not_allowed"] }),
  ...bodiesOf(408, { BodyTooSlow: ["body_too_slow"] }),
  ...bodiesOf(409, {
    CreationConflict: ["idempotency_in_progress", "connection_exists", "external_id_taken"],
    ConnectionEnded: ["connection_ended"],
    Conflict: ["idempotency_in_progress", "state_conflict"],
    ApprovalConflict: [
      "idempotency_in_progress",
      "state_conflict",
      "plan_digest_mismatch",
      "plan_expired",
      "acknowledgement_required"
    ],
    RetryConflict: ["idempotency_in_progress", "state_conflict", "failure_not_retryable"],
    CancelConflict: ["idempotency_in_progress", "state_conflict", "records_written"]
  }),
  ...bodiesOf(412, {
    PreconditionFailed: ["precondition_failed"],
    EndpointPreconditionFailed: ["precondition_failed"]
  }),
  ...bodiesOf(413, { BodyTooLarge: ["body_too_large"] }),
  ...bodiesOf(415, { UnsupportedMediaType: ["unsupported_media_type"] }),
  ...bodiesOf(422, {
    UnprocessableIntent: ["unprocessable"],
    IdempotencyKeyReused: ["idempotency_key_reused"],
    UnprocessableCreation: ["unprocessable", "idempotency_key_reused"],
    UnprocessableAuthorization: [
      "idempotency_key_reused",
      "authorization_method_unavailable",
      "credential_kind_mismatch"
    ],
    UnprocessableApproval: ["idempotency_key_reused", "not_left_over"]
  }),
  ...bodiesOf(429, {
    RateLimited: ["rate_limited"],
    StreamLimited: ["rate_limited", "too_many_streams"],
    CommandLimited: ["rate_limited", "quota_exceeded"],
    RetryLimited: ["rate_limited", "quota_exceeded", "too_many_open_discoveries"]
  }),
  CreationLimited: {
    codes: ["rate_limited", "quota_exceeded", "too_many_open_discoveries", "internal_error", "unavailable", "draining"],
    statuses: [429, 500, 503]
  },
  ReadLimited: { codes: ["rate_limited", "internal_error"], statuses: [429, 500] },
  TokenRequestLimited: {
    codes: ["rate_limited", "internal_error", "unavailable", "draining"],
    statuses: [429, 500, 503]
  },
  ...bodiesOf(500, { InternalError: ["internal_error"] }),
  ...bodiesOf(503, {
    Unavailable: ["unavailable", "draining"],
    StreamUnavailable: ["unavailable", "draining", "overloaded"],
    CheckUnavailable: ["unavailable", "draining", "busy"]
  })
}

function bodiesOf(status: number, codes: Readonly<Record<string, ReadonlyArray<string>>>) {
  return Record.map(codes, (codes) => ({ codes, statuses: [status] }))
}

const errorsOf = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(
    names.flatMap((name) => (errorBodies[name]?.statuses ?? []).map((status) => [status, component(name)] as const))
  )

/** The responses of an endpoint with the errors around it; only a body can be refused, and only one that is read be too slow. */
export const withCommonErrors = (method: string, bodies: Readonly<Record<string, unknown>>) => {
  const ofBodies = { get: ["408", "413", "415"], delete: ["408"] }[method] ?? []
  const common = Object.entries(commonErrors).filter(([status]) => !ofBodies.includes(status))
  return { ...Object.fromEntries(common.map(([status, name]) => [status, component(name)])), ...bodies }
}

const keys = ["apiKey"]
const keysAndTokens = ["apiKey", "browserToken"]
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
export const endpoints: ReadonlyArray<{
  readonly method: string
  readonly path: string
  readonly security: ReadonlyArray<string>
  readonly request?: unknown
  readonly bodies: Readonly<Record<string, unknown>>
}> = [
  {
    method: "post",
    path: "/v1/connections",
    request: component("CreateConnectionRequest"),
    security: keys,
    bodies: {
      201: component("ConnectionBody"),
      ...errorsOf("InvalidCreation", "Unauthenticated", "KeyForbidden", "CreationConflict"),
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
      ...errorsOf("InvalidRead", "Unauthenticated", "Forbidden", "NotFound", "ReadLimited", "Unavailable")
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
      ...errorsOf("TokenRequestLimited")
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
    bodies: { 204: undefined, ...serverRead, ...errorsOf("NotFound") }
  },
  {
    method: "post",
    path: `${connection}/authorization`,
    request: {
      anyOf: [
        { anyOf: [component("ManualAuthorization"), component("CredentialAuthorization")] },
        component("ProviderAuthorization")
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
    bodies: { ...commandBodies, ...errorsOf("RetryConflict", "RetryLimited") }
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
    security: keys,
    bodies: {
      201: component("ShareLink"),
      ...serverRead,
      ...errorsOf("InvalidBody", "NotFound", "ConnectionEnded")
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
    method: "put",
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
    method: "delete",
    path: webhookEndpoint,
    security: keys,
    bodies: { 204: undefined, ...ofWebhookEndpoint, ...errorsOf("EndpointPreconditionFailed") }
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
    bodies: { 200: component("WebhookDeliveryBody"), ...ofWebhookEndpoint, ...errorsOf("InvalidBody") }
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
      ...errorsOf("InvalidBody", "WebhookDeliveryNotFound")
    }
  },
  {
    method: "post",
    path: `${webhookEndpoint}/replay`,
    request: component("ReplayRequest"),
    security: keys,
    bodies: { 200: component("ReplayBody"), ...ofWebhookEndpoint, ...errorsOf("InvalidBody") }
  }
]
