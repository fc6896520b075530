import { Schema } from "effect"
import { OptionalErrorDetails } from "../domain/error/ErrorDetail.ts"

/** A limit of requests is reached: that of a tenant's servers, a connection's browsers or a client address. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  code: Schema.Literal("rate_limited"),
  message: Schema.String,
  /** After how many seconds another request is worth a try; the value of `Retry-After`. */
  retryAfterSeconds: Schema.optionalWith(Schema.Int, { exact: true })
}) {
  static readonly of = (message: string, retryAfterSeconds: number): RateLimited =>
    new RateLimited({ code: "rate_limited", message, retryAfterSeconds })
}

/** The tenant or the application has used up a quota; `details` names it with its limit. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  code: Schema.Literal("quota_exceeded", "too_many_open_discoveries"),
  message: Schema.String,
  details: OptionalErrorDetails,
  /** After how many seconds the excess ends, where it ends by itself; the value of `Retry-After`. */
  retryAfterSeconds: Schema.optionalWith(Schema.Int, { exact: true })
}) {}

/** The connection or the tenant has as many event streams and waiting requests open as it may. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  code: Schema.Literal("too_many_streams"),
  message: Schema.String
}) {}

/** The process has so many open descriptors that it refuses requests that stay open. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  code: Schema.Literal("overloaded"),
  message: Schema.String
}) {
  static readonly error = new Overloaded({ code: "overloaded", message: "too many connections are open; try again" })
}

/** The tenant or process has as many phases, domain checks or provider zones under way as it may; try later. */
export class ServiceBusy extends Schema.TaggedError<ServiceBusy>()("ServiceBusy", {
  code: Schema.Literal("busy"),
  message: Schema.String
}) {
  static readonly error = new ServiceBusy({
    code: "busy",
    message: "too many domains are being read at the moment; try again shortly"
  })
}
