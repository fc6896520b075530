import { Either, Option } from "effect"
import { type Origin, parseOrigin } from "../../domain/Origin.ts"
import { InvalidRequest } from "../contract/errors.ts"

/** Where a customer is led back to, and the origin that sends them to the provider. */
export interface ReturnTarget {
  readonly from?: Origin
  readonly returnUrl?: string
}

/**
 * Lets a browser be led back to the origin of its token only, and a server's customers to any https page that the server
 * names; what comes out is what a browser makes of the text, so that it cannot be read in two ways.
 */
export const parseReturnUrl = (
  text: string | undefined,
  caller: Option.Option<Origin>
): Either.Either<ReturnTarget, InvalidRequest> => {
  if (text === undefined)
    return Either.right(Option.match(caller, { onNone: () => ({}), onSome: (from) => ({ from }) }))
  return Option.liftPredicate(text, URL.canParse).pipe(
    Option.map((valid) => new URL(valid)),
    Option.filter(({ password, username }) => username === "" && password === ""),
    Option.flatMap((url) => Option.map(Either.getRight(parseOrigin(url.origin)), (from) => ({ url, from }))),
    Option.filter(({ from }) => Option.getOrElse(caller, () => from) === from),
    Option.map(({ from, url }) => ({ from, returnUrl: url.href })),
    Either.fromOption(() => refused(caller))
  )
}

const refused = (caller: Option.Option<Origin>): InvalidRequest => {
  const code = "return_url_not_allowed"
  const message = Option.match(caller, {
    onNone: () => "returnUrl must be an https URL without user and password",
    onSome: (origin) => `returnUrl must be a page of ${origin}, the origin of the token`
  })
  return new InvalidRequest({ code, message, details: [{ pointer: "/returnUrl", code, message }] })
}
