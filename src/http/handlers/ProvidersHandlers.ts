import { HttpApiBuilder } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { resolveIntent } from "../../domain/Intent.ts"
import { Unprocessable } from "../../lifecycle/commands/commandErrors.ts"
import { ZoneSurvey } from "../../lifecycle/plan/ZoneSurvey.ts"
import { isRetryable } from "../../lifecycle/state/failures.ts"
import { Providers } from "../../providers/Providers.ts"
import { Api } from "../contract/Api.ts"

/** Who hosts domains, and what is known before a connection. */
export const ProvidersHandlers = HttpApiBuilder.group(
  Api,
  "providers",
  Effect.fnUntraced(function* (handlers) {
    const providers = yield* Providers
    const { survey } = yield* ZoneSurvey

    return handlers
      .handle("providers", () => Effect.succeed({ providers: providers.all }))
      .handle("checkDomain", ({ payload: { records = [], ...request } }) =>
        Effect.gen(function* () {
          const intent = yield* Either.mapLeft(
            resolveIntent({ ...request, records }),
            (issues) =>
              new Unprocessable({
                code: "unprocessable",
                message: "the request makes no sense",
                details: issues.map(({ pointer, ...issue }) => ({
                  ...issue,
                  pointer: pointer.replace(/^\/intent/, "")
                }))
              })
          )
          const { domain } = intent
          const surveyed = yield* Effect.either(survey(intent))
          if (Either.isLeft(surveyed)) {
            const { code, provider } = surveyed.left
            return { domain, ...(Option.isSome(provider) ? { provider: provider.value } : {}), ...failing(code) }
          }
          const { planned, provider, zone } = surveyed.right
          if (Either.isLeft(planned)) return { domain, provider, ...failing(planned.left.code) }
          const { changes, digest, optionalFailures, warnings } = planned.right
          return {
            domain,
            provider,
            plan: { digest, zone: zone.name, basis: zone.basis, changes, warnings },
            optionalFailures
          }
        })
      )
  })
)

const failing = (code: Parameters<typeof isRetryable>[0]) => ({
  failure: { code, retryable: isRetryable(code) },
  optionalFailures: []
})
