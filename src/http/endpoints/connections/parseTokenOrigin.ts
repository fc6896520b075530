import { Either, Option } from "effect"
import { type InvalidOrigin, type Origin, parseOrigin } from "../../../domain/names/Origin.ts"
import { OriginNotCanonical } from "../../contract/errorResponses.ts"

/** Parses the origin that a token is to be bound to. */
export const parseTokenOrigin = (text: string): Either.Either<Origin, OriginNotCanonical> =>
  Either.mapLeft(parseOrigin(text), toOriginNotCanonical)

const toOriginNotCanonical = ({ canonical, isInsecure }: InvalidOrigin): OriginNotCanonical => {
  const message = Option.match(canonical, {
    onNone: () => "origin must be exactly what a browser sends, such as https://shop.example.com",
    onSome: (origin) =>
      isInsecure
        ? `origin must begin with https, as in ${origin}; http is accepted on localhost only`
        : `origin must be exactly what a browser sends: ${origin}`
  })
  const code = "origin_not_canonical"
  const suggestion = Option.match(canonical, { onNone: () => ({}), onSome: (suggestion) => ({ suggestion }) })
  return new OriginNotCanonical({ code, message, details: [{ pointer: "/origin", code, message, ...suggestion }] })
}
