import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ConnectionDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { IntentRequest } from "../../../domain/connection/Intent.ts"
import { PlanDigest, RecordReference } from "../../../domain/plan/Plan.ts"
import { Warning } from "../../../domain/plan/Warning.ts"
import { ExternalId, Metadata } from "../../../domain/connection/PlatformFields.ts"
import { removable } from "../../../domain/access/mergeSettings.ts"
import { boundedArray, boundedString, optional } from "../../../domain/values/boundedSchemas.ts"
import { ConnectionBody } from "../connections/ConnectionsApi.ts"
import { CredentialInput } from "../../contract/credentialInput.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import {
  commandLimited,
  creationLimited,
  invalidBody,
  connectionNotFound,
  unavailable,
  unprocessableCreation
} from "../../contract/operationErrors.ts"
import {
  AllowDuplicate,
  connectionPath,
  IdempotencyKeyHeader,
  IfMatchHeader,
  PreferHeader,
  strictParsing
} from "../../contract/requestSchemas.ts"
import { allowServers, allowServersAndBrowsers, allowServersAndHelpers } from "../../contract/securitySchemes.ts"
import {
  approvalConflict,
  cancelConflict,
  stateConflict,
  invalidAuthorization,
  connectionChanged,
  retryConflict,
  unprocessableApproval,
  unprocessableAuthorization,
  unprocessableSelection,
  updateConflict
} from "./lifecycleErrors.ts"

const headers = { "idempotency-key": IdempotencyKeyHeader, "if-match": IfMatchHeader }

/** The headers of a command after which a plan is made. */
const planningHeaders = Schema.Struct({ ...headers, prefer: PreferHeader })

/** A command on a connection, which answers with the connection. One with refusals of its own adds responses that have them. */
const declareCommand = <const Name extends string>(name: Name, segment: string) =>
  declareCommandPath(name, segment).addSuccess(ConnectionBody)

const declareCommandPath = <const Name extends string>(name: Name, segment: string) =>
  HttpApiEndpoint.post(name, `/v1/connections/:connectionId/${segment}`)
    .setPath(connectionPath)
    .setHeaders(Schema.Struct(headers))
    .addError(oneOf(invalidBody, connectionNotFound, stateConflict, connectionChanged, commandLimited, unavailable))

const acknowledge = Schema.optionalWith(
  boundedArray(Warning, { max: 100 }).annotations({
    description: "The serious warnings of the plan that the approver has read."
  }),
  { exact: true }
)

const consent = {
  approvedDigest: Schema.optionalWith(
    PlanDigest.annotations({
      description: "Approves the plan in advance: the one made from the provider's zone, if it has this digest."
    }),
    { exact: true }
  ),
  acknowledge
}

const ManualAuthorizationRequest = Schema.Struct({ method: Schema.Literal("manual") }).annotations({
  identifier: "ManualAuthorizationRequest",
  description: "The customer enters the records by hand."
})

const CredentialAuthorizationRequest = Schema.Struct({
  method: Schema.Literal("direct_credential"),
  credential: Schema.Redacted(CredentialInput),
  ...consent
}).annotations({
  identifier: "CredentialAuthorizationRequest",
  description: "The service enters the records with a credential of the customer."
})

const ProviderAuthorizationRequest = Schema.Struct({
  method: Schema.Literal("oauth2_pkce"),
  returnUrl: Schema.optionalWith(
    boundedString(2_000).annotations({
      description:
        "The URL to which the customer returns, with `connection` and `result` added: for a browser token a page of its origin, for an API key any https page; with `returnOrigins` of the application, a page of these for both."
    }),
    { exact: true }
  ),
  ...consent
}).annotations({
  identifier: "ProviderAuthorizationRequest",
  description: "The customer authorizes the service at the provider (OAuth 2.0 with PKCE)."
})

