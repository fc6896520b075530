import { Context, Effect, Either } from "effect"
import type { DomainName } from "../../domain/DomainName.ts"
import type { ErrorDetail, ValueIssue } from "../../domain/ErrorDetail.ts"
import { type IntentRequest, resolveIntent } from "../../domain/Intent.ts"

/** The domains that may be connected here: all of them, or in test mode its own. */
export class AllowedDomains extends Context.Reference<AllowedDomains>()("lifecycle/AllowedDomains", {
  defaultValue: (): {
    /** Why a domain may not be connected; undefined if it may. */
    readonly findIssue: (domain: DomainName) => ValueIssue | undefined
  } => ({ findIssue: () => undefined })
}) {}

/** Makes the `resolveIntent` that also refuses the intents of other domains. */
export const resolveAllowedIntent = Effect.map(
  AllowedDomains,
  ({ findIssue }) =>
    (request: IntentRequest): ReturnType<typeof resolveIntent> =>
      Either.flatMap(resolveIntent(request), (resolved): ReturnType<typeof resolveIntent> => {
        const issue = findIssue(resolved.domain)
        if (issue === undefined) return Either.right(resolved)
        const detail: ErrorDetail = { pointer: "/intent/domain", ...issue }
        return Either.left([detail])
      })
)
