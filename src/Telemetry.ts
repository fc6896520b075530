import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import { Layer, Logger, type LogLevel, Option } from "effect"

/**
 * Logs as JSON lines on standard output, people's text on a terminal; with an endpoint also logs, metrics and traces
 * by OTLP. Without one the tracer is off: it would cost a third of the throughput for spans that nobody sees.
 */
export const layer = (settings: {
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
}) =>
  Layer.mergeAll(
    process.stdout.isTTY ? Logger.pretty : Logger.json,
    Logger.minimumLogLevel(settings.logLevel),
    Option.match(settings.otlpEndpoint, {
      onNone: () => Layer.setTracerEnabled(false),
      onSome: (baseUrl) =>
        Layer.provide(
          Otlp.layerJson({ baseUrl, resource: { serviceName: "domain-connection-service" } }),
          FetchHttpClient.layer
        )
    })
  )
