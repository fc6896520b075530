import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { AskSecrets, isAskSecret } from "../../../administration/AskSecrets.ts"
import { Api } from "../Api.ts"
import { DomainNotAllowed } from "../../contract/errorResponses.ts"
import { dieOnStoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { CredentialGate } from "../../../limits/CredentialGate.ts"
import { askSource } from "../../../limits/RequestSource.ts"
import { Exchange } from "../../pipeline/Exchange.ts"
import { explainUnauthenticated } from "../../pipeline/requiredCredential.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"

/** Answers whether an application serves a host. A valid secret has no rate: 429 would fail a first visit. */
export const AllowedDomainsHandlers = HttpApiBuilder.group(
  Api,
  "allowedDomains",
  Effect.fnUntraced(function* (handlers) {
    const askSecrets = yield* AskSecrets
    const gate = yield* CredentialGate

    return yield* handlers
      .handle(
        "ask",
        Effect.fnUntraced(function* ({ path: { askSecret }, urlParams: { domain } }) {
          const exchange = yield* Exchange
          const { isAllowed } = yield* gate
            .check(exchange, {
              credential: askSecret,
              isWellFormed: isAskSecret(askSecret),
              verification: dieOnStoreUnavailable(askSecrets.ask(askSecret, domain)),
              sourceOf: ({ applicationId }) => askSource(applicationId)
            })
            .pipe(Effect.catchTag("Unauthenticated", () => explainUnauthenticated(exchange, "askSecret")))
          return isAllowed ? { allowed: true as const } : yield* DomainNotAllowed.error
        })
      )
      .pipe(serveEndpoints)
  })
)
