import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Array, Effect, Schema } from "effect"
import { compileEncoder } from "../../runtime/compileSchema.ts"

/** Makes the response of what a handler returned, which may be a response already. */
export type Encode = (result: unknown) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Makes what encodes the results of an endpoint: as the first of its declared successes that each is. */
export const makeEncode = (successSchema: Schema.Schema.Any): Encode => {
  const successes = new Set<Schema.Schema.Any>()
  HttpApiSchema.deunionize(successes, successSchema)
  const [first, ...others] = Array.fromIterable(successes).map(makeSuccessEncoder)
  if (first === undefined) return () => Effect.dieMessage("an endpoint declares no success")
  if (others.length > 0) throw new Error("an endpoint with several successes responds by itself")
  return (result) => (HttpServerResponse.isServerResponse(result) ? Effect.succeed(result) : Effect.sync(() => first(result)))
}

/** What a handler returns is of the only success that its endpoint declares, as the compiler has checked. */
const makeSuccessEncoder = (success: Schema.Schema.Any) => {
  const status = HttpApiSchema.getStatusSuccess(success)
  const encode = compileEncoder(success as Schema.Schema<unknown>)
  return HttpApiSchema.isVoid(success.ast)
    ? () => HttpServerResponse.empty({ status })
    : (result: unknown) => HttpServerResponse.unsafeJson(encode(result), { status })
}
