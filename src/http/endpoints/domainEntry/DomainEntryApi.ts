import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ConnectionId, FailureCode } from "../../../domain/connection/Connection.ts"
import { ExternalId } from "../../../domain/connection/PlatformFields.ts"
import { boundedString, optional } from "../../../domain/values/boundedSchemas.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import {
  checkUnavailable,
  creationLimited,
  entryConflict,
  invalidBody,
  invalidRequest,
  invalidTokenRequest,
  unavailable,
  unprocessableCreation,
  unprocessableEntry
} from "../../contract/operationErrors.ts"
import { strictParsing } from "../../contract/requestSchemas.ts"
import { allowDomainEntry, allowServers } from "../../contract/securitySchemes.ts"
import { BrowserTokenBody, PlatformBody } from "../connections/ConnectionsApi.ts"

const issueToken = HttpApiEndpoint.post("issueToken", "/v1/domain-entry/access-token")
  .setPayload(
    Schema.Struct({
      origin: boundedString(2_000).annotations({
        description: "The origin exactly as a browser sends it, for example `https://shop.example.com`."
      }),
      externalId: optional(ExternalId.annotations({ description: "The `externalId` that the connection gets." }))
    }).annotations({ identifier: "DomainEntryTokenRequest", ...strictParsing })
  )
  .addSuccess(BrowserTokenBody)
  .addError(oneOf(invalidTokenRequest, unprocessableEntry))
  .pipe(allowServers("connections:write"))
  .annotate(OpenApi.Identifier, "issueDomainEntryToken")
  .annotate(OpenApi.Summary, "Issue a token to type a domain")
  .annotate(
    OpenApi.Description,
    "A short-lived bearer token with which a customer, on pages of this exact origin, creates one connection: of the domain that they type, and of the records that the `recordTemplate` of the application gives for it."
  )

const getPlatform = HttpApiEndpoint.get("getPlatform", "/v1/domain-entry/platform")
  .addSuccess(PlatformBody)
  .addError(oneOf(invalidRequest, unavailable))
  .pipe(allowDomainEntry)
  .annotate(OpenApi.Identifier, "getPlatformOfEntry")
  .annotate(OpenApi.Summary, "Read what customers see of the platform before they type a domain")
  .annotate(OpenApi.Description, "The name, logo and support addresses of the application of the token.")

const enteredDomain = boundedString(1_000).annotations({
  description: "What the customer typed: a domain or a name in it, in any script."
})

/** What a customer sees of a domain before it is connected. */
const DomainEntryCheck = Schema.Struct({
  name: Schema.String.annotations({ description: "The full name that would be connected, in A-labels." }),
  domain: Schema.String.annotations({ description: "The registrable domain that the name is in." }),
  host: Schema.String.annotations({ description: "The name relative to the domain; `@` is the domain itself." }),
  provider: optional(Schema.Struct({ id: Schema.String, name: Schema.String })),
  failure: optional(
    Schema.Struct({
      code: FailureCode,
      message: Schema.String.annotations({ description: "A sentence for people." })
    }).annotations({ description: "Why it cannot be connected now." })
  )
}).annotations({ identifier: "DomainEntryCheck", description: "What was found." })

const check = HttpApiEndpoint.post("check", "/v1/domain-entry/check")
  .setPayload(
    Schema.Struct({ domain: enteredDomain }).annotations({ identifier: "DomainEntryCheckRequest", ...strictParsing })
  )
  .addSuccess(DomainEntryCheck)
  .addError(oneOf(invalidBody, unprocessableEntry, checkUnavailable))
  .pipe(allowDomainEntry)
  .annotate(OpenApi.Identifier, "checkEnteredDomain")
  .annotate(OpenApi.Summary, "Check a domain that a customer has typed")
  .annotate(
    OpenApi.Description,
    "Reports who manages the domain, and whether it can be connected. Nothing is created. `suggestion` in the details of a 422 is the name that may be meant."
  )

const connect = HttpApiEndpoint.post("connect", "/v1/domain-entry")
  .setPayload(
    Schema.Struct({ domain: enteredDomain }).annotations({ identifier: "DomainEntryRequest", ...strictParsing })
  )
  .addSuccess(
    Schema.Struct({ connectionId: ConnectionId, ...BrowserTokenBody.fields }).annotations(
      HttpApiSchema.annotations({
        identifier: "EnteredConnection",
        description: "The connection, and a browser token for it.",
        status: 201
      })
    )
  )
  .addError(oneOf(invalidBody, entryConflict, unprocessableCreation, creationLimited))
  .pipe(allowDomainEntry)
  .annotate(OpenApi.Identifier, "connectEnteredDomain")
  .annotate(OpenApi.Summary, "Connect a domain that a customer has typed")
  .annotate(
    OpenApi.Description,
    "Creates the one connection of the token. The same domain again gives the same connection with another browser token; another domain is 422 `idempotency_key_reused`."
  )

/** The step in which a customer types the domain, for platforms that do not ask for it themselves. */
export class DomainEntryApi extends HttpApiGroup.make("domainEntry")
  .add(issueToken)
  .add(getPlatform)
  .add(check)
  .add(connect)
  .annotate(OpenApi.Title, "Domain entry")
  .annotate(
    OpenApi.Description,
    "The step in which a customer types the domain, for platforms that do not ask for it themselves."
  ) {}
