import { HttpServer } from "@effect/platform"
import { Effect } from "effect"
import { jsonOf, post, sampleIntent } from "../../support/testApi.ts"

/** The path of a new connection for this key. */
export const createConnectionPath = (key: string): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.map(
    Effect.flatMap(post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }), jsonOf),
    ({ connection }) => `/v1/connections/${connection.id}`
  )

export const shopOrigin = "https://shop.example.com"

/** The `Authorization` header of a new browser token for a connection. */
export const issueBearer = (
  key: string,
  path: string,
  origin = shopOrigin
): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.map(
    Effect.flatMap(post(`${path}/access-token`, key, { origin }), jsonOf),
    ({ accessToken, tokenType }) => `${tokenType} ${accessToken}`
  )
