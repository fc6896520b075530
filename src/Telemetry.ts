import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient, HttpMiddleware, HttpServerRequest } from "@effect/platform"
import { Context, Effect, FiberRef, FiberRefs, HashMap, Layer, Logger, type LogLevel, Option } from "effect"
import { requestIdOf } from "./http/requestMetadata.ts"

/**
 * Logs as JSON lines on standard output, people's text on a terminal; with an endpoint also logs, metrics and traces
 * by OTLP. Without one the tracer is off: it would cost a third of the throughput for spans that nobody sees. The way
 * back from a provider is never traced: its address holds secrets.
 */
export const layer = (settings: {
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
}) =>
  Layer.mergeAll(
    Logger.replace(
      Logger.defaultLogger,
      namingRequest(process.stdout.isTTY ? Logger.prettyLogger() : Logger.withConsoleLog(Logger.jsonLogger))
    ),
    Logger.minimumLogLevel(settings.logLevel),
    Option.match(settings.otlpEndpoint, {
      onNone: () =>
        Layer.merge(
          Layer.setTracerEnabled(false),
          untracedWhen(() => true)
        ),
      onSome: (baseUrl) =>
        Layer.merge(
          Layer.provide(
            Otlp.layerJson({ baseUrl, resource: { serviceName: "domain-connection-service" } }),
            FetchHttpClient.layer
          ),
          untracedWhen(({ url }) => url.startsWith("/v1/oauth/"))
        )
    })
  )

/** The server makes its span before it asks whether anybody traces, and the span holds the whole address. */
const untracedWhen = (predicate: (request: HttpServerRequest.HttpServerRequest) => boolean) =>
  Layer.scopedDiscard(Effect.locallyScoped(HttpMiddleware.currentTracerDisabledWhen, predicate))

/** Adds the request's id to what is logged while a request is served. */
const namingRequest = <Message, Output>(logger: Logger.Logger<Message, Output>) =>
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
