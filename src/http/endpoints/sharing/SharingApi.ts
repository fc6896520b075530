import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BrowserRole } from "../../../domain/access/BrowserRole.ts"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { BrowserTokenBody } from "../connections/ConnectionsApi.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import {
  connectionEnded,
  invalidBody,
  connectionNotFound,
  rateLimited,
  unauthenticated,
  unavailable
} from "../../contract/operationErrors.ts"
import { connectionPath, strictParsing } from "../../contract/requestSchemas.ts"
import { allowServersAndBrowsers, HostedPageOnly } from "../../contract/securitySchemes.ts"
import { boundedString } from "../../../domain/values/boundedSchemas.ts"

const ShareLinkBody = Schema.Struct({
  path: Schema.Redacted(Schema.String).annotations({
    description: "The path of the link on this service, such as `/connect#dcs_…`. Shown only once."
  }),
  expiresAt: Timestamp
}).annotations(HttpApiSchema.annotations({ identifier: "ShareLink", description: "The link.", status: 201 }))

const share = HttpApiEndpoint.post("share", "/v1/connections/:connectionId/share-link")
  .setPath(connectionPath)
  .addSuccess(ShareLinkBody)
  .addError(oneOf(invalidBody, connectionNotFound, connectionEnded))
  .pipe(allowServersAndBrowsers("tokens:issue"))
  .annotate(OpenApi.Identifier, "createShareLink")
  .annotate(OpenApi.Summary, "Make a link to the hosted page")
  .annotate(
    OpenApi.Description,
    "Opens this one connection on a page of the service, any number of times and on any device, until the connection is active or has ended, for 30 days at most. With an API key it is a link for the customer, who may do there what a browser token allows. With a browser token it is a link for a helper, who may read the connection and have it checked: what is allowed and approved stays with the customer."
  )

const revokeLinks = HttpApiEndpoint.del("revokeLinks", "/v1/connections/:connectionId/share-link")
  .setPath(connectionPath)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "No link of the connection opens any more." }))
  .addError(oneOf(invalidBody, connectionNotFound, unavailable))
  .pipe(allowServersAndBrowsers("tokens:issue"))
  .annotate(OpenApi.Identifier, "revokeShareLinks")
  .annotate(OpenApi.Summary, "Revoke the links to a connection")
  .annotate(
    OpenApi.Description,
    "From the next request on, no link of the connection opens, and what links opened is closed. Other browser tokens stay valid."
  )

const redeem = HttpApiEndpoint.post("redeem", "/v1/share-links/redeem")
  .setPayload(
    Schema.Struct({ code: Schema.Redacted(boundedString(100)) }).annotations({
      identifier: "RedeemRequest",
      ...strictParsing
    })
  )
  .addSuccess(
    Schema.Struct({
      connectionId: ConnectionId,
      role: BrowserRole.annotations({ description: "Whose session it is: the customer's, or that of a helper." }),
      ...BrowserTokenBody.fields
    }).annotations(HttpApiSchema.annotations({ identifier: "RedeemedLink", description: "The token.", status: 201 }))
  )
  .addError(oneOf(invalidBody, unauthenticated, rateLimited))
  .middleware(HostedPageOnly)
  .annotate(OpenApi.Identifier, "redeemShareLink")
  .annotate(OpenApi.Summary, "Exchange the code of a link for a browser token")
  .annotate(
    OpenApi.Description,
    "Only for the hosted page: the request must come from a page of this service, and the token is bound to its origin."
  )

/** Share links to the hosted page: for customers who are not on a page of the platform, and for those who help them. */
export class SharingApi extends HttpApiGroup.make("sharing")
  .add(share)
  .add(revokeLinks)
  .add(redeem)
  .annotate(OpenApi.Title, "Sharing")
  .annotate(OpenApi.Description, "Links to the hosted page, for customers elsewhere and for those who help them.") {}
