import { Array, Context, Effect, Either } from "effect"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { ErrorDetail, ValueIssue } from "../../domain/error/ErrorDetail.ts"
import { type IntentRequest, resolveIntent } from "../../domain/connection/Intent.ts"

/** The domains that may be connected here: all of them, or in test mode its own. */
export class AllowedDomains extends Context.Reference<AllowedDomains>()("lifecycle/AllowedDomains", {
  defaultValue: (): {
    /** Why a domain may not be connected; undefined if it may. */
    readonly findIssue: (domain: DomainName) => ValueIssue | undefined
  } => ({ findIssue: () => undefined })
}) {}

export const resolveAllowedIntent = Effect.map(
  AllowedDomains,
  ({ findIssue }) =>
    (request: IntentRequest): ReturnType<typeof resolveIntent> =>
      resolveIntent(request).pipe(
        Either.mapLeft(Array.map(withoutSuggestion((domain) => findIssue(domain) !== undefined))),
        Either.flatMap((resolved): ReturnType<typeof resolveIntent> => {
          const issue = findIssue(resolved.domain)
          return issue === undefined ? Either.right(resolved) : Either.left([{ pointer: domainPointer, ...issue }])
        })
      )
)

const domainPointer = "/intent/domain"

/** A detail without its suggestion, if that is a domain that would be refused. */
const withoutSuggestion =
  (isRefused: (domain: DomainName) => boolean) =>
  ({ suggestion, ...detail }: ErrorDetail): ErrorDetail =>
    suggestion === undefined || (detail.pointer === domainPointer && isRefused(DomainName.make(suggestion)))
      ? detail
      : { ...detail, suggestion }
