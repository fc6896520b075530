import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AuditAction, AuditEntry } from "../../domain/AuditEntry.ts"
import { ConnectionId } from "../../domain/Connection.ts"
import { boundedString } from "../../domain/boundedSchemas.ts"
import { TenantId } from "../../domain/Tenancy.ts"
import { InvalidRequestResponse, UnavailableResponse } from "./operationErrors.ts"
import { NextPageCursor, PageCursor, PageLimit, QueryTimestamp } from "./requestSchemas.ts"
import { allowServers, ApiKeyAuth, EndpointAccess } from "./securitySchemes.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const list = HttpApiEndpoint.get("list", "/v1/audit")
  .setUrlParams(
    Schema.Struct({
      tenantId: optional(TenantId),
      connectionId: optional(ConnectionId),
      actor: optional(
        boundedString(200).annotations({ description: "The id of an actor, such as that of an API key." })
      ),
      action: optional(AuditAction),
      after: optional(QueryTimestamp),
      before: optional(QueryTimestamp),
      cursor: PageCursor,
      limit: PageLimit
    })
  )
  .addSuccess(
    Schema.Struct({ entries: Schema.Array(AuditEntry), nextCursor: NextPageCursor }).annotations({
      identifier: "AuditListBody",
      description: "The entries, newest first."
    })
  )
  .addError(InvalidRequestResponse)
  .addError(UnavailableResponse)
  .middleware(ApiKeyAuth)
  .annotate(EndpointAccess, allowServers("audit:read"))
  .annotate(OpenApi.Identifier, "listAuditEntries")
  .annotate(OpenApi.Summary, "Read the audit log")
  .annotate(
    OpenApi.Description,
    "Who did what in the application of the API key, newest first, of all its tenants. `after` includes its moment, `before` does not."
  )

/** Reads the audit log of an application. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(list)
  .annotate(OpenApi.Title, "Audit")
  .annotate(OpenApi.Description, "Who did what in an application, and when.") {}
