import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { ServedEndpoint } from "./Exchange.ts"

/** Encodes the results of an endpoint with one success. One that declares several makes its responses itself. */
export const makeEncode = (successSchema: Schema.Schema.Any): ServedEndpoint["encode"] => {
  const successes = new Set<Schema.Schema.Any>()
  HttpApiSchema.deunionize(successes, successSchema)
  const [first, ...others] = successes
  const encode =
    first === undefined || others.length > 0
      ? () => Effect.dieMessage("an endpoint with several successes did not respond itself")
      : makeSuccessEncoder(first)
  return (result) => (HttpServerResponse.isServerResponse(result) ? Effect.succeed(result) : encode(result))
}

const makeSuccessEncoder = (success: Schema.Schema.Any): ServedEndpoint["encode"] => {
  const status = HttpApiSchema.getStatusSuccess(success)
  const encode = Schema.encodeSync(success as Schema.Schema<unknown>)
  return HttpApiSchema.isVoid(success.ast)
    ? () => Effect.succeed(HttpServerResponse.empty({ status }))
    : (result: unknown) => Effect.sync(() => HttpServerResponse.unsafeJson(encode(result), { status }))
}
