import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Applications } from "../../../administration/Applications.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { Api } from "../Api.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { administrationTenancy } from "../administration/idempotentAnswers.ts"
import { makeWebhookEndpointHandlers } from "./webhookEndpointHandlers.ts"

/** Handles the webhook endpoints of an application that exists, for administrators. */
export const AdminWebhooksHandlers = HttpApiBuilder.group(
  Api,
  "adminWebhooks",
  Effect.fnUntraced(function* (handlers) {
    const applications = yield* Applications
    const shared = yield* makeWebhookEndpointHandlers(
      ({ path: { applicationId } }: { readonly path: { readonly applicationId: ApplicationId } }) =>
        Effect.as(applications.find(applicationId), {
          applicationId,
          tenancy: administrationTenancy,
          root: `/v1/admin/applications/${applicationId}/webhook-endpoints`
        })
    )

    return yield* handlers
      .handle("create", shared.create)
      .handle("list", shared.list)
      .handle("get", shared.get)
      .handle("update", shared.update)
      .handle("replace", shared.replace)
      .handle("pause", shared.pause)
      .handle("resume", shared.resume)
      .handle("remove", shared.remove)
      .handle("rotateSecret", shared.rotateSecret)
      .handle("sendTest", shared.sendTest)
      .pipe(serveEndpoints)
  })
)
