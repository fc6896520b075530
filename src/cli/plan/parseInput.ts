import { Either, Option, Schema } from "effect"
import { findJsonFault } from "../../domain/findJsonFault.ts"
import { BadInput } from "./BadInput.ts"

/** Decodes UTF-8, with or without a byte order mark. */
export const decodeUtf8 = (bytes: Uint8Array): Either.Either<string, BadInput> =>
  Either.try({
    try: () => utf8.decode(bytes),
    catch: () => new BadInput({ code: "not_utf8", message: "this is not valid UTF-8" })
  })

/** Parses JSON by the rules of the API, except that a zone may contain any text. */
export const parseJsonInput = (text: string): Either.Either<unknown, BadInput> =>
  Option.match(
    Option.filter(findJsonFault(text), ({ code }) => !allowedFaults.has(code)),
    {
      onNone: () =>
        Either.mapLeft(parse(text), () =>
          malformed(text.trim() === "" ? "this is empty" : "this is not well-formed JSON")
        ),
      onSome: (fault) => Either.left(BadInput.fromIssues([fault]))
    }
  )

const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = Schema.decodeEither(Schema.parseJson())

/** Only the database of the service cannot store these; a zone may contain them. */
const allowedFaults: ReadonlySet<string> = new Set(["nul_character", "lone_surrogate"])

const malformed = (message: string) => new BadInput({ code: "malformed_json", message })
