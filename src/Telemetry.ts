import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient, HttpMiddleware, HttpServerRequest } from "@effect/platform"
import { Context, Effect, FiberRef, FiberRefs, HashMap, Layer, Logger, type LogLevel, Option } from "effect"
import { requestIdOf } from "./http/requestMetadata.ts"
import { limitRepeatedLogs } from "./limitRepeatedLogs.ts"

/**
 * Writes logs as JSON lines to standard output, or as readable text to a terminal, and limits their repetitions; with an
 * endpoint it also sends logs, metrics and traces by OTLP. Without one the tracer is off, because it costs a third of the
 * throughput. The return from an OAuth provider is never traced, because its URL holds secrets.
 */
export const layer = (settings: {
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
}) =>
  Layer.mergeAll(
    Logger.replaceScoped(
      Logger.defaultLogger,
      limitRepeatedLogs(
        withRequestId(process.stdout.isTTY ? Logger.prettyLogger() : Logger.withConsoleLog(Logger.jsonLogger))
      )
    ),
    Logger.minimumLogLevel(settings.logLevel),
    Option.match(settings.otlpEndpoint, {
      onNone: () =>
        Layer.merge(
          Layer.setTracerEnabled(false),
          disableTracingWhen(() => true)
        ),
      onSome: (baseUrl) =>
        Layer.merge(
          Layer.provide(
            Otlp.layerJson({ baseUrl, resource: { serviceName: "domain-connection-service" } }),
            FetchHttpClient.layer
          ),
          disableTracingWhen(({ url }) => url.startsWith("/v1/oauth/"))
        )
    })
  )

/** The server creates its span before it checks whether anybody traces, and the span holds the whole URL. */
const disableTracingWhen = (predicate: (request: HttpServerRequest.HttpServerRequest) => boolean) =>
  Layer.scopedDiscard(Effect.locallyScoped(HttpMiddleware.currentTracerDisabledWhen, predicate))

/** Adds the id of the current request to each log entry. */
const withRequestId = <Message, Output>(logger: Logger.Logger<Message, Output>) =>
  Logger.mapInputOptions(logger, (options: Logger.Logger.Options<Message>) => {
    const context = FiberRefs.getOrDefault(options.context, FiberRef.currentContext)
    return Option.match(Context.getOption(context, HttpServerRequest.HttpServerRequest), {
      onNone: () => options,
      onSome: (request) => ({
        ...options,
        annotations: HashMap.set(options.annotations, "requestId", requestIdOf(request))
      })
    })
  })
