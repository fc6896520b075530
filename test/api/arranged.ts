import { HttpServer } from "@effect/platform"
import { Effect } from "effect"
import { jsonOf, post, someIntent } from "../support/apiUnderTest.ts"

/** The path of a new connection for this key. */
export const connectionFor = (key: string): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.map(
    Effect.flatMap(post("/v1/connections", key, { intent: someIntent }), jsonOf),
    ({ connection }) => `/v1/connections/${connection.id}`
  )

export const shop = "https://shop.example.com"

/** A new browser token for a connection, as it goes into `Authorization`. */
export const bearerFor = (
  key: string,
  path: string,
  origin = shop
): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.map(
    Effect.flatMap(post(`${path}/access-token`, key, { origin }), jsonOf),
    ({ accessToken, tokenType }) => `${tokenType} ${accessToken}`
  )
