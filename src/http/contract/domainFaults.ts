import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { ErrorDetail } from "../../domain/ErrorDetail.ts"
import { withDomainFault } from "../../domain/withDomainFault.ts"

/**
 * Adds what is wrong with the domain of an intent to the faults that the schema found elsewhere in the body, behind which
 * it would hide until those are mended. HttpApi reads the body first, so that it is there already.
 */
export const addDomainFault = (
  details: ReadonlyArray<ErrorDetail>,
  { json, url }: HttpServerRequest.HttpServerRequest
): Effect.Effect<ReadonlyArray<ErrorDetail>> => {
  const place = intentPlaces[url.split("?")[0] ?? ""]
  return place === undefined
    ? Effect.succeed(details)
    : Effect.map(Effect.option(json), (body) =>
        withDomainFault(details, Option.flatMap(body, place.decode), place.pointer)
      )
}

const DomainField = Schema.Struct({ domain: Schema.String.pipe(Schema.maxLength(1_000)) })

/** Where the body of an endpoint has the domain of its intent. */
const intentPlaces: Readonly<
  Record<string, { readonly pointer: string; readonly decode: (body: unknown) => Option.Option<string> }>
> = {
  "/v1/connections": {
    pointer: "/intent/domain",
    decode: (body) =>
      Option.map(
        Schema.decodeUnknownOption(Schema.Struct({ intent: DomainField }))(body),
        ({ intent }) => intent.domain
      )
  },
  "/v1/domains/check": {
    pointer: "/domain",
    decode: (body) => Option.map(Schema.decodeUnknownOption(DomainField)(body), ({ domain }) => domain)
  }
}
