import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Failure, FailureCode, OptionalFailure } from "../../../domain/connection/Connection.ts"
import { optionalFailureDetails, PlanDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { HostHolding } from "../../../domain/connection/Control.ts"
import { IntentRequest } from "../../../domain/connection/Intent.ts"
import { Provider } from "../../../domain/provider/Provider.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import { checkUnavailable, invalidBody, unavailable, unprocessableIntent } from "../../contract/operationErrors.ts"
import { strictParsing } from "../../contract/requestSchemas.ts"
import { allowServers } from "../../contract/securitySchemes.ts"

const list = HttpApiEndpoint.get("providers", "/v1/providers")
  .addSuccess(
    Schema.Struct({ providers: Schema.Array(Provider) }).annotations({
      identifier: "ProviderListBody",
      description: "Every provider that the service recognizes."
    })
  )
  .addError(unavailable)
  .pipe(allowServers("connections:read"))
  .annotate(OpenApi.Identifier, "listProviders")
  .annotate(OpenApi.Summary, "List the providers")
  .annotate(OpenApi.Description, "Those that the operator declared, then those of the catalog.")

/** The preview of a connection of a domain, or the reason why there is none. */
export const DomainCheck = Schema.Struct({
  domain: Schema.String,
  heldBy: HostHolding,
  provider: Schema.optionalWith(Provider, { exact: true }),
  plan: Schema.optionalWith(PlanDocument.pipe(Schema.omit("expiresAt")), { exact: true }),
  optionalFailures: Schema.Array(OptionalFailure),
  optionalFailureDetails,
  failure: Schema.optionalWith(
    Schema.Struct({
      code: FailureCode,
      retryable: Schema.Boolean,
      message: Schema.String.annotations({ description: "A sentence for people." }),
      details: Failure.fields.details
    }),
    { exact: true }
  )
}).annotations({ identifier: "DomainCheck", description: "What was found." })

const check = HttpApiEndpoint.post("checkDomain", "/v1/domains/check")
  .setPayload(
    Schema.Struct({
      ...IntentRequest.fields,
      records: Schema.optionalWith(IntentRequest.fields.records, { exact: true })
    }).annotations({ identifier: "DomainCheckRequest", ...strictParsing })
  )
  .addSuccess(DomainCheck)
  .addError(oneOf(invalidBody, unprocessableIntent, checkUnavailable))
  .pipe(allowServers("connections:read"))
  .annotate(OpenApi.Identifier, "checkDomain")
  .annotate(OpenApi.Summary, "Check a domain without connecting it")
  .annotate(
    OpenApi.Description,
    "Reports its provider, the capabilities of that provider, how the customer could authorize the service, whether hosts of the domain are held in this application and, if records are named, what would change."
  )

/** The known providers, and the check of a domain before it is connected. */
export class ProvidersApi extends HttpApiGroup.make("providers")
  .add(list)
  .add(check)
  .annotate(OpenApi.Title, "Providers and domains")
  .annotate(OpenApi.Description, "The known providers, and the check of a domain before it is connected.") {}
