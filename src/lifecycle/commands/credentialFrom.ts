import { Array, Either, ParseResult, Redacted, Schema } from "effect"
import type { Connection } from "../../domain/Connection.ts"
import { Credential } from "../../domain/Credential.ts"
import { Unprocessable } from "./refusals.ts"

/** Reads a credential as the kind that the provider of the connection takes; what is said about it holds none of it. */
export const credentialFrom = (
  { provider }: Connection,
  given: Redacted.Redacted<{ readonly [field: string]: string }>
): Either.Either<Credential, Unprocessable> => {
  const kind = provider?.authorizationInputs.directCredential ?? "none"
  const { _tag: own, ...fields } = Redacted.value(given)
  return Either.mapLeft(
    own === undefined
      ? Either.mapLeft(decode({ ...fields, _tag: kind }), detailsOf)
      : Either.left([unknownField("_tag")]),
    (details) =>
      new Unprocessable({
        code: "credential_kind_mismatch",
        message: `the provider of this domain takes a credential of the kind ${kind}`,
        details
      })
  )
}

const decode = Schema.decodeUnknownEither(Credential, { errors: "all", onExcessProperty: "error" })

const detailsOf = (error: ParseResult.ParseError) =>
  Array.dedupeWith(
    ParseResult.ArrayFormatter.formatErrorSync(error).map(({ _tag, path }) => {
      const name = path.map(String).join("/")
      if (_tag === "Unexpected") return unknownField(name)
      return _tag === "Missing" ? detail(name, "missing", "is missing") : detail(name, "invalid", "is none of its kind")
    }),
    (one, other) => one.pointer === other.pointer
  )

const unknownField = (name: string) => detail(name, "unknown_field", "is not a field of it")

/** Its fields are its only depth, so that one name is all of the JSON pointer (RFC 6901). */
const detail = (name: string, code: string, message: string) => ({
  pointer: `/credential/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`,
  code,
  message
})
