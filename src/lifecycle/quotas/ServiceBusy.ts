import { Schema } from "effect"

/**
 * The tenant has as many phases, domain checks or zones of providers under way as it may have, or the process has; later
 * there may be room.
 */
export class ServiceBusy extends Schema.TaggedError<ServiceBusy>()("ServiceBusy", {
  code: Schema.Literal("busy"),
  message: Schema.String
}) {
  static readonly error = new ServiceBusy({
    code: "busy",
    message: "too many domains are being read at the moment; try again shortly"
  })
}
