import { Schema } from "effect"
import { type ErrorDetail, OptionalErrorDetails } from "../domain/error/ErrorDetail.ts"

export class ApplicationNotFound extends Schema.TaggedError<ApplicationNotFound>()("ApplicationNotFound", {
  code: Schema.Literal("application_not_found"),
  message: Schema.String
}) {
  static readonly of = (id: string): ApplicationNotFound =>
    new ApplicationNotFound({ code: "application_not_found", message: `there is no application ${id}` })
}

export class ApplicationExists extends Schema.TaggedError<ApplicationExists>()("ApplicationExists", {
  code: Schema.Literal("application_exists"),
  message: Schema.String
}) {
  static readonly of = (id: string): ApplicationExists =>
    new ApplicationExists({ code: "application_exists", message: `there is an application ${id} already` })
}

/** The application has connections that have not ended, more ended ones than one call erases, or events to deliver. */
export class ApplicationNotEmpty extends Schema.TaggedError<ApplicationNotEmpty>()("ApplicationNotEmpty", {
  code: Schema.Literal("application_not_empty"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {
  static readonly live = (connections: number): ApplicationNotEmpty =>
    ApplicationNotEmpty.of(
      "application_has_live_connections",
      `the application has ${describeLive(connections)}, and so cannot be deleted: every connection must be ended first`
    )
  static readonly ended = (erased: number, left: number): ApplicationNotEmpty =>
    ApplicationNotEmpty.of(
      "application_has_ended_connections",
      `${erased} ended connections of the application were erased, and ${left} are left: send the request again`
    )
  static readonly pending = (deliveries: number): ApplicationNotEmpty =>
    ApplicationNotEmpty.of(
      "application_has_pending_deliveries",
      `webhook endpoints of the application wait for ${deliveries} ${deliveries === 1 ? "delivery" : "deliveries"} of ` +
        "connection.erased, which would be lost: send the request again a little later, or pause the endpoints"
    )
  private static readonly of = (code: ErrorDetail["code"], message: string): ApplicationNotEmpty =>
    new ApplicationNotEmpty({
      code: "application_not_empty",
      message,
      details: [{ pointer: "", code, message }]
    })
}

/** The tenant has connections that have not ended, or another number of connections than was confirmed. */
export class TenantErasureRefused extends Schema.TaggedError<TenantErasureRefused>()("TenantErasureRefused", {
  code: Schema.Literal("tenant_has_live_connections", "connection_count_differs"),
  message: Schema.String
}) {
  static readonly live = (connections: number): TenantErasureRefused =>
    new TenantErasureRefused({
      code: "tenant_has_live_connections",
      message: `the tenant has ${describeLive(connections)}, and so cannot be erased: every connection must be ended first`
    })
  static readonly otherCount = (connections: number): TenantErasureRefused =>
    new TenantErasureRefused({
      code: "connection_count_differs",
      message: `the tenant has another number of connections to erase: ${connections}; confirm that number`
    })
}

const describeLive = (connections: number): string =>
  connections === 1 ? "1 connection that has not ended" : `${connections} connections that have not ended`

/** The application has no such ask secret that is valid. */
export class AskSecretNotFound extends Schema.TaggedError<AskSecretNotFound>()("AskSecretNotFound", {
  code: Schema.Literal("ask_secret_not_found"),
  message: Schema.String
}) {
  static readonly of = (id: string): AskSecretNotFound =>
    new AskSecretNotFound({ code: "ask_secret_not_found", message: `there is no valid ask secret with the id ${id}` })
}
