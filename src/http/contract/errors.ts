import { Schema } from "effect"
import { OptionalErrorDetails } from "../../domain/ErrorDetail.ts"

/** The request does not match the schema of its endpoint. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  code: Schema.Literal("invalid_request", "malformed_json", "origin_not_canonical", "return_url_not_allowed"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** The caller is authenticated, but may not send this request, or not from there. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  code: Schema.Literal("api_key_in_browser", "origin_not_allowed", "insufficient_scope"),
  message: Schema.String
}) {}

/** The application and tenant have used up their requests of this minute. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  code: Schema.Literal("rate_limited"),
  message: Schema.String
}) {}

/** The service is shutting down and accepts no new requests. */
export class DrainInProgress extends Schema.TaggedError<DrainInProgress>()("DrainInProgress", {
  code: Schema.Literal("draining"),
  message: Schema.String
}) {
  static readonly error = new DrainInProgress({ code: "draining", message: "the service is shutting down; try again" })
}
