import * as OtlpLogger from "@effect/opentelemetry/OtlpLogger"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { HttpClientRequest, HttpMiddleware, HttpServerRequest } from "@effect/platform"
import { Context, Effect, FiberRef, FiberRefs, Function, HashMap, Layer, Logger, type LogLevel, Option } from "effect"
import { Exchange } from "./http/pipeline/Exchange.ts"
import { limitRepeatedLogs } from "./runtime/limitRepeatedLogs.ts"
import { outboundHttpLayer } from "./providers/outboundHttp.ts"

/**
 * Writes logs as JSON lines to standard output, or as readable text to a terminal; with an endpoint it also sends logs,
 * metrics and traces by OTLP. The repetitions of logs are limited for both together. Without an
 * endpoint the tracer is off, because it costs a third of the throughput. The return from an OAuth provider is never traced, because its URL holds secrets.
 */
export const layer = (settings: {
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
}) =>
  Layer.mergeAll(
    Logger.replaceScoped(
      Logger.defaultLogger,
      Effect.flatMap(makeLogger(settings.otlpEndpoint), (logger) => limitRepeatedLogs(withRequestId(logger)))
    ).pipe(Layer.provide(otlpServices)),
    Logger.minimumLogLevel(settings.logLevel),
    Option.match(settings.otlpEndpoint, {
      onNone: () => Layer.merge(Layer.setTracerEnabled(false), disableTracingWhen(Function.constTrue)),
      onSome: (baseUrl) =>
        Layer.mergeAll(
          OtlpMetrics.layer({ url: otlpUrl(baseUrl, "/v1/metrics"), resource }),
          OtlpTracer.layer({ url: otlpUrl(baseUrl, "/v1/traces"), resource }),
          disableTracingWhen(({ url }) => /^\/v1\/(oauth|domains\/allowed)\//.test(url))
        ).pipe(Layer.provide(otlpServices))
    })
  )

/** Writes to standard output and, if there is an endpoint, to OTLP. */
const makeLogger = (otlpEndpoint: Option.Option<string>) => {
  const console = process.stdout.isTTY ? Logger.prettyLogger() : Logger.withConsoleLog(Logger.jsonLogger)
  return Option.match(otlpEndpoint, {
    onNone: () => Effect.succeed(console),
    onSome: (baseUrl) =>
      Effect.map(OtlpLogger.make({ url: otlpUrl(baseUrl, "/v1/logs"), resource }), (exporter) =>
        Logger.map(Logger.zip(console, exporter), () => undefined)
      )
  })
}

const resource = { serviceName: "domain-connection-service" }

const otlpUrl = (baseUrl: string, path: string): string =>
  HttpClientRequest.appendUrl(HttpClientRequest.get(baseUrl), path).url

/** The collector is the operator's, who names its URL: requests go straight to it, also with `OUTBOUND_PROXY`. */
const otlpServices = Layer.merge(OtlpSerialization.layerJson, outboundHttpLayer({ outboundProxy: Option.none() }))

/** The server creates its span before it checks whether tracing is on, and the span has the whole URL. */
const disableTracingWhen = (predicate: (request: HttpServerRequest.HttpServerRequest) => boolean) =>
  Layer.scopedDiscard(Effect.locallyScoped(HttpMiddleware.currentTracerDisabledWhen, predicate))

/** Adds the id of the current request to each log entry. */
const withRequestId = <Message, Output>(logger: Logger.Logger<Message, Output>) =>
  Logger.mapInputOptions(logger, (options: Logger.Logger.Options<Message>) => {
    const context = FiberRefs.getOrDefault(options.context, FiberRef.currentContext)
    return Option.match(Context.getOption(context, HttpServerRequest.HttpServerRequest), {
      onNone: () => options,
      onSome: () => ({
        ...options,
        annotations: HashMap.set(options.annotations, "requestId", Context.get(context, Exchange).id)
      })
    })
  })
