import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { ConnectionState, FailureCode } from "../../../domain/connection/Connection.ts"
import {
  ConnectionInspection,
  ConnectionOverview,
  ConnectionSummary,
  type OperatorAction,
  RetryOutcome
} from "../../../domain/connection/ConnectionInspection.ts"
import { CancelRefused, FailureNotRetryable, StateConflict } from "../../../lifecycle/commands/commandErrors.ts"
import { ConnectionEnded } from "../../../persistence/stores/access/BrowserTokenStore.ts"
import { assignedId, boundedString, optional } from "../../../domain/values/boundedSchemas.ts"
import { FalseByDefault } from "../../../domain/values/documentedDefaults.ts"
import { defineErrorResponse, oneOf } from "../../contract/defineErrorResponse.ts"
import { documentListParameters, listPage, NextPageCursor, severalOf } from "../../contract/listParameters.ts"
import {
  commandLimited,
  connectionNotFound,
  creationLimited,
  invalidBody,
  invalidRequest,
  unavailable
} from "../../contract/operationErrors.ts"
import { connectionPath, strictParsing } from "../../contract/requestSchemas.ts"
import { allowAdmins } from "../../contract/securitySchemes.ts"

const root = "/v1/admin/connections"
const one = `${root}/:connectionId` as const

const DomainFilter = boundedString(1_000).annotations({ description: "The domain, or one below it." })

const OverdueSeconds = Schema.String.pipe(
  Schema.maxLength(10),
  Schema.compose(Schema.NumberFromString),
  Schema.int(),
  Schema.between(1, 31_536_000)
).annotations({
  jsonSchema: {
    type: "integer",
    minimum: 1,
    maximum: 31_536_000,
    description:
      "Only connections whose phase has been due for as long without a process that works on it. The longest come first, on one page."
  },
  message: () => ({ message: "must be a whole number from 1 to 31536000", override: true })
})

/** The body of every endpoint that answers with a connection in short. */
const ConnectionSummaryBody = Schema.Struct({ connection: ConnectionSummary }).annotations({
  identifier: "ConnectionSummaryBody",
  description: "The connection as the command left it."
})

const list = HttpApiEndpoint.get("list", root)
  .setUrlParams(
    Schema.Struct({
      state: severalOf("ConnectionState", ConnectionState),
      failure: optional(FailureCode),
      provider: optional(assignedId("The id of a provider.")),
      applicationId: optional(ApplicationId),
      tenantId: optional(TenantId),
      domain: optional(DomainFilter),
      stuckSeconds: optional(OverdueSeconds),
      ...listPage("desc")
    })
  )
  .addSuccess(
    Schema.Struct({ connections: Schema.Array(ConnectionSummary), nextCursor: NextPageCursor }).annotations({
      identifier: "ConnectionSummaryListBody",
      description: "The connections of all tenants."
    })
  )
  .addError(oneOf(invalidRequest, unavailable))
  .annotateContext(documentListParameters())
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "listConnectionsOfAllTenants")
  .annotate(OpenApi.Summary, "Find connections of all tenants")
  .annotate(
    OpenApi.Description,
    "The newest first. With `stuckSeconds` those that have waited longest for a process, or that are tried again and again without getting further."
  )

