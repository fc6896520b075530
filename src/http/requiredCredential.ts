import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Unauthenticated } from "../security/ApiKeys.ts"
import { addResponseHeaders } from "./requestMetadata.ts"

/** Where an endpoint takes its credential: as a challenge (RFC 9110 section 11.6.1), and in words. */
const credentials = {
  apiKey: {
    challenge: 'ApiKey header="x-api-key"',
    message: "a valid API key is required in the header x-api-key"
  },
  apiKeyOrBrowserToken: {
    challenge: 'ApiKey header="x-api-key", Bearer',
    message: "a valid API key is required in the header x-api-key, or a valid browser token as Bearer"
  },
  adminKey: {
    challenge: 'ApiKey header="x-admin-key"',
    message: "a valid admin key is required in the header x-admin-key"
  },
  askSecret: {
    challenge: 'AskSecret path="askSecret"',
    message: "a valid ask secret is required as the last part of the path"
  },
  shareCode: {
    challenge: 'ShareLink body="code"',
    message: "a valid code of a share link is required in the body"
  }
} as const

/** Lets the 401 of an endpoint name the credential that the endpoint takes. */
export const nameRequiredCredential =
  (request: HttpServerRequest.HttpServerRequest, credential: keyof typeof credentials) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unauthenticated, R> =>
    Effect.mapError(effect, (error) => {
      if (!(error instanceof Unauthenticated)) return error
      const { challenge, message } = credentials[credential]
      addResponseHeaders(request, { "www-authenticate": challenge })
      return new Unauthenticated({ code: "unauthenticated", message })
    })
