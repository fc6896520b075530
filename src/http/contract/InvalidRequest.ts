import type { HttpApiError } from "@effect/platform"
import { Schema } from "effect"
import { errorDetailsOf, OptionalErrorDetails } from "../../domain/ErrorDetail.ts"

/** The request does not fit what the endpoint takes. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  code: Schema.String,
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** What the decoder of HttpApi found. */
export const invalidRequestFrom = ({ issues }: HttpApiError.HttpApiDecodeError): InvalidRequest =>
  new InvalidRequest({
    code: "invalid_request",
    message: "the request does not fit its schema; see details",
    details: errorDetailsOf(issues)
  })
