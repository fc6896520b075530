import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import {
  ApplicationExists,
  ApplicationNotEmpty,
  TenantErasureRefused
} from "../../../administration/administrationErrors.ts"
import {
  Application,
  ApplicationSettings,
  ApplicationSettingsChange,
  ApplicationSettingsReplacement
} from "../../../domain/access/Application.ts"
import { ApplicationId, tenancyIdRule, TenantId } from "../../../domain/access/Tenancy.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import {
  idempotencyRefusals,
  IdempotencyInProgress,
  PreconditionFailed
} from "../../../lifecycle/commands/commandErrors.ts"
import { UsageBody } from "../usage/UsageApi.ts"
import { applicationNotFound, defineAdminPath } from "./adminRequests.ts"
import { defineErrorResponse, oneOf } from "../../contract/defineErrorResponse.ts"
import { idempotencyKeyReused, invalidBody, invalidRequest, unavailable } from "../../contract/operationErrors.ts"
import { IdempotencyKeyHeader, IfMatchHeader, strictParsing } from "../../contract/requestSchemas.ts"
import { listWindow, namePage, NextPageCursor } from "../../contract/listParameters.ts"
import { allowAdmins } from "../../contract/securitySchemes.ts"
import { settingsOmitted } from "../webhooks/webhookEndpointBodies.ts"

const root = "/v1/admin/applications"
const one = `${root}/:applicationId` as const
const tenant = `${one}/tenants/:tenantId` as const

const applicationPath = defineAdminPath({})
const tenantPath = defineAdminPath({ tenantId: TenantId.annotations({ description: "The tenant." }) })

const ifMatch = Schema.Struct({ "if-match": IfMatchHeader })

/** The body of every endpoint that answers with an application. */
export const ApplicationBody = Schema.Struct({ application: Application }).annotations({
  identifier: "ApplicationBody",
  description: "The application."
})

const applicationConflict = defineErrorResponse(
  `There is an application with this id, or ${idempotencyRefusals.inProgress}.`,
  [IdempotencyInProgress, ApplicationExists]
)

const applicationNotEmpty = defineErrorResponse(
  "The application has connections that have not ended, or more ended ones than one request erases.",
  [ApplicationNotEmpty]
)

const applicationChanged = defineErrorResponse("The application is no longer the one that `If-Match` names.", [
  PreconditionFailed
])

