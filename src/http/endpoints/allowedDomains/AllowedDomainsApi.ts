import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { boundedString } from "../../../domain/values/boundedSchemas.ts"
import { defineErrorResponse, oneOf } from "../../contract/defineErrorResponse.ts"
import { DomainNotAllowed } from "../../contract/errorResponses.ts"
import { invalidRequest, rateLimited, unauthenticated, unavailable } from "../../contract/operationErrors.ts"

const domainNotAllowed = defineErrorResponse(
  "No connection of the application serves this host by an address or a CNAME.",
  [DomainNotAllowed]
)

const ask = HttpApiEndpoint.get("ask", "/v1/domains/allowed/:askSecret")
  .setPath(
    Schema.Struct({
      askSecret: Schema.Redacted(boundedString(1_000)).annotations({
        description: "The ask secret of the application, which the log and the traces leave out."
      })
    })
  )
  .setUrlParams(
    Schema.Struct({
      domain: boundedString(1_000).annotations({ description: "The host for which a certificate is requested." })
    })
  )
  .addSuccess(
    Schema.Struct({ allowed: Schema.Literal(true) }).annotations({
      identifier: "AllowedDomainBody",
      description: "The application serves this host."
    })
  )
  .addError(oneOf(invalidRequest, unauthenticated, domainNotAllowed, rateLimited, unavailable))
  .annotate(OpenApi.Identifier, "askForDomain")
  .annotate(OpenApi.Summary, "Ask whether the application serves a host")
  .annotate(
    OpenApi.Description,
    "For the on-demand TLS of a web server, such as `ask` of Caddy: 200 if an `active` connection has an A, AAAA or CNAME record at the host, or at the wildcard beside it, or goes on serving it while it changes to a new intent (`allowedNames`), else 404. Letter case, script and a trailing dot do not count."
  )

/** Which hosts a web server may get a certificate for. */
export class AllowedDomainsApi extends HttpApiGroup.make("allowedDomains")
  .add(ask)
  .annotate(OpenApi.Title, "Allowed domains")
  .annotate(OpenApi.Description, "Which hosts a web server may get a certificate for.") {}
