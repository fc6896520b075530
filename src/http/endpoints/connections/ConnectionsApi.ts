import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PlatformProfile } from "../../../domain/access/Application.ts"
import { ConnectionState } from "../../../domain/connection/Connection.ts"
import { ConnectionDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { IntentRequest } from "../../../domain/connection/Intent.ts"
import { ExternalId, Metadata } from "../../../domain/connection/PlatformFields.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import {
  connectionEnded,
  connectionNotEnded,
  creationConflict,
  creationLimited,
  invalidBody,
  invalidRequest,
  invalidTokenRequest,
  connectionNotFound,
  unavailable,
  unprocessableCreation
} from "../../contract/operationErrors.ts"
import { connectionChanged } from "../lifecycle/lifecycleErrors.ts"
import {
  documentListParameters,
  listPage,
  metadataFilter,
  metadataParameter,
  NextPageCursor,
  severalOf
} from "../../contract/listParameters.ts"
import {
  AllowDuplicate,
  connectionPath,
  IdempotencyKeyHeader,
  IfMatchHeader,
  IfNoneMatchHeader,
  PreferHeader,
  strictParsing
} from "../../contract/requestSchemas.ts"
import { allowServers, allowServersAndBrowsers, StatementSharing } from "../../contract/securitySchemes.ts"
import { boundedString } from "../../../domain/values/boundedSchemas.ts"

/** The body of every endpoint that answers with a connection. */
export const ConnectionBody = Schema.Struct({ connection: ConnectionDocument }).annotations({
  identifier: "ConnectionBody",
  description: "The connection."
})

/** A browser token; its secret is shown only here. */
export const BrowserTokenBody = Schema.Struct({
  accessToken: Schema.Redacted(Schema.String).annotations({ description: "The bearer token, shown only once." }),
  tokenType: Schema.Literal("Bearer"),
  expiresAt: Timestamp
}).annotations(HttpApiSchema.annotations({ identifier: "BrowserToken", description: "The token.", status: 201 }))

const create = HttpApiEndpoint.post("create", "/v1/connections")
  .setHeaders(Schema.Struct({ "idempotency-key": IdempotencyKeyHeader, prefer: PreferHeader }))
  .setPayload(
    Schema.Struct({
      intent: IntentRequest,
      externalId: Schema.optionalWith(ExternalId, { exact: true }),
      metadata: Schema.optionalWith(Metadata, { exact: true }),
      allowDuplicate: AllowDuplicate
    }).annotations({ identifier: "CreateConnectionRequest", ...strictParsing })
  )
  .addSuccess(ConnectionBody.annotations(HttpApiSchema.annotations({ identifier: "ConnectionBody", status: 201 })))
  .addError(oneOf(invalidBody, creationConflict, unprocessableCreation, creationLimited))
  .pipe(allowServers("connections:write"))
  .annotate(StatementSharing, true)
  .annotate(OpenApi.Identifier, "createConnection")
  .annotate(OpenApi.Summary, "Create a domain connection")
  .annotate(
    OpenApi.Description,
    "Connects a domain for the application and tenant of the API key. Answers at once in state `requested`; discovery then finds the zone, its provider and the first plan. With `prefer: wait=20` the answer waits for that plan, 20 seconds at most."
  )

const list = HttpApiEndpoint.get("list", "/v1/connections")
  .setUrlParams(
    Schema.Struct(
      {
        state: severalOf("ConnectionState", ConnectionState),
        domain: Schema.optionalWith(
          boundedString(1_000).annotations({ description: "Exactly this domain, in any script." }),
          { exact: true }
        ),
        externalId: Schema.optionalWith(ExternalId, { exact: true }),
        ...listPage("asc")
      },
      metadataFilter
    )
  )
  .addSuccess(
    Schema.Struct({ connections: Schema.Array(ConnectionDocument), nextCursor: NextPageCursor }).annotations({
      identifier: "ConnectionListBody",
      description: "The connections."
    })
  )
  .addError(oneOf(invalidRequest, unavailable))
  .pipe(allowServers("connections:read"))
  .annotateContext(documentListParameters(metadataParameter))
  .annotate(OpenApi.Identifier, "listConnections")
  .annotate(OpenApi.Summary, "List domain connections")
  .annotate(OpenApi.Description, "The connections of the application and tenant of the API key, oldest first.")

