import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"

/** Calls any address and follows no redirect. */
export const httpClient: HttpClient.HttpClient = Effect.runSync(
  HttpClient.HttpClient.pipe(
    Effect.provide(
      Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
    )
  )
)