const DomainConnectAuthorizationRequest = Schema.Struct({
  method: Schema.Literal("domain_connect"),
  returnUrl: ProviderAuthorizationRequest.fields.returnUrl,
  approvedDigest: Schema.optionalWith(
    PlanDigest.annotations({
      description: "Always refused: the provider writes the records, after a consent on its own page."
    }),
    { exact: true }
  )
}).annotations({
  identifier: "DomainConnectAuthorizationRequest",
  description: "The customer lets the provider write the records, on a page of the provider (Domain Connect)."
})

const AuthorizationRequest = Schema.Union(
  ManualAuthorizationRequest,
  CredentialAuthorizationRequest,
  ProviderAuthorizationRequest,
  DomainConnectAuthorizationRequest
).annotations(strictParsing)
export type AuthorizationRequest = typeof AuthorizationRequest.Type

const authorization = declareCommandPath("authorization", "authorization")
  .setHeaders(planningHeaders)
  .setPayload(AuthorizationRequest)
  .addSuccess(
    Schema.Struct({
      connection: ConnectionDocument,
      authorizeUrl: Schema.optionalWith(
        Schema.String.annotations({
          description:
            "Only with `oauth2_pkce` and `domain_connect`: the URL that the customer's browser opens next, by a link or a redirect. Valid for 15 minutes."
        }),
        { exact: true }
      )
    }).annotations({
      identifier: "AuthorizationBody",
      description: "The connection and, for OAuth and Domain Connect, the next URL."
    })
  )
  .addError(oneOf(invalidAuthorization, unprocessableAuthorization))
  .pipe(allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Identifier, "authorizeConnection")
  .annotate(OpenApi.Summary, "Authorize the service for the zone, or choose to enter the records by hand")
  .annotate(
    OpenApi.Description,
    [
      "Chooses how the records get into the zone, by a `method` that `provider.availableAuthorizationMethods` of the connection lists. With `manual` the customer enters them. With `direct_credential` the service does, by a credential of the customer; with `oauth2_pkce` too, after the customer has signed in at the provider. With `domain_connect` the provider does, after a consent on its own page; `provider.domainConnect` says what it would remove, and the records are watched from the moment in which the customer comes back.",
      "A credential is encrypted at once and deleted when it is no longer needed, and so is an OAuth token. The zone is then read at the provider and planned again."
    ].join("\n\n")
  )

const provider = declareCommand("provider", "provider")
  .setHeaders(planningHeaders)
  .setPayload(
    Schema.Struct({
      provider: boundedString(100).annotations({
        description: "The `id` of one of `provider.detection.candidates`, or `unknown` for any other provider."
      })
    }).annotations({ identifier: "ProviderSelection", ...strictParsing })
  )
  .addError(unprocessableSelection)
  .pipe(allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Identifier, "selectProvider")
  .annotate(OpenApi.Summary, "Say which provider runs the zone")
  .annotate(
    OpenApi.Description,
    "For a connection with `provider.detection.candidates`: several providers use the name servers of its domain, and the zone does not tell whose it is. The answer of the customer leads to the ways and the guide of that provider, and the domain is planned again; another answer may follow while the connection waits for the customer. A credential proves the answer: where the provider does not have the zone, the connection fails with `authorization_zone_mismatch`."
  )

const ApprovalRequest = Schema.Struct({
  digest: PlanDigest,
  acknowledge,
  putBack: Schema.optionalWith(
    boundedArray(RecordReference, { max: 200 }).annotations({
      description:
        "Those of the connection's `leftovers` that the restore shall put back nevertheless: a new plan is made, which needs its own approval."
    }),
    { exact: true }
  )
}).annotations({ identifier: "ApprovalRequest", ...strictParsing })
export type ApprovalRequest = typeof ApprovalRequest.Type

const approval = declareCommand("approval", "approval")
  .setHeaders(planningHeaders)
  .setPayload(ApprovalRequest)
  .addError(oneOf(approvalConflict, unprocessableApproval))
  .pipe(allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Identifier, "approvePlan")
  .annotate(OpenApi.Summary, "Approve exactly this plan")
  .annotate(
    OpenApi.Description,
    "`digest` is `plan.digest` of the connection: it names exactly the changes that the customer has seen. Serious warnings of the plan must be acknowledged by name, else 409 `acknowledgement_required` lists them."
  )

