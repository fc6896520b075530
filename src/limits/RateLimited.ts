import { Schema } from "effect"

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
