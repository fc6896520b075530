import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { actAs } from "../../../domain/access/Actor.ts"
import { ApplicationStore } from "../../../persistence/stores/access/ApplicationStore.ts"
import { HostedPageLogos } from "../../../security/HostedPageLogos.ts"
import { BrowserTokens, isShareCode } from "../../../security/BrowserTokens.ts"
import { PublicUrl } from "../../PublicUrl.ts"
import { actorOf, Exchange } from "../../pipeline/Exchange.ts"
import { Api } from "../Api.ts"
import { dieOnStoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { Caller, HostedPageOrigin } from "../../contract/securitySchemes.ts"
import { CredentialGate } from "../../../limits/CredentialGate.ts"
import { RateLimiter } from "../../../limits/RateLimiter.ts"
import { browserSource } from "../../../limits/RequestSource.ts"
import { countRequest, findExceeded } from "../../pipeline/admit.ts"
import { requireConnection } from "../../pipeline/authenticate.ts"
import { explainUnauthenticated } from "../../pipeline/requiredCredential.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"

export const SharingHandlers = HttpApiBuilder.group(
  Api,
  "sharing",
  Effect.fnUntraced(function* (handlers) {
    const gate = yield* CredentialGate
    const rateLimiter = yield* RateLimiter
    const tokens = yield* BrowserTokens
    const connectPath = (yield* PublicUrl).pathOf("/connect")
    const applications = yield* ApplicationStore
    const logos = yield* HostedPageLogos

    return yield* handlers
      .handle(
        "share",
        Effect.fnUntraced(function* ({ path: { connectionId } }) {
          yield* requireConnection
          const { keyId, origin, tenancy } = yield* Caller
          const role = Option.isSome(origin) ? "helper" : "customer"
          const { expiresAt, token } = yield* tokens.issueShareCode(tenancy, { connectionId, apiKeyId: keyId, role })
          const { logoUrl } = yield* applications.findSettings(tenancy.applicationId)
          const query = logoUrl === undefined ? "" : yield* logos.queryOf(logoUrl)
          return { path: Redacted.make(`${connectPath}${query}#${Redacted.value(token)}`), expiresAt }
        }, dieOnStoreUnavailable)
      )
      .handle(
        "revokeLinks",
        Effect.fnUntraced(function* ({ path: { connectionId } }) {
          yield* requireConnection
          const { tenancy } = yield* Caller
          yield* tokens.revokeShareCodes(tenancy, connectionId)
        }, dieOnStoreUnavailable)
      )
      .handle(
        "redeem",
        Effect.fnUntraced(function* ({ payload }) {
          const exchange = yield* Exchange
          const origin = yield* HostedPageOrigin
          const exceeded = findExceeded(exchange, gate.findKnown(exchange, payload.code), rateLimiter)
          if (exceeded !== undefined) return yield* exceeded
          const { connectionId, expiresAt, role, tenancy, token } = yield* gate
            .check(exchange, {
              credential: payload.code,
              isWellFormed: isShareCode(payload.code),
              verification: dieOnStoreUnavailable(tokens.redeemShareCode(payload.code, origin)).pipe(
                actAs(actorOf(exchange, { type: "share_link", id: "unknown" }))
              ),
              sourceOf: ({ connectionId, tenancy }) => browserSource(tenancy, connectionId)
            })
            .pipe(Effect.catchTag("Unauthenticated", () => explainUnauthenticated(exchange, "shareCode")))
          const source = browserSource(tenancy, connectionId)
          // A link opens often: its openings count as requests of its connection.
          yield* countRequest(exchange, source, rateLimiter) ?? Effect.void
          gate.trust(token, origin, source)
          return { connectionId, role, accessToken: token, tokenType: "Bearer" as const, expiresAt }
        })
      )
      .pipe(serveEndpoints)
  })
)
