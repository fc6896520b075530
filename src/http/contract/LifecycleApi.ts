import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Connection } from "../../domain/Connection.ts"
import { PlanDigest, RecordReference, Warning } from "../../domain/Plan.ts"
import { ConnectionBody } from "./ConnectionsApi.ts"
import {
  ConflictResponse,
  InvalidRequestResponse,
  NotFoundResponse,
  PreconditionFailedResponse,
  UnavailableResponse,
  UnprocessableResponse
} from "./errorResponses.ts"
import { connectionPath, IdempotencyKeyHeader, IfMatchHeader, strictParsing } from "./requestSchemas.ts"
import { allowServers, allowServersAndBrowsers, ApiKeyAuth, CallerAuth, EndpointAccess } from "./securitySchemes.ts"

const headers = Schema.Struct({ "idempotency-key": IdempotencyKeyHeader, "if-match": IfMatchHeader })

/** What every command on a connection takes, and the connection that it answers with. */
const command = <const Name extends string>(name: Name, segment: string) =>
  commandOf(name, segment).addSuccess(ConnectionBody)

const commandOf = <const Name extends string>(name: Name, segment: string) =>
  HttpApiEndpoint.post(name, `/v1/connections/:connectionId/${segment}`)
    .setPath(connectionPath)
    .setHeaders(headers)
    .addError(NotFoundResponse)
    .addError(ConflictResponse)
    .addError(PreconditionFailedResponse)
    .addError(UnprocessableResponse)
    .addError(UnavailableResponse)

const acknowledge = Schema.optionalWith(
  Schema.Array(Warning).annotations({ description: "The grave consequences that whoever approves knows of." }),
  { exact: true }
)

const consent = {
  approvedDigest: Schema.optionalWith(
    PlanDigest.annotations({
      description: "Approves, ahead, the plan from the provider's zone, if it has this digest: one click, one consent."
    }),
    { exact: true }
  ),
  acknowledge
}

/** The fields of every kind of credential; which of them belong to the provider's kind says `authorizationInputs`. */
const CredentialInput = Schema.Record({
  key: Schema.String,
  value: Schema.String.pipe(Schema.maxLength(16_384))
}).annotations({
  identifier: "CredentialInput",
  description:
    "By the kind that the provider's `authorizationInputs.directCredential` names: `api_token` {apiToken}, `api_key_secret` {apiKey, apiSecret}, `username_api_key` {username, apiKey}, `access_key_secret` {accessKeyId, secretAccessKey}, `service_account` {json}, `tsig_key` {name, algorithm, secret}."
})

const ByHand = Schema.Struct({ method: Schema.Literal("manual") }).annotations({
  identifier: "ManualAuthorization",
  description: "The customer enters the records by hand."
})

const ByCredential = Schema.Struct({
  method: Schema.Literal("direct_credential"),
  credential: Schema.Redacted(CredentialInput),
  ...consent
}).annotations({
  identifier: "CredentialAuthorization",
  description: "The service enters the records with a credential of the customer."
})

const AtTheProvider = Schema.Struct({
  method: Schema.Literal("oauth2_pkce"),
  returnUrl: Schema.optionalWith(
    Schema.String.pipe(Schema.maxLength(2_000)).annotations({
      description:
        "Where the customer is led back to, with `connection` and `result` added: for a browser token a page of its origin, for an API key any https page."
    }),
    { exact: true }
  ),
  ...consent
}).annotations({
  identifier: "ProviderAuthorization",
  description: "The customer lets the service in at the provider (OAuth 2.0 with PKCE)."
})

const AuthorizationRequest = Schema.Union(ByHand, ByCredential, AtTheProvider).annotations(strictParsing)
export type AuthorizationRequest = typeof AuthorizationRequest.Type

const authorization = commandOf("authorization", "authorization")
  .setPayload(AuthorizationRequest)
  .addSuccess(
    Schema.Struct({
      connection: Connection,
      authorizeUrl: Schema.optionalWith(
        Schema.String.annotations({
          description:
            "Only with `oauth2_pkce`: where the customer's browser is to go now, by a click on a link or a redirect. Good for 15 minutes."
        }),
        { exact: true }
      )
    }).annotations({ identifier: "AuthorizationBody", description: "The connection, and where to go on." })
  )
  .addError(InvalidRequestResponse)
  .middleware(CallerAuth)
  .annotate(EndpointAccess, allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Summary, "Let the service into the zone, or choose to enter the records by hand")
  .annotate(
    OpenApi.Description,
    "A credential is sealed at once and wiped when it is no longer needed, and so is a token that the customer allows at the provider. The zone is then read at the provider and planned again."
  )

const ApprovalRequest = Schema.Struct({
  digest: PlanDigest,
  acknowledge,
  putBack: Schema.optionalWith(
    Schema.Array(RecordReference).pipe(Schema.maxItems(200)).annotations({
      description:
        "Of the connection's `leftovers`, what is to be put back all the same when it is taken out: another plan is made, which waits for its own approval."
    }),
    { exact: true }
  )
}).annotations({ identifier: "ApprovalRequest", ...strictParsing })
export type ApprovalRequest = typeof ApprovalRequest.Type

const approval = command("approval", "approval")
  .setPayload(ApprovalRequest)
  .middleware(CallerAuth)
  .annotate(EndpointAccess, allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Summary, "Approve exactly this plan")
  .annotate(
    OpenApi.Description,
    "The digest names the changes. Grave warnings of the plan have to be acknowledged by their names, else 409 `acknowledgement_required` lists them."
  )

const recheck = command("recheck", "recheck")
  .middleware(CallerAuth)
  .annotate(EndpointAccess, allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Summary, "Verify now")
  .annotate(
    OpenApi.Description,
    "Asks the servers at once; what an active connection lacks then counts without a second look."
  )

const retry = command("retry", "retry")
  .middleware(CallerAuth)
  .annotate(EndpointAccess, allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Summary, "Try again, or repair")
  .annotate(
    OpenApi.Description,
    "A failed connection goes on at `failure.resumeState`; for a degraded one the domain is looked at and planned anew."
  )

const cancel = command("cancel", "cancel")
  .middleware(CallerAuth)
  .annotate(EndpointAccess, allowServersAndBrowsers("connections:write"))
  .annotate(OpenApi.Summary, "Stop before anything is written")
  .annotate(
    OpenApi.Description,
    "Once something may have been written, 409 `records_written`: disconnect takes it out."
  )

const disconnect = command("disconnect", "disconnect")
  .middleware(ApiKeyAuth)
  .annotate(EndpointAccess, allowServers("connections:write"))
  .annotate(OpenApi.Summary, "Take the records out again and end")
  .annotate(
    OpenApi.Description,
    "Takes out what this connection put in and puts back what it replaced, where that is safe. Without a live credential the connection waits for a new authorization, in the direction `restore`."
  )

/** What moves a connection on: consent, retries, and its end. */
export class LifecycleApi extends HttpApiGroup.make("lifecycle")
  .add(authorization)
  .add(approval)
  .add(recheck)
  .add(retry)
  .add(cancel)
  .add(disconnect)
  .annotate(OpenApi.Title, "Lifecycle") {}
