import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Connection, ConnectionId } from "../domain/Connection.ts"
import { Timestamp } from "../domain/Timestamp.ts"
import { IntentRequest } from "../domain/Intent.ts"
import type { KeyScope } from "../domain/Tenancy.ts"
import { ApiKeyAuth } from "./ApiKeyAuth.ts"
import { CallerAuth } from "./CallerAuth.ts"
import { ConflictBody, InvalidRequestBody, NotFoundBody, UnavailableBody, UnprocessableBody } from "./errors.ts"
import { Access, type AccessRule } from "./RouteTable.ts"

const header = (pattern: RegExp, what: string, description: string) =>
  Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(pattern)).annotations({ description, message: () => `must be ${what}` }),
    { exact: true }
  )

const IdempotencyKey = header(
  /^[\u0021-\u007e]{1,255}$/,
  "1 to 255 visible ASCII characters",
  "Makes the request safe to repeat for 24 hours: the same key and body give the first answer again."
)

const Prefer = header(
  /^[\u0020-\u007e\t]{1,255}$/,
  "1 to 255 printable ASCII characters",
  "`wait=N` (RFC 7240): answer when discovery has ended, or after N seconds, at most 30."
)

const IfNoneMatch = header(
  /^[\u0020-\u007e\t]{1,1000}$/,
  "1 to 1000 printable ASCII characters",
  "The ETag of the answer that the client has: 304 if it still holds."
)

const path = Schema.Struct({ connectionId: ConnectionId })

/** One connection in its envelope: every endpoint that gives a connection gives this. */
export const ConnectionBody = Schema.Struct({ connection: Connection }).annotations({
  identifier: "ConnectionBody",
  description: "The connection."
})

/** The one key of the answer whose secret is shown this once (spec 2.8). */
export const BrowserTokenBody = Schema.Struct({
  accessToken: Schema.Redacted(Schema.String).annotations({ description: "The bearer token, shown this once." }),
  tokenType: Schema.Literal("Bearer"),
  expiresAt: Timestamp
}).annotations(HttpApiSchema.annotations({ identifier: "BrowserToken", description: "The token.", status: 201 }))

/** Every error at once, and nothing that is not known. */
const strict = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const

const serversOnly = (scope: KeyScope): AccessRule => ({ scope, browser: false })

const browsersToo = (scope: KeyScope): AccessRule => ({ scope, browser: true })

const create = HttpApiEndpoint.post("create", "/v1/connections")
  .setHeaders(Schema.Struct({ "idempotency-key": IdempotencyKey, prefer: Prefer }))
  .setPayload(
    Schema.Struct({ intent: IntentRequest }).annotations({ identifier: "CreateConnectionRequest", ...strict })
  )
  .addSuccess(ConnectionBody.annotations(HttpApiSchema.annotations({ identifier: "ConnectionBody", status: 201 })))
  .addError(ConflictBody)
  .addError(UnprocessableBody)
  .middleware(ApiKeyAuth)
  .annotate(Access, serversOnly("connections:write"))
  .annotate(OpenApi.Summary, "Create a domain connection")
  .annotate(
    OpenApi.Description,
    "Connects a domain for the application and tenant of the API key. Answers at once in state `requested`; discovery then finds the zone, its provider and the first plan."
  )

const get = HttpApiEndpoint.get("get", "/v1/connections/:connectionId")
  .setPath(path)
  .setHeaders(Schema.Struct({ "if-none-match": IfNoneMatch }))
  .addSuccess(ConnectionBody)
  .addError(NotFoundBody)
  .addError(UnavailableBody)
  .middleware(CallerAuth)
  .annotate(Access, browsersToo("connections:read"))
  .annotate(OpenApi.Summary, "Get a domain connection")
  .annotate(OpenApi.Description, "A connection of another tenant or application answers 404 like a missing one.")

const issueToken = HttpApiEndpoint.post("issueToken", "/v1/connections/:connectionId/access-token")
  .setPath(path)
  .setPayload(
    Schema.Struct({
      origin: Schema.String.annotations({
        description: "The origin exactly as a browser sends it, for example `https://shop.example.com`."
      })
    }).annotations({ identifier: "IssueTokenRequest", ...strict })
  )
  .addSuccess(BrowserTokenBody)
  .addError(InvalidRequestBody)
  .addError(NotFoundBody)
  .addError(ConflictBody)
  .middleware(ApiKeyAuth)
  .annotate(Access, serversOnly("tokens:issue"))
  .annotate(OpenApi.Summary, "Issue a browser connection token")
  .annotate(
    OpenApi.Description,
    "A short-lived bearer token for this one connection and one exact browser origin. It works only together with that `Origin` header."
  )

/** Connections: create, read, and open one to a browser. */
export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(create)
  .add(get)
  .add(issueToken)
  .annotate(OpenApi.Title, "Connections") {}
