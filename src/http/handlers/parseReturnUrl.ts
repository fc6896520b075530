import { Either, Option } from "effect"
import { type Origin, parseOrigin } from "../../domain/Origin.ts"
import { InvalidRequest } from "../contract/errorResponses.ts"

/** The URL to which a customer returns from the provider, and the origin of the page that starts the flow. */
export interface ReturnTarget {
  readonly from?: Origin
  readonly returnUrl?: string
}

/**
 * Parses a return URL. A browser may return only to the origin of its token, the customers of a server to any https page that
 * the server names. The result is normalized as browsers do it, so that it cannot be read in two ways.
 */
export const parseReturnUrl = (
  text: string | undefined,
  callerOrigin: Option.Option<Origin>
): Either.Either<ReturnTarget, InvalidRequest> => {
  if (text === undefined)
    return Either.right(Option.match(callerOrigin, { onNone: () => ({}), onSome: (from) => ({ from }) }))
  return Option.liftPredicate(text, URL.canParse).pipe(
    Option.map((href) => new URL(href)),
    Option.filter(({ password, username }) => username === "" && password === ""),
    Option.flatMap((url) => Option.map(Either.getRight(parseOrigin(url.origin)), (from) => ({ url, from }))),
    Option.filter(({ from }) => Option.getOrElse(callerOrigin, () => from) === from),
    Option.map(({ from, url }) => ({ from, returnUrl: url.href })),
    Either.fromOption(() => notAllowed(callerOrigin))
  )
}

const notAllowed = (callerOrigin: Option.Option<Origin>): InvalidRequest => {
  const code = "return_url_not_allowed"
  const message = Option.match(callerOrigin, {
    onNone: () => "returnUrl must be an https URL without user and password",
    onSome: (origin) => `returnUrl must be a page of ${origin}, the origin of the token`
  })
  return new InvalidRequest({ code, message, details: [{ pointer: "/returnUrl", code, message }] })
}
