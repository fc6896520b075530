import * as OtlpLogger from "@effect/opentelemetry/OtlpLogger"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { HttpClientRequest, HttpServerRequest } from "@effect/platform"
import {
  Cause,
  Context,
  DateTime,
  Effect,
  FiberId,
  FiberRef,
  FiberRefs,
  HashMap,
  Inspectable,
  Layer,
  List,
  Logger,
  LogLevel,
  Option,
  Tracer
} from "effect"
import { Exchange } from "./http/pipeline/Exchange.ts"
import { EventLog, type LogEvent } from "./runtime/EventLog.ts"
import { limitRepeatedLogs } from "./runtime/limitRepeatedLogs.ts"
import { writeLogLine } from "./runtime/logLines.ts"
import { serviceInstance } from "./runtime/serviceInstance.ts"
import { traceIdOf, withoutRootSpans } from "./runtime/withoutRootSpans.ts"
import { outboundHttpLayer } from "./providers/outboundHttp.ts"

/**
 * Writes logs as JSON lines to standard output, or as readable text to a terminal; with an endpoint it also sends logs,
 * metrics and traces by OTLP. The repetitions of logs are limited for both together, but not those of events. Without an
 * endpoint the tracer is off, because it costs a third of the throughput.
 */
export const layer = (settings: {
  readonly logLevel: LogLevel.LogLevel
  readonly otlpEndpoint: Option.Option<string>
}) =>
  Layer.mergeAll(
    Layer.unwrapScoped(
      Effect.map(makeExporter(settings.otlpEndpoint), (exporter) =>
        Layer.merge(
          Logger.replaceScoped(
            Logger.defaultLogger,
            limitRepeatedLogs(withRequestId(joinLoggers([standardOutput, ...exporter])))
          ),
          Layer.succeed(
            EventLog,
            LogLevel.lessThanEqual(settings.logLevel, LogLevel.Info) ? writeEventsTo(exporter) : { write: () => {} }
          )
        )
      )
    ).pipe(Layer.provide(otlpServices)),
    Logger.minimumLogLevel(settings.logLevel),
    Option.match(settings.otlpEndpoint, {
      onNone: () => Layer.setTracerEnabled(false),
      onSome: (baseUrl) =>
        Layer.mergeAll(
          OtlpMetrics.layer({ url: otlpUrl(baseUrl, "/v1/metrics"), resource }),
          Layer.unwrapScoped(
            Effect.map(OtlpTracer.make({ url: otlpUrl(baseUrl, "/v1/traces"), resource }), (tracer) =>
              Layer.setTracer(withoutRootSpans(tracer))
            )
          )
        ).pipe(Layer.provide(otlpServices))
    })
  )

type VoidLogger = Logger.Logger<unknown, void>

const makeExporter = (otlpEndpoint: Option.Option<string>) =>
  Effect.all(
    Option.toArray(otlpEndpoint).map((baseUrl) => OtlpLogger.make({ url: otlpUrl(baseUrl, "/v1/logs"), resource }))
  )

const joinLoggers = (loggers: ReadonlyArray<VoidLogger>): VoidLogger =>
  Logger.make((options) => loggers.forEach((logger) => logger.log(options)))

/** A line of JSON for each entry, or readable text for a terminal. */
const standardOutput: VoidLogger = process.stdout.isTTY
  ? Logger.prettyLogger()
  : Logger.make((options) =>
      writeLogLine(
        Inspectable.stringifyCircular({
          ...Logger.structuredLogger.log(options),
          ...serviceInstance,
          traceId: findTraceId(options)
        })
      )
    )

const findTraceId = ({ context }: Logger.Logger.Options<unknown>): string | undefined =>
  traceIdOf(
    Option.getOrUndefined(
      Context.getOption(FiberRefs.getOrDefault(context, FiberRef.currentContext), Tracer.ParentSpan)
    )
  )

/** Writes events as lines of the same form as the entries of the log. */
const writeEventsTo = (exporter: ReadonlyArray<VoidLogger>): typeof EventLog.Service => {
  const loggers = process.stdout.isTTY ? [standardOutput, ...exporter] : exporter
  return {
    write: (event) => {
      if (!process.stdout.isTTY) writeLogLine(formatEvent(event))
      loggers.forEach((logger) => logger.log(toLogEntry(event)))
    }
  }
}

const formatEvent = ({ fields, message, traceId }: LogEvent): string =>
  JSON.stringify({
    message,
    logLevel: "INFO",
    timestamp: DateTime.formatIso(DateTime.unsafeNow()),
    annotations: fields,
    ...serviceInstance,
    traceId
  })

const toLogEntry = ({ fields, message, traceId }: LogEvent): Logger.Logger.Options<unknown> => ({
  fiberId: FiberId.none,
  logLevel: LogLevel.Info,
  message: [message],
  cause: Cause.empty,
  context: FiberRefs.empty(),
  spans: List.empty(),
  annotations: HashMap.fromIterable(Object.entries({ ...fields, traceId }).filter(([, value]) => value !== undefined)),
  date: DateTime.toDate(DateTime.unsafeNow())
})

const resource = {
  serviceName: "domain-connection-service",
  serviceVersion: serviceInstance.version,
  attributes: { "service.instance.id": serviceInstance.process }
}

const otlpUrl = (baseUrl: string, path: string): string =>
  HttpClientRequest.appendUrl(HttpClientRequest.get(baseUrl), path).url

/** The collector is the operator's, who names its URL: requests go straight to it, also with `OUTBOUND_PROXY`. */
const otlpServices = Layer.merge(OtlpSerialization.layerJson, outboundHttpLayer({ outboundProxy: Option.none() }))

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
