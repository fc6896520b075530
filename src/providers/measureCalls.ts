import { HttpClient, type HttpClientError, type HttpClientResponse } from "@effect/platform"
import { Cause, Effect, Exit, FiberRef, HashMap, Metric, Option } from "effect"
import type { Provider } from "../domain/provider/Provider.ts"
import type { CallHealth } from "./CallHealth.ts"
import { metrics } from "../runtime/metrics.ts"

/** Counts and times calls to a provider, and names it in spans. Keeps recent ones by the log's connection. */
export const measureCalls = (
  http: HttpClient.HttpClient,
  provider: Provider["id"],
  health: CallHealth
): HttpClient.HttpClient =>
  HttpClient.transformResponse(http, (call) =>
    Effect.withFiberRuntime((fiber) => {
      const connectionId = HashMap.get(fiber.getFiberRef(FiberRef.currentLogAnnotations), "connectionId")
      metrics.providerCalls.beginWith([provider], fiber.getFiberRef(FiberRef.currentMetricLabels))
      const beganAt = performance.now()
      return Effect.onExit(call, (exit) => {
        const millis = performance.now() - beganAt
        const result = resultOf(exit)
        return Effect.all([
          Effect.annotateCurrentSpan("provider", provider),
          Metric.increment(metrics.providerCalls.labeled(provider, result)),
          Metric.update(metrics.providerCallDuration.labeled(provider), millis / 1_000),
          health.record({
            connectionId: Option.match(connectionId, { onNone: () => "", onSome: String }),
            isFailure: failures.has(result),
            millis
          })
        ])
      })
    })
  )

/** The results that are the provider's own fault, whatever was asked. */
const failures: ReadonlySet<string> = new Set(["failing", "unreachable", "timed_out"])

/** `refused` is 401 or 403, `rate_limited` 429, `rejected` any other 4xx, `failing` 5xx. */
const resultOf = (exit: Exit.Exit<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>): string =>
  Exit.match(exit, {
    onSuccess: ({ status }) => {
      if (status < 400) return "ok"
      if (status === 401 || status === 403) return "refused"
      if (status === 429) return "rate_limited"
      return status < 500 ? "rejected" : "failing"
    },
    onFailure: (cause) => (Option.isSome(Cause.failureOption(cause)) ? "unreachable" : "timed_out")
  })
