import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Either, Redacted } from "effect"
import { parseOrigin } from "../../domain/Origin.ts"
import { BrowserTokens } from "../../security/BrowserTokens.ts"
import { Api } from "../contract/Api.ts"
import { dieOnStoreUnavailable, Forbidden } from "../contract/errorResponses.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { CredentialGate } from "../middleware/CredentialGate.ts"
import { browserSource } from "../middleware/RequestSource.ts"

/** Handles the links to the hosted page, and the exchange of their codes for browser tokens. */
export const SharingHandlers = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const gate = yield* CredentialGate
    const tokens = yield* BrowserTokens

    return handlers
      .handle(
        "share",
        Effect.fnUntraced(function* ({ path: { connectionId } }) {
          const { keyId, tenancy } = yield* ServerCaller
          const { expiresAt, token } = yield* tokens.issueShareCode(tenancy, { connectionId, apiKeyId: keyId })
          return { path: Redacted.make(`/connect#${Redacted.value(token)}`), expiresAt }
        }, dieOnStoreUnavailable)
      )
      .handle(
        "redeem",
        Effect.fnUntraced(function* ({ payload }) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { headers } = request
          // Browsers set this header, pages cannot (Fetch Metadata): so the origin is this service, by whatever name.
          if (headers["sec-fetch-site"] !== "same-origin") return yield* notFromHostedPage
          const origin = yield* Either.mapLeft(parseOrigin(headers["origin"] ?? ""), () => notFromHostedPage)
          const { connectionId, expiresAt, tenancy, token } = yield* gate.check(
            request,
            payload.code,
            dieOnStoreUnavailable(tokens.redeemShareCode(payload.code, origin)),
            () => undefined
          )
          gate.trust(token, origin, browserSource(tenancy, connectionId))
          return { connectionId, accessToken: token, tokenType: "Bearer" as const, expiresAt }
        })
      )
  })
)

const notFromHostedPage = new Forbidden({
  code: "origin_not_allowed",
  message: "a link is opened on the page of this service only"
})
