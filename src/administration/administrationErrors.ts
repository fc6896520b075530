import { Schema } from "effect"
import { OptionalErrorDetails } from "../domain/ErrorDetail.ts"
import type { ApplicationContent } from "../persistence/stores/ApplicationStore.ts"

/** There is no such application. */
export class ApplicationNotFound extends Schema.TaggedError<ApplicationNotFound>()("ApplicationNotFound", {
  code: Schema.Literal("application_not_found"),
  message: Schema.String
}) {
  static readonly of = (id: string): ApplicationNotFound =>
    new ApplicationNotFound({ code: "application_not_found", message: `there is no application ${id}` })
}

/** An application with this id is there already. */
export class ApplicationExists extends Schema.TaggedError<ApplicationExists>()("ApplicationExists", {
  code: Schema.Literal("application_exists"),
  message: Schema.String
}) {
  static readonly of = (id: string): ApplicationExists =>
    new ApplicationExists({ code: "application_exists", message: `there is an application ${id} already` })
}

/** The application has something that would be lost, or go on without it. */
export class ApplicationNotEmpty extends Schema.TaggedError<ApplicationNotEmpty>()("ApplicationNotEmpty", {
  code: Schema.Literal("application_not_empty"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {
  static readonly of = (contents: ReadonlyArray<ApplicationContent>): ApplicationNotEmpty =>
    new ApplicationNotEmpty({
      code: "application_not_empty",
      message: `the application cannot be deleted: it has ${contents.map((content) => contentNames[content]).join(", ")}`,
      details: contents.map((content) => ({
        pointer: "",
        code: `application_has_${content}`,
        message: `has ${contentNames[content]}`
      }))
    })
}

const contentNames: Readonly<Record<ApplicationContent, string>> = {
  api_keys: "valid API keys",
  connections: "connections",
  webhook_endpoints: "webhook endpoints"
}

/** The application has no such ask secret that is valid. */
export class AskSecretNotFound extends Schema.TaggedError<AskSecretNotFound>()("AskSecretNotFound", {
  code: Schema.Literal("ask_secret_not_found"),
  message: Schema.String
}) {
  static readonly of = (id: string): AskSecretNotFound =>
    new AskSecretNotFound({ code: "ask_secret_not_found", message: `there is no valid ask secret with the id ${id}` })
}