const recheck = declareCommand("recheck", "recheck")
  .pipe(allowServersAndHelpers("connections:write"))
  .annotate(OpenApi.Identifier, "recheckConnection")
  .annotate(OpenApi.Summary, "Verify now")
  .annotate(
    OpenApi.Description,
    "Queries the servers at once; for an active connection a missing record then counts without a second check."
  )

const retry = declareCommand("retry", "retry")
  .setHeaders(planningHeaders)
  .addError(oneOf(retryConflict, creationLimited))
  .pipe(allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Identifier, "retryConnection")
  .annotate(OpenApi.Summary, "Try again, or repair")
  .annotate(
    OpenApi.Description,
    "A failed connection resumes at `failure.resumeState`; for a degraded one the domain is read and planned again."
  )

const cancel = declareCommand("cancel", "cancel")
  .addError(cancelConflict)
  .pipe(allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Identifier, "cancelConnection")
  .annotate(OpenApi.Summary, "Stop before anything is written")
  .annotate(
    OpenApi.Description,
    "Once records may have been written, 409 `records_written`: disconnect removes them. A `pendingIntent` is given up instead, and the connection returns to the intent that counts."
  )

const disconnect = declareCommand("disconnect", "disconnect")
  .setHeaders(planningHeaders)
  .pipe(allowServers("connections:write"))
  .annotate(OpenApi.Identifier, "disconnectConnection")
  .annotate(OpenApi.Summary, "Remove the records and end the connection")
  .annotate(
    OpenApi.Description,
    "Removes the records that this connection added and restores those that it replaced, where that is safe. Without a valid credential the connection waits for a new authorization, in the direction `restore`."
  )

const update = HttpApiEndpoint.patch("update", "/v1/connections/:connectionId")
  .setPath(connectionPath)
  .setHeaders(planningHeaders)
  .setPayload(
    Schema.Struct({
      intent: optional(IntentRequest),
      externalId: removable(ExternalId),
      metadata: removable(Metadata),
      allowDuplicate: AllowDuplicate
    })
      .annotations(strictParsing)
      .pipe(
        Schema.filter(
          ({ externalId, intent, metadata }) =>
            [externalId, intent, metadata].some((field) => field !== undefined) ||
            "must have intent, externalId or metadata"
        )
      )
      .annotations({ identifier: "UpdateConnectionRequest", ...strictParsing })
  )
  .addSuccess(ConnectionBody)
  .addError(
    oneOf(
      invalidBody,
      connectionNotFound,
      updateConflict,
      connectionChanged,
      unprocessableCreation,
      creationLimited,
      unavailable
    )
  )
  .pipe(allowServers("connections:write"))
  .annotate(OpenApi.Identifier, "updateConnection")
  .annotate(OpenApi.Summary, "Change the intent of a connection, or what the platform attached to it")
  .annotate(
    OpenApi.Description,
    [
      "Changes the fields in the body and leaves the others.",
      "`externalId` and `metadata` can be changed until the connection has ended. `null` removes what is there, and a map takes the place of all metadata. That makes no plan, and no webhook event reports it.",
      "`intent` gives the connection another intent for the same domain. Before anything is in the zone, it takes the place of the old one at once. Later it waits as `pendingIntent`, and the old intent counts until the new one is applied. Its plan also removes what only the old intent required, and brings back what that had replaced. It needs an authorization and an approval like any plan; `cancel` gives it up.",
      "409 `connection_exists`: another connection of the tenant has the new intent, or changes to it. 409 `external_id_taken`: one has the external id."
    ].join("\n\n")
  )

/** The commands on a connection: authorization, approval, retries, changes, and its end. */
export class LifecycleApi extends HttpApiGroup.make("lifecycle")
  .add(authorization)
  .add(provider)
  .add(approval)
  .add(recheck)
  .add(retry)
  .add(update)
  .add(cancel)
  .add(disconnect)
  .annotate(OpenApi.Title, "Lifecycle")
  .annotate(
    OpenApi.Description,
    "The commands on a connection: authorization, approval, retries, changes, and its end."
  ) {}
