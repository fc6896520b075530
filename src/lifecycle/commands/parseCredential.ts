import { Array, Either, ParseResult, Redacted, Schema } from "effect"
import type { Connection } from "../../domain/Connection.ts"
import { Credential } from "../../domain/Credential.ts"
import { type ErrorDetail, toJsonPointer } from "../../domain/ErrorDetail.ts"
import { Unprocessable } from "./commandErrors.ts"

/** Reads a credential as the kind that the provider of the connection takes; what is said about it holds none of it. */
export const parseCredential = (
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
      if (_tag === "Unexpected") return unknownField(...path)
      return _tag === "Missing" ? detail(path, "missing", "is missing") : detail(path, "invalid", "is none of its kind")
    }),
    (one, other) => one.pointer === other.pointer
  )

const unknownField = (...path: ReadonlyArray<PropertyKey>) => detail(path, "unknown_field", "is not a field of it")

const detail = (path: ReadonlyArray<PropertyKey>, code: string, message: string): ErrorDetail => ({
  pointer: toJsonPointer(["credential", ...path]),
  code,
  message
})
