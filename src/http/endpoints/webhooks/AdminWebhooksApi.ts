import { HttpApiEndpoint, HttpApiGroup, type HttpMethod, OpenApi } from "@effect/platform"
import { Context, Option, Schema } from "effect"
import { ApplicationNotFound } from "../../../administration/administrationErrors.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { WebhookEndpointNotFound } from "../../../webhooks/webhookErrors.ts"
import { defineErrorResponse } from "../../contract/defineErrorResponse.ts"
import { allowAdmins } from "../../contract/securitySchemes.ts"
import { applicationNotFound, defineAdminPath } from "../administration/adminRequests.ts"
import { sharedEndpoints } from "./WebhooksApi.ts"

const { create, get, list, pause, remove, replace, resume, rotateSecret, sendTest, update } = sharedEndpoints

const endpointNotFound = defineErrorResponse("There is no such application, or it has no such webhook endpoint.", [
  ApplicationNotFound,
  WebhookEndpointNotFound
])

/** The path parameters of an endpoint, with the application before them. */
type AdminPath<Path> = { readonly applicationId: ApplicationId } & ([Path] extends [never] ? unknown : Path)

/** Declares for administrators what an endpoint does for the API keys of an application, in the same words but for `others`. */
const ofApplication = <
  Name extends string,
  Method extends HttpMethod.HttpMethod,
  Path,
  UrlParams,
  Payload,
  Headers,
  Success,
  Error
>(
  endpoint: HttpApiEndpoint.HttpApiEndpoint<Name, Method, Path, UrlParams, Payload, Headers, Success, Error>,
  identifier: string,
  others: { readonly summary?: string; readonly description?: string } = {}
) => {
  const application = defineAdminPath({})
  const path = Option.match(endpoint.pathSchema, {
    onNone: () => application,
    onSome: (own) => Schema.extend(application, own)
    // The compiler does not see that a path without parameters has none.
  }) as unknown as Schema.Schema<AdminPath<Path>, Readonly<Record<string, string>>>
  const [summary = ""] = Option.toArray(Context.getOption(endpoint.annotations, OpenApi.Summary))
  const words = {
    summary: summary.replace(/webhook endpoints?/, "$& of an application"),
    description: `The same as \`${endpoint.method} /v1${describePath(endpoint.path)}\` by an API key of the application.`,
    ...others
  }
  return endpoint
    .prefix("/v1/admin/applications/:applicationId")
    .setPath(path)
    .pipe(allowAdmins(endpoint.method === "GET" ? "admin:read" : "admin:write"))
    .addError(Option.isNone(endpoint.pathSchema) ? applicationNotFound : endpointNotFound)
    .annotate(OpenApi.Identifier, identifier)
    .annotate(OpenApi.Summary, words.summary)
    .annotate(OpenApi.Description, words.description)
}

const describePath = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}")

/** The webhook endpoints of an application, for administrators. */
export class AdminWebhooksApi extends HttpApiGroup.make("adminWebhooks")
  .add(ofApplication(create, "createApplicationWebhookEndpoint"))
  .add(ofApplication(list, "listApplicationWebhookEndpoints"))
  .add(ofApplication(get, "getApplicationWebhookEndpoint"))
  .add(ofApplication(update, "updateApplicationWebhookEndpoint"))
  .add(ofApplication(replace, "replaceApplicationWebhookEndpoint"))
  .add(ofApplication(pause, "pauseApplicationWebhookEndpoint"))
  .add(ofApplication(resume, "resumeApplicationWebhookEndpoint"))
  .add(
    ofApplication(remove, "deleteApplicationWebhookEndpoint", {
      description: "What waits for it is not sent any more."
    })
  )
  .add(ofApplication(rotateSecret, "rotateApplicationWebhookSecret"))
  .add(
    ofApplication(sendTest, "sendApplicationTestEvent", {
      summary: "Send a test event to a webhook endpoint of an application",
      description:
        "Sends `endpoint.test` to this endpoint alone, whatever it filters, at most 120 times an hour for the application."
    })
  )
  .annotate(OpenApi.Title, "Administration of webhooks")
  .annotate(OpenApi.Description, "The webhook endpoints of an application.") {}
