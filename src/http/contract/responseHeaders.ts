import type { OperationObject, ResponseObject } from "./completeDocument.ts"

const text = { type: "string" }

/** The headers of responses, for the OpenAPI document. */
export const responseHeaders = {
  "x-request-id": {
    description:
      "The id of the request in the log: the client's own `x-request-id` if it is safe there, else a new one.",
    schema: text
  },
  "Cache-Control": { description: "Always `no-store`.", schema: text },
  ETag: { description: "The version of the connection, for `If-None-Match` and `If-Match`.", schema: text },
  Location: { description: "The path of the new connection.", schema: { type: "string", format: "uri-reference" } },
  "Idempotent-Replayed": {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] }
  },
  "Preference-Applied": { description: "The `wait` of the request, as it was applied.", schema: text },
  "RateLimit-Policy": { description: 'The limit of a minute, such as `"default";q=1200;w=60`.', schema: text },
  RateLimit: {
    description: 'What is left of it, and the seconds until it begins again, such as `"default";r=1187;t=41`.',
    schema: text
  },
  "Retry-After": { description: "After how many seconds to try again.", schema: { type: "integer", minimum: 0 } },
  Allow: { description: "The methods that the path takes.", schema: text },
  "WWW-Authenticate": { description: "The credentials that the service takes.", schema: text }
} as const

type HeaderName = keyof typeof responseHeaders

interface DocumentedAnswer {
  readonly status: string
  readonly content: ResponseObject["content"]
}

/** The headers of a response; they follow from its operation, its status and its body. */
export const headersOf = (operation: OperationObject, { content, status }: DocumentedAnswer) => {
  const isSuccess = Number(status) < 400
  const accepts = (parameter: string) => operation.parameters.some(({ name }) => name === parameter)
  const isLimited = operation.security.length > 0 && !statusesBeforeLimit.includes(status)
  const showsConnection = showsOneConnection(content) && isSuccess
  const names: ReadonlyArray<HeaderName | false> = [
    "x-request-id",
    "Cache-Control",
    (showsConnection || status === "304") && "ETag",
    showsConnection && status === "201" && "Location",
    isSuccess && accepts("idempotency-key") && "Idempotent-Replayed",
    isSuccess && accepts("prefer") && "Preference-Applied",
    isLimited && "RateLimit-Policy",
    isLimited && "RateLimit",
    (status === "429" || status === "503") && "Retry-After",
    status === "405" && "Allow",
    status === "401" && "WWW-Authenticate"
  ]
  return Object.fromEntries(
    names.filter((name) => name !== false).map((name) => [name, { $ref: `#/components/headers/${name}` }])
  )
}

/** They are answered before the caller is known, or because it is not. */
const statusesBeforeLimit = ["401", "405", "408", "413", "415", "500", "503"]

const showsOneConnection = (content: ResponseObject["content"]): boolean =>
  ["ConnectionBody", "AuthorizationBody"].some((name) =>
    Object.values(content ?? {}).some(({ schema }) => "$ref" in schema && String(schema.$ref).endsWith(`/${name}`))
  )
