import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { actAs } from "../../domain/Actor.ts"
import { BrowserTokens, isShareCode } from "../../security/BrowserTokens.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { actorOfRequest } from "../actorOfRequest.ts"
import { Api } from "../contract/Api.ts"
import { dieOnStoreUnavailable } from "../contract/errorResponses.ts"
import { HostedPageOrigin, ServerCaller } from "../contract/securitySchemes.ts"
import { CredentialGate } from "../middleware/CredentialGate.ts"
import { browserSource } from "../middleware/RequestSource.ts"
import { requireEmptyBody } from "../middleware/limitJsonBody.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"

/** Handles the links to the hosted page, and the exchange of their codes for browser tokens. */
export const SharingHandlers = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const gate = yield* CredentialGate
    const tokens = yield* BrowserTokens
    const connectPath = (yield* PublicUrl).pathOf("/connect")

    return yield* handlers
      .handle(
        "share",
        Effect.fnUntraced(function* ({ path: { connectionId } }) {
          const { keyId, tenancy } = yield* ServerCaller
          yield* requireEmptyBody
          const { expiresAt, token } = yield* tokens.issueShareCode(tenancy, { connectionId, apiKeyId: keyId })
          return { path: Redacted.make(`${connectPath}#${Redacted.value(token)}`), expiresAt }
        }, dieOnStoreUnavailable)
      )
      .handle(
        "redeem",
        Effect.fnUntraced(function* ({ payload }) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const origin = yield* HostedPageOrigin
          yield* gate.requireForm(request, isShareCode(payload.code))
          const { connectionId, expiresAt, tenancy, token } = yield* gate.check(
            request,
            payload.code,
            dieOnStoreUnavailable(tokens.redeemShareCode(payload.code, origin)).pipe(
              actAs(actorOfRequest(gate, request, { type: "share_link", id: "unknown" }))
            ),
            () => undefined
          )
          gate.trust(token, origin, browserSource(tenancy, connectionId))
          return { connectionId, accessToken: token, tokenType: "Bearer" as const, expiresAt }
        })
      )
      .pipe(compileHandlers)
  })
)