const revokeTokens = HttpApiEndpoint.del("revokeTokens", "/v1/connections/:connectionId/access-token")
  .setPath(connectionPath)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "No token of the connection is valid any more." }))
  .addError(oneOf(invalidBody, connectionNotFound, unavailable))
  .pipe(allowServers("tokens:issue"))
  .annotate(OpenApi.Identifier, "revokeBrowserTokens")
  .annotate(OpenApi.Summary, "Revoke the browser tokens of a connection")
  .annotate(OpenApi.Description, "From the next request on, no browser token of this connection is valid any more.")

const get = HttpApiEndpoint.get("get", "/v1/connections/:connectionId")
  .setPath(connectionPath)
  .setHeaders(Schema.Struct({ "if-none-match": IfNoneMatchHeader }))
  .addSuccess(ConnectionBody)
  .addError(oneOf(invalidRequest, connectionNotFound, unavailable))
  .pipe(allowServersAndBrowsers("connections:read"))
  .annotate(StatementSharing, true)
  .annotate(OpenApi.Identifier, "getConnection")
  .annotate(OpenApi.Summary, "Get a domain connection")
  .annotate(OpenApi.Description, "A connection of another tenant or application answers 404 like a missing one.")

const erase = HttpApiEndpoint.del("erase", "/v1/connections/:connectionId")
  .setPath(connectionPath)
  .setHeaders(Schema.Struct({ "if-match": IfMatchHeader }))
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "The connection is erased." }))
  .addError(oneOf(invalidBody, connectionNotFound, connectionNotEnded, connectionChanged, unavailable))
  .pipe(allowServers("connections:write"))
  .annotate(OpenApi.Identifier, "eraseConnection")
  .annotate(OpenApi.Summary, "Erase a connection that has ended")
  .annotate(
    OpenApi.Description,
    "Deletes the connection with everything about it, for good; the audit log keeps its entries. One that has not ended is 409 `state_conflict`: cancel or disconnect it first. A repeated request is 404."
  )

export const PlatformBody = Schema.Struct({ platform: PlatformProfile }).annotations({
  identifier: "PlatformBody",
  description: "What customers see of the platform; a setting without a value is absent."
})

const getPlatform = HttpApiEndpoint.get("getPlatform", "/v1/connections/:connectionId/platform")
  .setPath(connectionPath)
  .addSuccess(PlatformBody)
  .addError(oneOf(connectionNotFound, unavailable))
  .pipe(allowServersAndBrowsers("connections:read"))
  .annotate(OpenApi.Identifier, "getPlatform")
  .annotate(OpenApi.Summary, "Read what customers see of the platform")
  .annotate(OpenApi.Description, "The name, logo and support addresses of the application of the connection.")

const issueToken = HttpApiEndpoint.post("issueToken", "/v1/connections/:connectionId/access-token")
  .setPath(connectionPath)
  .setPayload(
    Schema.Struct({
      origin: boundedString(2_000).annotations({
        description: "The origin exactly as a browser sends it, for example `https://shop.example.com`."
      })
    }).annotations({ identifier: "IssueTokenRequest", ...strictParsing })
  )
  .addSuccess(BrowserTokenBody)
  .addError(oneOf(invalidTokenRequest, connectionNotFound, connectionEnded))
  .pipe(allowServers("tokens:issue"))
  .annotate(StatementSharing, true)
  .annotate(OpenApi.Identifier, "issueBrowserToken")
  .annotate(OpenApi.Summary, "Issue a browser connection token")
  .annotate(
    OpenApi.Description,
    "A short-lived bearer token for this one connection and one exact browser origin. It works only together with that `Origin` header."
  )

/** Creates, lists, reads and erases connections, and issues the tokens with which a browser reads one. */
export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(create)
  .add(list)
  .add(get)
  .add(getPlatform)
  .add(issueToken)
  .add(revokeTokens)
  .add(erase)
  .annotate(OpenApi.Title, "Connections")
  .annotate(
    OpenApi.Description,
    "Create, read, list and erase connections, and the tokens with which a browser reads one."
  ) {}
