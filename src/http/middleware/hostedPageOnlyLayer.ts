import { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Layer } from "effect"
import { parseOrigin } from "../../domain/Origin.ts"
import { Forbidden } from "../contract/errorResponses.ts"
import { HostedPageOnly } from "../contract/securitySchemes.ts"
import { CredentialGate } from "./CredentialGate.ts"
import { RouteTable } from "./RouteTable.ts"
import { requireKnownParameters } from "./requireKnownParameters.ts"

/** Checks the headers by which browsers say where a request comes from, and the refused credentials of its address. */
export const hostedPageOnlyLayer = Layer.effect(
  HostedPageOnly,
  Effect.map(Effect.all([CredentialGate, RouteTable]), ([gate, routes]) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      // Browsers set this header, pages cannot (Fetch Metadata): so the origin is this service, by whatever name.
      if (request.headers["sec-fetch-site"] !== "same-origin") return yield* notFromHostedPage
      const origin = yield* Either.mapLeft(parseOrigin(request.headers["origin"] ?? ""), () => notFromHostedPage)
      yield* requireKnownParameters(routes)
      yield* gate.requireAttempt(request)
      return origin
    })
  )
)

const notFromHostedPage = new Forbidden({
  code: "origin_not_allowed",
  message: "a link is opened on the page of this service only"
})