const inspect = HttpApiEndpoint.get("inspect", one)
  .setPath(connectionPath)
  .addSuccess(
    Schema.Struct({ inspection: ConnectionInspection }).annotations({
      identifier: "ConnectionInspectionBody",
      description: "The connection, and what happened to it."
    })
  )
  .addError(oneOf(invalidRequest, connectionNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "inspectConnection")
  .annotate(OpenApi.Summary, "Inspect a connection")
  .annotate(
    OpenApi.Description,
    "What it waits for and who can end that, its timeline, what each server answered, changes at the provider, webhook events, and until when there is a credential."
  )

const conflict = "The command conflicts with the current state of the connection."

const stateConflict = defineErrorResponse(conflict, [ConnectionEnded, StateConflict])
const retryConflict = defineErrorResponse(conflict, [ConnectionEnded, StateConflict, FailureNotRetryable])
const cancelConflict = defineErrorResponse(conflict, [ConnectionEnded, StateConflict, CancelRefused])

const overview = HttpApiEndpoint.get("overview", "/v1/admin/overview")
  .addSuccess(
    Schema.Struct({ overview: ConnectionOverview }).annotations({
      identifier: "ConnectionOverviewBody",
      description: "How all connections stand."
    })
  )
  .addError(oneOf(invalidRequest, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "readOverview")
  .annotate(OpenApi.Summary, "Read how all connections stand")
  .annotate(
    OpenApi.Description,
    "Connections by state, failures by provider, what waits, and webhook endpoints that fail."
  )

const declareAction = <const Name extends OperatorAction>(name: Name) =>
  HttpApiEndpoint.post(name, `${one}/${name}`)
    .setPath(connectionPath)
    .addSuccess(ConnectionSummaryBody)
    .pipe(allowAdmins("connections:act"))

const retry = declareAction("retry")
  .addError(oneOf(invalidBody, connectionNotFound, retryConflict, creationLimited, unavailable))
  .annotate(OpenApi.Identifier, "retryConnectionAsOperator")
  .annotate(OpenApi.Summary, "Retry a connection of any tenant")
  .annotate(OpenApi.Description, "The same as `POST /v1/connections/{connectionId}/retry` by its platform.")

const recheck = declareAction("recheck")
  .addError(oneOf(invalidBody, connectionNotFound, stateConflict, commandLimited, unavailable))
  .annotate(OpenApi.Identifier, "recheckConnectionAsOperator")
  .annotate(OpenApi.Summary, "Check a connection of any tenant now")
  .annotate(OpenApi.Description, "The same as `POST /v1/connections/{connectionId}/recheck` by its platform.")

const cancel = declareAction("cancel")
  .addError(oneOf(invalidBody, connectionNotFound, cancelConflict, commandLimited, unavailable))
  .annotate(OpenApi.Identifier, "cancelConnectionAsOperator")
  .annotate(OpenApi.Summary, "Cancel a connection of any tenant")
  .annotate(OpenApi.Description, "The same as `POST /v1/connections/{connectionId}/cancel` by its platform.")

const retryAll = HttpApiEndpoint.post("retryAll", `${root}/retry`)
  .setPayload(
    Schema.Struct({
      failure: optional(FailureCode),
      provider: optional(assignedId("The id of a provider.")),
      applicationId: optional(ApplicationId),
      tenantId: optional(TenantId),
      domain: optional(DomainFilter),
      limit: optional(
        Schema.Int.pipe(Schema.between(1, 500, { message: () => "must be a whole number from 1 to 500" })).annotations({
          jsonSchema: {
            type: "integer",
            minimum: 1,
            maximum: 500,
            description: "How many connections at most; 100 by default."
          }
        })
      ),
      dryRun: optional(FalseByDefault).annotations({ description: "Says what would happen, and changes nothing." })
    }).annotations({ identifier: "RetryConnectionsRequest", ...strictParsing })
  )
  .addSuccess(
    Schema.Struct({ connections: Schema.Array(RetryOutcome) }).annotations({
      identifier: "RetryConnectionsBody",
      description: "What happened to each connection."
    })
  )
  .addError(oneOf(invalidBody, unavailable))
  .pipe(allowAdmins("connections:act"))
  .annotate(OpenApi.Identifier, "retryConnections")
  .annotate(OpenApi.Summary, "Retry many connections")
  .annotate(
    OpenApi.Description,
    "Failed and degraded connections that fit, the oldest first, of all tenants. Without `failure`, only those that a retry can help. A dry run asks no quota: a retry may still be refused."
  )

/** The connections of all tenants, for operators. */
export class AdminConnectionsApi extends HttpApiGroup.make("adminConnections")
  .add(list)
  .add(inspect)
  .add(overview)
  .add(retry)
  .add(recheck)
  .add(cancel)
  .add(retryAll)
  .annotate(OpenApi.Title, "Operations")
  .annotate(
    OpenApi.Description,
    "Connections of all tenants, for operators: find, inspect, retry, check and cancel."
  ) {}
