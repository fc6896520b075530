import { HttpApiBuilder } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { toOptionalFailureDetails, toPlanDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { describeProblems, type ErrorDetail, limitErrorDetails } from "../../../domain/error/ErrorDetail.ts"
import { Provider } from "../../../domain/provider/Provider.ts"
import { withoutValidation } from "../../../domain/values/boundedSchemas.ts"
import { Unprocessable } from "../../../lifecycle/commands/commandErrors.ts"
import { resolveAllowedIntent } from "../../../lifecycle/plan/AllowedDomains.ts"
import { DomainChecks } from "../../../lifecycle/plan/DomainChecks.ts"
import type { FailureCause } from "../../../lifecycle/state/LifecycleEvent.ts"
import { describeRefusal } from "../../../lifecycle/state/failureDetails.ts"
import { explainFailure } from "../../../lifecycle/state/failures.ts"
import { Providers } from "../../../providers/Providers.ts"
import { describeListing } from "../../../providers/catalog/describeListing.ts"
import { catalogIds } from "../../../providers/catalog/makeCatalogProviders.ts"
import { Api } from "../Api.ts"
import { ServerCaller } from "../../contract/securitySchemes.ts"
import { releasePermit } from "../../../limits/ConcurrencyLimiter.ts"
import { Exchange } from "../../pipeline/Exchange.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"

export const ProvidersHandlers = HttpApiBuilder.group(
  Api,
  "providers",
  Effect.fnUntraced(function* (handlers) {
    const providers = yield* Providers
    const { findHolding, preview } = yield* DomainChecks
    const resolveRequest = yield* resolveAllowedIntent

    return yield* handlers
      .handle("providers", () =>
        Effect.map(
          Effect.forEach(providers.all, (provider) =>
            Effect.map(
              providers.healthOf(provider.id),
              Option.match({
                onNone: () => withListing(provider),
                onSome: (health) => new Provider({ ...withListing(provider), health }, withoutValidation)
              })
            )
          ),
          (providers) => ({ providers })
        )
      )
      .handle("checkDomain", ({ payload: { records = [], ...request } }) =>
        Effect.gen(function* () {
          const intent = yield* Either.mapLeft(resolveRequest({ ...request, records }), (issues) => {
            const details = limitErrorDetails(issues).map(pointIntoBody)
            return new Unprocessable({
              code: "unprocessable",
              message: describeProblems("the request", details, issues.length),
              details
            })
          })
          const { domain } = intent
          const { tenancy } = yield* ServerCaller
          releasePermit(yield* Exchange)
          const heldBy = yield* findHolding(tenancy, domain)
          const previewed = yield* preview(tenancy, intent).pipe(
            Effect.map(Either.right),
            Effect.catchTag("ZoneSurveyFailed", (failed) => Effect.succeed(Either.left(failed)))
          )
          if (Either.isLeft(previewed)) {
            const { provider, ...failure } = previewed.left
            return {
              domain,
              heldBy,
              ...(Option.isSome(provider) ? { provider: provider.value } : {}),
              ...toFailureBody(failure)
            }
          }
          const { planned, provider } = previewed.right
          if (Either.isLeft(planned)) {
            const { code } = planned.left
            return { domain, heldBy, provider, ...toFailureBody({ code, details: describeRefusal(planned.left) }) }
          }
          const { optionalFailures, plan } = planned.right
          return {
            domain,
            heldBy,
            provider,
            plan: toPlanDocument(plan, domain),
            optionalFailures,
            optionalFailureDetails: toOptionalFailureDetails(optionalFailures, domain, plan.zone)
          }
        })
      )
      .pipe(serveEndpoints)
  })
)

const withListing = (provider: Provider): Provider =>
  catalogIds.has(provider.id)
    ? new Provider({ ...provider, listing: describeListing(provider.id) }, withoutValidation)
    : provider

/** The body of a check is the intent itself. */
const pointIntoBody = ({ conflictsWith, pointer, ...detail }: ErrorDetail): ErrorDetail => ({
  ...detail,
  pointer: withoutIntent(pointer),
  ...(conflictsWith === undefined ? {} : { conflictsWith: withoutIntent(conflictsWith) })
})

const withoutIntent = (pointer: string): string => pointer.replace(/^\/intent/, "")

const toFailureBody = (cause: FailureCause) => ({
  failure: explainFailure(cause),
  optionalFailures: [],
  optionalFailureDetails: []
})