const create = HttpApiEndpoint.post("create", root)
  .setHeaders(Schema.Struct({ "idempotency-key": IdempotencyKeyHeader }))
  .setPayload(
    Schema.Struct({
      id: ApplicationId.annotations({ description: `What the platform calls it: ${tenancyIdRule}.` }),
      ...ApplicationSettings.fields
    }).annotations({ identifier: "CreateApplicationRequest", ...strictParsing })
  )
  .addSuccess(
    ApplicationBody.annotations(
      HttpApiSchema.annotations({ identifier: "ApplicationBody", description: "The application.", status: 201 })
    )
  )
  .addError(oneOf(invalidBody, applicationConflict, idempotencyKeyReused, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "createApplication")
  .annotate(OpenApi.Summary, "Create an application")
  .annotate(OpenApi.Description, "A product of the platform, to which API keys, tenants and connections belong.")

const list = HttpApiEndpoint.get("list", root)
  .setUrlParams(Schema.Struct({ ...listWindow("asc"), ...namePage }))
  .addSuccess(
    Schema.Struct({ applications: Schema.Array(Application), nextCursor: NextPageCursor }).annotations({
      identifier: "ApplicationListBody",
      description: "The applications in the order of their ids."
    })
  )
  .addError(oneOf(invalidRequest, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "listApplications")
  .annotate(OpenApi.Summary, "List the applications")
  .annotate(
    OpenApi.Description,
    "Every application: an API key of a new one creates it with default settings. `order` is that of the ids."
  )

const get = HttpApiEndpoint.get("get", one)
  .setPath(applicationPath)
  .addSuccess(ApplicationBody)
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "getApplication")
  .annotate(OpenApi.Summary, "Get an application")
  .annotate(OpenApi.Description, "Its settings.")

const update = HttpApiEndpoint.patch("update", one)
  .setPath(applicationPath)
  .setHeaders(ifMatch)
  .setPayload(ApplicationSettingsChange.annotations({ identifier: "UpdateApplicationRequest", ...strictParsing }))
  .addSuccess(ApplicationBody)
  .addError(oneOf(invalidBody, applicationNotFound, applicationChanged, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "updateApplication")
  .annotate(OpenApi.Summary, "Change settings of an application")
  .annotate(
    OpenApi.Description,
    "Changes the settings in the body and leaves the others; `null` removes one, or brings its default back."
  )

const replace = HttpApiEndpoint.put("replace", one)
  .setPath(applicationPath)
  .setHeaders(ifMatch)
  .setPayload(ApplicationSettingsReplacement.annotations({ identifier: "ReplaceApplicationRequest", ...strictParsing }))
  .addSuccess(ApplicationBody)
  .addError(oneOf(invalidBody, applicationNotFound, settingsOmitted, applicationChanged, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "replaceApplication")
  .annotate(OpenApi.Summary, "Replace the settings of an application")
  .annotate(
    OpenApi.Description,
    "Replaces all settings. A body that leaves out a setting that is set is refused: `PATCH` removes settings."
  )

const remove = HttpApiEndpoint.del("remove", one)
  .setPath(applicationPath)
  .setHeaders(ifMatch)
  .addSuccess(
    HttpApiSchema.NoContent.annotations({ description: "The application is deleted, with everything that it had." })
  )
  .addError(oneOf(invalidBody, applicationNotFound, applicationNotEmpty, applicationChanged, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "deleteApplication")
  .annotate(OpenApi.Summary, "Delete an application")
  .annotate(
    OpenApi.Description,
    "One without live connections. Its API keys are revoked, and its ended connections, tenants, webhook endpoints and secrets are erased; the audit log stays. A request erases 1,000 connections at most, and says in a 409 that others are left, or that `connection.erased` is still being delivered: send it again."
  )

const listTenants = HttpApiEndpoint.get("listTenants", `${one}/tenants`)
  .setPath(applicationPath)
  .setUrlParams(Schema.Struct({ ...listWindow("asc"), ...namePage }))
  .addSuccess(
    Schema.Struct({
      tenants: Schema.Array(Schema.Struct({ id: TenantId, createdAt: Timestamp })),
      nextCursor: NextPageCursor
    }).annotations({ identifier: "TenantListBody", description: "The tenants in the order of their ids." })
  )
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "listTenants")
  .annotate(OpenApi.Summary, "List the tenants of an application")
  .annotate(
    OpenApi.Description,
    "The tenants that have an API key or a connection; `createdAt` is when the first of these was created."
  )

const getTenant = HttpApiEndpoint.get("getTenant", tenant)
  .setPath(tenantPath)
  .addSuccess(
    Schema.Struct({ tenant: Schema.Struct({ id: TenantId, usage: UsageBody }) }).annotations({
      identifier: "TenantBody",
      description: "The tenant, and what it uses of its rates and quotas."
    })
  )
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "getTenant")
  .annotate(OpenApi.Summary, "Read the usage of a tenant")
  .annotate(
    OpenApi.Description,
    "What `GET /v1/usage` answers to the tenant. One that nobody has named yet has used nothing."
  )

const revokeKeys = HttpApiEndpoint.post("revokeKeys", `${tenant}/revoke-keys`)
  .setPath(tenantPath)
  .addSuccess(
    Schema.Struct({ revoked: Schema.Int.annotations({ description: "How many keys were valid." }) }).annotations({
      identifier: "RevokedKeysBody",
      description: "No API key of the tenant is valid any more."
    })
  )
  .addError(oneOf(invalidBody, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "revokeTenantKeys")
  .annotate(OpenApi.Summary, "Revoke all API keys of a tenant")
  .annotate(OpenApi.Description, "At once and for good, with the browser tokens that were issued with them.")

const tenantErasureRefused = defineErrorResponse(
  "The tenant has connections that have not ended, or another number of connections than is confirmed.",
  [TenantErasureRefused]
)

const countTenant = HttpApiEndpoint.get("countTenant", `${tenant}/erasure`)
  .setPath(tenantPath)
  .addSuccess(
    Schema.Struct({
      erasure: Schema.Struct({
        connections: Schema.Int.annotations({
          description: "The ended connections that would be erased: the number to confirm."
        }),
        liveConnections: Schema.Int.annotations({
          description: "The connections that have not ended; while there is one, nothing is erased."
        }),
        apiKeys: Schema.Int.annotations({ description: "The valid API keys that would be revoked." })
      })
    }).annotations({ identifier: "TenantErasureCount", description: "What an erasure would erase." })
  )
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "countTenantErasure")
  .annotate(OpenApi.Summary, "Count what an erasure of a tenant would erase")
  .annotate(OpenApi.Description, "Changes nothing.")

const eraseTenant = HttpApiEndpoint.post("eraseTenant", `${tenant}/erasure`)
  .setPath(tenantPath)
  .setPayload(
    Schema.Struct({
      connections: Schema.Int.pipe(Schema.nonNegative({ message: () => "must be a whole number from 0" })).annotations({
        jsonSchema: {
          type: "integer",
          minimum: 0,
          description: "How many connections are to be erased, as `GET` has counted them or the last answer says."
        }
      })
    }).annotations({ identifier: "EraseTenantRequest", ...strictParsing })
  )
  .addSuccess(
    Schema.Struct({
      erased: Schema.Int.annotations({ description: "How many connections this request has erased." }),
      remaining: Schema.Int.annotations({
        description: "How many are left for another request; at 0 everything of the tenant is erased."
      })
    }).annotations({ identifier: "TenantErasureBody", description: "What was erased." })
  )
  .addError(oneOf(invalidBody, applicationNotFound, tenantErasureRefused, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "eraseTenant")
  .annotate(OpenApi.Summary, "Erase a tenant")
  .annotate(
    OpenApi.Description,
    "Revokes the API keys of the tenant, erases up to 1,000 of its connections and, once none is left, everything else that it has; the audit log stays. A live connection is 409 `tenant_has_live_connections`, another number 409 `connection_count_differs`."
  )

/** Applications with their settings, and their tenants, for administrators. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(create)
  .add(list)
  .add(get)
  .add(update)
  .add(replace)
  .add(remove)
  .add(listTenants)
  .add(getTenant)
  .add(revokeKeys)
  .add(countTenant)
  .add(eraseTenant)
  .annotate(OpenApi.Title, "Administration")
  .annotate(OpenApi.Description, "The applications of the platform, their settings and their tenants.") {}
