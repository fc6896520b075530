import { expect } from "bun:test"

/** A reference to a schema of the OpenAPI document. */
export const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The schema of each error, by status. */
export const errors = {
  400: "InvalidRequest",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "PreconditionFailed",
  422: "Unprocessable",
  429: "RateLimited",
  503: "Unavailable",
  405: "MethodNotAllowed",
  408: "BodyTooSlow",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  500: "InternalError"
} as const

const errorsOf = (...statuses: ReadonlyArray<keyof typeof errors>) =>
  Object.fromEntries(statuses.map((status) => [status, component(errors[status])]))

/** The statuses of errors that are answered around every endpoint; only a request with a body can be too slow. */
const commonStatuses = (method: string) => [405, ...(method === "get" ? [] : [408 as const]), 413, 415, 500] as const

/** The responses of an endpoint with the errors around it, which have bodies of their own. */
export const withCommonErrors = (method: string, bodies: Readonly<Record<string, unknown>>) => ({
  ...errorsOf(...commonStatuses(method), 503),
  ...bodies
})

/** The same for the endpoints of the specification, whose seven bodies are all that they have. */
export const withSharedBodies = (method: string, bodies: Readonly<Record<string, unknown>>) => ({
  ...Object.fromEntries(
    commonStatuses(method).map((status) => [status, component(status === 500 ? "RateLimited" : "InvalidRequest")])
  ),
  503: component("RateLimited"),
  ...bodies
})

const keys = ["apiKey"]
const keysAndTokens = ["apiKey", "browserToken"]
/** The path of one connection. */
export const connection = "/v1/connections/{connectionId}"

/** The responses of every command. */
const commandBodies = { 200: component("ConnectionBody"), ...errorsOf(400, 401, 403, 404, 409, 412, 422, 429, 503) }

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
    bodies: { 201: component("ConnectionBody"), ...errorsOf(400, 401, 403, 409, 422, 429) }
  },
  {
    method: "get",
    path: connection,
    security: keysAndTokens,
    bodies: { 200: component("ConnectionBody"), 304: undefined, ...errorsOf(400, 401, 403, 404, 429, 503) }
  },
  {
    method: "post",
    path: `${connection}/access-token`,
    request: component("IssueTokenRequest"),
    security: keys,
    bodies: { 201: component("BrowserToken"), ...errorsOf(400, 401, 403, 404, 409, 429) }
  },
  {
    method: "get",
    path: "/v1/connections",
    security: keys,
    bodies: { 200: component("ConnectionListBody"), ...errorsOf(400, 401, 403, 429, 503) }
  },
  {
    method: "delete",
    path: `${connection}/access-token`,
    security: keys,
    bodies: { 204: undefined, ...errorsOf(400, 401, 403, 404, 429, 503) }
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
    bodies: { ...commandBodies, 200: component("AuthorizationBody") }
  },
  {
    method: "post",
    path: `${connection}/approval`,
    request: component("ApprovalRequest"),
    security: keysAndTokens,
    bodies: commandBodies
  },
  ...["recheck", "retry", "cancel"].map((name) => ({
    method: "post",
    path: `${connection}/${name}`,
    security: keysAndTokens,
    bodies: commandBodies
  })),
  { method: "post", path: `${connection}/disconnect`, security: keys, bodies: commandBodies },
  {
    method: "get",
    path: `${connection}/records`,
    security: keysAndTokens,
    bodies: { 200: component("ObservationsBody"), ...errorsOf(400, 401, 403, 404, 429, 503) }
  },
  {
    method: "get",
    path: `${connection}/events`,
    security: keysAndTokens,
    bodies: { 200: component("TimelineBody"), ...errorsOf(400, 401, 403, 404, 429, 503) }
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
      ...errorsOf(400, 401, 403, 404, 429, 503)
    }
  },
  {
    method: "get",
    path: "/v1/providers",
    security: keys,
    bodies: { 200: component("ProviderListBody"), ...errorsOf(400, 401, 403, 429, 503) }
  },
  {
    method: "post",
    path: "/v1/domains/check",
    request: component("DomainCheckRequest"),
    security: keys,
    bodies: { 200: component("DomainCheck"), ...errorsOf(400, 401, 403, 422, 429, 503) }
  },
  {
    method: "post",
    path: `${connection}/share-link`,
    security: keys,
    bodies: { 201: component("ShareLink"), ...errorsOf(400, 401, 403, 404, 409, 429) }
  },
  {
    method: "post",
    path: "/v1/share-links/redeem",
    request: component("RedeemRequest"),
    security: [],
    bodies: { 201: component("RedeemedLink"), ...errorsOf(400, 401, 403, 429) }
  },
  {
    method: "get",
    path: "/v1/usage",
    security: keys,
    bodies: { 200: component("UsageBody"), ...errorsOf(400, 401, 403, 429, 503) }
  }
]
