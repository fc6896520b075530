import { HttpApiBuilder } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { actAs } from "../../../domain/access/Actor.ts"
import { ApplicationStore } from "../../../persistence/stores/access/ApplicationStore.ts"
import { HostedPageLogos } from "../../../security/HostedPageLogos.ts"
import { BrowserTokens, isShareCode } from "../../../security/BrowserTokens.ts"
import { PublicUrl } from "../../PublicUrl.ts"
import { actorOf, Exchange } from "../../pipeline/Exchange.ts"
import { Api } from "../Api.ts"
import { dieOnStoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { HostedPageOrigin, ServerCaller } from "../../contract/securitySchemes.ts"
import { CredentialGate } from "../../../limits/CredentialGate.ts"
import { browserSource } from "../../../limits/RequestSource.ts"
import { explainUnauthenticated } from "../../pipeline/requiredCredential.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"

/** Handles the links to the hosted page, and the exchange of their codes for browser tokens. */
export const SharingHandlers = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const gate = yield* CredentialGate
    const tokens = yield* BrowserTokens
    const connectPath = (yield* PublicUrl).pathOf("/connect")
    const applications = yield* ApplicationStore
    const logos = yield* HostedPageLogos

    return yield* handlers
      .handle(
        "share",
        Effect.fnUntraced(function* ({ path: { connectionId } }) {
          const { keyId, tenancy } = yield* ServerCaller
          const { expiresAt, token } = yield* tokens.issueShareCode(tenancy, { connectionId, apiKeyId: keyId })
          const { logoUrl } = yield* applications.findSettings(tenancy.applicationId)
          const query = logoUrl === undefined ? "" : yield* logos.queryOf(logoUrl)
          return { path: Redacted.make(`${connectPath}${query}#${Redacted.value(token)}`), expiresAt }
        }, dieOnStoreUnavailable)
      )
      .handle(
        "redeem",
        Effect.fnUntraced(function* ({ payload }) {
          const exchange = yield* Exchange
          const origin = yield* HostedPageOrigin
          const { connectionId, expiresAt, tenancy, token } = yield* gate
            .check(exchange, {
              credential: payload.code,
              isWellFormed: isShareCode(payload.code),
              verification: dieOnStoreUnavailable(tokens.redeemShareCode(payload.code, origin)).pipe(
                actAs(actorOf(exchange, { type: "share_link", id: "unknown" }))
              )
            })
            .pipe(Effect.catchTag("Unauthenticated", () => explainUnauthenticated(exchange, "shareCode")))
          gate.trust(token, origin, browserSource(tenancy, connectionId))
          return { connectionId, accessToken: token, tokenType: "Bearer" as const, expiresAt }
        })
      )
      .pipe(serveEndpoints)
  })
)
