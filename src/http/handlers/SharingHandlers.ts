import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Either, Redacted } from "effect"
import { parseOrigin } from "../../domain/Origin.ts"
import { BrowserTokens } from "../../security/BrowserTokens.ts"
import { Api } from "../contract/Api.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { Forbidden } from "../contract/errors.ts"

/** Links to the hosted page, and what their codes are exchanged for. */
export const SharingHandlers = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* BrowserTokens

    return handlers
      .handle("share", ({ path: { connectionId } }) =>
        Effect.gen(function* () {
          const { keyId, tenancy } = yield* ServerCaller
          const { expiresAt, token } = yield* tokens.issueShareCode(tenancy, { connectionId, apiKeyId: keyId })
          return { path: Redacted.make(`/connect#${Redacted.value(token)}`), expiresAt }
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
      .handle("redeem", ({ payload }) =>
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          // Browsers say this themselves, and no page can (Fetch Metadata): so the origin is ours, by whatever name.
          if (headers["sec-fetch-site"] !== "same-origin") return yield* foreignPage
          const origin = yield* Either.mapLeft(parseOrigin(headers["origin"] ?? ""), () => foreignPage)
          const { connectionId, expiresAt, token } = yield* tokens.redeemShareCode(payload.code, origin)
          return { connectionId, accessToken: token, tokenType: "Bearer" as const, expiresAt }
        }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))
      )
  })
)

const foreignPage = new Forbidden({
  code: "origin_not_allowed",
  message: "a link is opened on the page of this service only"
})
