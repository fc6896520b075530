import { HttpClient, type HttpClientError, type HttpClientResponse } from "@effect/platform"
import { Cause, Effect, Exit, FiberRef, HashMap, Metric, Option } from "effect"
import type { Provider } from "../domain/provider/Provider.ts"
import type { CallHealth } from "./CallHealth.ts"
import { type callResults, metrics } from "../runtime/metrics.ts"

/** What a call came to: `refused` is 401 or 403, `rejected` any other 4xx but 429, `failing` 5xx, or their like in DNS. */
export type CallResult = (typeof callResults)[number]

/** Counts and times a call to a provider, and names it in spans. Keeps recent ones by the log's connection. */
export type MeasureCall = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  resultOf: (exit: Exit.Exit<A, E>) => CallResult
) => Effect.Effect<A, E, R>

/** Makes the measure of the calls to one provider. */
export const makeMeasureCall =
  (provider: Provider["id"], health: CallHealth): MeasureCall =>
  (call, resultOf) =>
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

/** The results that are the provider's own fault, whatever was asked. */
const failures: ReadonlySet<CallResult> = new Set(["failing", "unreachable", "timed_out"])

/** Measures each request of a client. */
export const measureRequests = (http: HttpClient.HttpClient, measure: MeasureCall): HttpClient.HttpClient =>
  HttpClient.transformResponse(http, (call) => measure(call, resultOfRequest))

const resultOfRequest = (
  exit: Exit.Exit<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
): CallResult =>
  Exit.match(exit, {
    onSuccess: ({ status }) => {
      if (status < 400) return "ok"
      if (status === 401 || status === 403) return "refused"
      if (status === 429) return "rate_limited"
      return status < 500 ? "rejected" : "failing"
    },
    onFailure: (cause) => (Option.isSome(Cause.failureOption(cause)) ? "unreachable" : "timed_out")
  })
