import { Record } from "effect"

/** A reference to a schema of the OpenAPI document. */
export const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The schema of an error body with these codes: that of every error, narrowed down. */
const errorSchemaOf = (codes: ReadonlyArray<string>) => ({
  type: "object",
  required: ["error"],
  properties: {
    error: {
      allOf: [
        component("Error"),
        { type: "object", required: ["code"], properties: { code: { type: "string", enum: codes } } }
      ]
    }
  },
  additionalProperties: false
})

/** The responses of the errors around an endpoint, by status. */
const commonErrors = {
  405: "MethodNotAllowed",
  408: "BodyTooSlow",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  500: "InternalError",
  503: "Unavailable"
}

/** The codes and the status of each error body. */
const errorBodies: Readonly<Record<string, { readonly codes: ReadonlyArray<string>; readonly status: number }>> = {
  ...bodiesOf(400, {
    InvalidRequest: ["invalid_request"],
    InvalidBody: ["invalid_request", "malformed_json"],
    InvalidTokenRequest: ["invalid_request", "malformed_json", "origin_not_canonical"],
    InvalidAuthorization: ["invalid_request", "malformed_json", "return_url_not_allowed"],
    InvalidWebhookUrl: ["invalid_request", "malformed_json", "webhook_url_not_allowed"]
  }),
  ...bodiesOf(401, { Unauthenticated: ["unauthenticated"] }),
  ...bodiesOf(403, {
    Forbidden: ["api_key_in_browser", "origin_not_allowed", "insufficient_scope"],
    KeyForbidden: ["api_key_in_browser", "insufficient_scope"],
    AdminForbidden: ["api_key_in_browser", "insufficient_scope"],
    OriginForbidden: ["origin_not_allowed"],
    EntryForbidden: ["origin_not_allowed"]
  }),
  ...bodiesOf(404, {
    ApplicationNotFound: ["application_not_found"],
    ApiKeyNotFound: ["application_not_found", "api_key_not_found"],
    AskSecretNotFound: ["application_not_found", "ask_secret_not_found"],
    DomainNotAllowed: ["domain_not_allowed"],
    NotFound: ["not_found"],
    WebhookEndpointNotFound: ["webhook_endpoint_not_found"],
    ApplicationEndpointNotFound: ["application_not_found", "webhook_endpoint_not_found"],
    WebhookDeliveryNotFound: ["webhook_endpoint_not_found", "webhook_delivery_not_found"]
  }),
  ...bodiesOf(409, {
    IdempotencyConflict: ["idempotency_in_progress"],
    CreationConflict: ["idempotency_in_progress", "connection_exists", "external_id_taken"],
    ConnectionEnded: ["connection_ended"],
    EntryConflict: ["idempotency_in_progress", "connection_exists", "external_id_taken", "connection_ended"],
    ConnectionNotEnded: ["state_conflict"],
    Conflict: ["idempotency_in_progress", "connection_ended", "state_conflict"],
    UpdateConflict: [
      "idempotency_in_progress",
      "connection_ended",
      "state_conflict",
      "connection_exists",
      "external_id_taken"
    ],
    ApprovalConflict: [
      "idempotency_in_progress",
      "connection_ended",
      "state_conflict",
      "plan_digest_mismatch",
      "plan_expired",
      "acknowledgement_required"
    ],
    RetryConflict: ["idempotency_in_progress", "connection_ended", "state_conflict", "failure_not_retryable"],
    ApplicationConflict: ["idempotency_in_progress", "application_exists"],
    ApplicationNotEmpty: ["application_not_empty"],
    TenantErasureRefused: ["tenant_has_live_connections", "connection_count_differs"],
    SettingsOmitted: ["settings_omitted"],
    OperatorConflict: ["connection_ended", "state_conflict"],
    OperatorRetryConflict: ["connection_ended", "state_conflict", "failure_not_retryable"],
    OperatorCancelConflict: ["connection_ended", "state_conflict", "records_written"],
    CancelConflict: ["idempotency_in_progress", "connection_ended", "state_conflict", "records_written"],
    TestConflict: ["state_conflict"],
    TestEntryConflict: ["connection_ended", "state_conflict"]
  }),
  ...bodiesOf(412, {
    PreconditionFailed: ["precondition_failed"],
    EndpointPreconditionFailed: ["precondition_failed"],
    ApplicationPreconditionFailed: ["precondition_failed"]
  }),
  ...bodiesOf(422, {
    UnprocessableIntent: ["unprocessable"],
    UnprocessableTestCall: ["unprocessable"],
    UnprocessableEntry: ["unprocessable"],
    IdempotencyKeyReused: ["idempotency_key_reused"],
    UnprocessableCreation: ["unprocessable", "idempotency_key_reused"],
    UnprocessableAuthorization: [
      "idempotency_key_reused",
      "authorization_method_unavailable",
      "credential_kind_mismatch",
      "approval_unavailable"
    ],
    UnprocessableSelection: ["idempotency_key_reused", "provider_not_selectable"],
    UnprocessableApproval: ["idempotency_key_reused", "not_left_over"]
  }),
  ...bodiesOf(429, {
    RateLimited: ["rate_limited"],
    StreamLimited: ["rate_limited", "too_many_streams"],
    CommandLimited: ["rate_limited", "quota_exceeded"],
    CreationLimited: ["rate_limited", "quota_exceeded", "too_many_open_discoveries"]
  }),
  ...bodiesOf(503, {
    Unavailable: ["unavailable", "draining"],
    StreamUnavailable: ["unavailable", "draining", "overloaded"],
    CheckUnavailable: ["unavailable", "draining", "busy"]
  })
}

function bodiesOf(status: number, codes: Readonly<Record<string, ReadonlyArray<string>>>) {
  return Record.map(codes, (codes) => ({ codes, status }))
}

/** The schemas of these error bodies, by status. */
export const errorsOf = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(
    names.map((name) => {
      const { codes, status } = errorBodies[name] ?? { codes: [], status: 0 }
      return [status, errorSchemaOf(codes)] as const
    })
  )

/** The responses of an endpoint with references to those of the errors around it; only what has a body can be refused for it. */
export const withCommonErrors = (method: string, bodies: Readonly<Record<string, unknown>>) => {
  const common = Object.entries(commonErrors).filter(
    ([status]) => method !== "get" || !["408", "413", "415"].includes(status)
  )
  return {
    ...Object.fromEntries(common.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
    ...bodies
  }
}
