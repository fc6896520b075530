import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"

/** Calls any address, follows no redirect and keeps no connection: on a kept one, `fetch` sends a lost PUT or DELETE again. */
export const httpClient: HttpClient.HttpClient = Effect.runSync(
  HttpClient.HttpClient.pipe(
    Effect.provide(
      Layer.provide(
        FetchHttpClient.layer,
        Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual", keepalive: false })
      )
    )
  )
)
