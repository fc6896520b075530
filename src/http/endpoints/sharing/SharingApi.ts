import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { BrowserTokenBody } from "../connections/ConnectionsApi.ts"
import { oneOf } from "../../contract/defineErrorResponse.ts"
import {
  connectionEnded,
  invalidBody,
  connectionNotFound,
  rateLimited,
  unauthenticated
} from "../../contract/operationErrors.ts"
import { connectionPath, strictParsing } from "../../contract/requestSchemas.ts"
import { allowServers, HostedPageOnly } from "../../contract/securitySchemes.ts"
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
  .pipe(allowServers("tokens:issue"))
  .annotate(OpenApi.Identifier, "createShareLink")
  .annotate(OpenApi.Summary, "Make a link to the hosted page")
  .annotate(
    OpenApi.Description,
    "For a customer who is not on one of your pages. The link opens this one connection, once, within 24 hours. Revoking the browser tokens of the connection revokes it too."
  )

const redeem = HttpApiEndpoint.post("redeem", "/v1/share-links/redeem")
  .setPayload(
    Schema.Struct({ code: Schema.Redacted(boundedString(100)) }).annotations({
      identifier: "RedeemRequest",
      ...strictParsing
    })
  )
  .addSuccess(
    Schema.Struct({ connectionId: ConnectionId, ...BrowserTokenBody.fields }).annotations(
      HttpApiSchema.annotations({ identifier: "RedeemedLink", description: "The token.", status: 201 })
    )
  )
  .addError(oneOf(invalidBody, unauthenticated, rateLimited))
  .middleware(HostedPageOnly)
  .annotate(OpenApi.Identifier, "redeemShareLink")
  .annotate(OpenApi.Summary, "Exchange the code of a link for a browser token")
  .annotate(
    OpenApi.Description,
    "Only for the hosted page: the request must come from a page of this service, and the token is bound to its origin."
  )

/** Share links to the hosted page, for platforms that do not embed the component. */
export class SharingApi extends HttpApiGroup.make("sharing")
  .add(share)
  .add(redeem)
  .annotate(OpenApi.Title, "Sharing")
  .annotate(OpenApi.Description, "Links to the hosted page, for platforms that embed nothing.") {}
