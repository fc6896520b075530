import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { AskSecrets, isAskSecret } from "../../administration/AskSecrets.ts"
import { Api } from "../contract/Api.ts"
import { dieOnStoreUnavailable, DomainNotAllowed } from "../contract/errorResponses.ts"
import { CredentialGate } from "../middleware/CredentialGate.ts"
import { askSource } from "../middleware/RequestSource.ts"
import { RouteTable } from "../middleware/RouteTable.ts"
import { requireKnownParameters } from "../middleware/requireKnownParameters.ts"
import { nameRequiredCredential } from "../requiredCredential.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"

/**
 * Handles the question of a web server whether an application serves a host. A valid ask secret has no rate: a customer's
 * first visit would fail by the 429.
 */
export const AllowedDomainsHandlers = HttpApiBuilder.group(
  Api,
  "allowedDomains",
  Effect.fnUntraced(function* (handlers) {
    const askSecrets = yield* AskSecrets
    const gate = yield* CredentialGate
    const routes = yield* RouteTable

    return yield* handlers
      .handle(
        "ask",
        Effect.fnUntraced(function* ({ path: { askSecret }, urlParams: { domain } }) {
          const request = yield* HttpServerRequest.HttpServerRequest
          yield* requireKnownParameters(routes)
          const answer = isAskSecret(askSecret)
            ? gate.check(
                request,
                askSecret,
                dieOnStoreUnavailable(askSecrets.ask(askSecret, domain)),
                ({ applicationId }) => askSource(applicationId)
              )
            : gate.refuseMalformed(request)
          const { isAllowed } = yield* nameRequiredCredential(request, "askSecret")(answer)
          return isAllowed ? { allowed: true as const } : yield* DomainNotAllowed.error
        })
      )
      .pipe(compileHandlers)
  })
)
