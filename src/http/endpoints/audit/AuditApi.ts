import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AuditAction, AuditEntry } from "../../../domain/access/AuditEntry.ts"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { assignedId, optional } from "../../../domain/values/boundedSchemas.ts"
import { TenantId } from "../../../domain/access/Tenancy.ts"
import { defineAdminPath } from "../administration/adminRequests.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import { invalidRequest, unavailable } from "../../contract/operationErrors.ts"
import { documentListParameters, formerMoment, listPage, NextPageCursor } from "../../contract/listParameters.ts"
import { allowAdmins, allowServers } from "../../contract/securitySchemes.ts"

const adminFilter = {
  actor: optional(assignedId("The id of an actor, such as that of an API key.")),
  action: optional(AuditAction),
  ...listPage("desc"),
  after: formerMoment("createdAfter"),
  before: formerMoment("createdBefore")
}

const filter = Schema.Struct({ tenantId: optional(TenantId), connectionId: optional(ConnectionId), ...adminFilter })

const AuditListBody = Schema.Struct({ entries: Schema.Array(AuditEntry), nextCursor: NextPageCursor }).annotations({
  identifier: "AuditListBody",
  description: "The entries."
})

const declareList = <const Name extends string>(name: Name, path: `/${string}`) =>
  HttpApiEndpoint.get(name, path)
    .addSuccess(AuditListBody)
    .addError(oneOf(invalidRequest, unavailable))
    .annotateContext(documentListParameters())

const list = declareList("list", "/v1/audit")
  .setUrlParams(filter)
  .pipe(allowServers("audit:read"))
  .annotate(OpenApi.Identifier, "listAuditEntries")
  .annotate(OpenApi.Summary, "Read the audit log")
  .annotate(
    OpenApi.Description,
    "Who did what in the application of the API key, newest first, of all its tenants. A page may have fewer entries than `limit`, or none, although others follow: a request reads 10,000 entries at most, and `nextCursor` continues."
  )

const listOfApplication = declareList("listOfApplication", "/v1/admin/applications/:applicationId/audit")
  .setPath(defineAdminPath({}))
  .setUrlParams(filter)
  .pipe(allowAdmins("audit:read"))
  .annotate(OpenApi.Identifier, "listApplicationAuditEntries")
  .annotate(OpenApi.Summary, "Read the audit log of an application")
  .annotate(
    OpenApi.Description,
    "The same as `GET /v1/audit` by an API key of the application; also of one that is deleted."
  )

const listOfAdminKeys = declareList("listOfAdminKeys", "/v1/admin/audit")
  .setUrlParams(Schema.Struct(adminFilter))
  .pipe(allowAdmins("audit:read"))
  .annotate(OpenApi.Identifier, "listAdminAuditEntries")
  .annotate(OpenApi.Summary, "Read the audit log of the admin keys")
  .annotate(OpenApi.Description, "Who created and revoked admin keys, which belong to no application, newest first.")

export class AuditApi extends HttpApiGroup.make("audit")
  .add(list)
  .add(listOfApplication)
  .add(listOfAdminKeys)
  .annotate(OpenApi.Title, "Audit")
  .annotate(OpenApi.Description, "Who did what in an application, and when.") {}
