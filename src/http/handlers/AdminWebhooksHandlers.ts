import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Applications } from "../../administration/Applications.ts"
import { Api } from "../contract/Api.ts"
import { serveEndpoints } from "../pipeline/Endpoints.ts"
import { administrationTenancy } from "./idempotentAnswers.ts"
import { toListWindow } from "./listRequests.ts"
import { makeWebhookEndpointAnswers } from "./webhookEndpointAnswers.ts"

/** Handles the webhook endpoints of an application, for administrators: by the same rules as for its API keys. */
export const AdminWebhooksHandlers = HttpApiBuilder.group(
  Api,
  "adminWebhooks",
  Effect.fnUntraced(function* (handlers) {
    const applications = yield* Applications
    const answers = yield* makeWebhookEndpointAnswers

    return yield* handlers
      .handle("create", ({ headers, path: { applicationId }, payload }) =>
        Effect.zipRight(
          applications.find(applicationId),
          answers.create(applicationId, payload, {
            tenancy: administrationTenancy,
            path: `/v1/admin/applications/${applicationId}/webhook-endpoints`,
            key: headers["idempotency-key"]
          })
        )
      )
      .handle("list", ({ path: { applicationId }, urlParams }) =>
        Effect.zipRight(applications.find(applicationId), answers.list(applicationId, toListWindow(urlParams)))
      )
      .handle("get", ({ path }) => answers.get(path))
      .handle("update", ({ headers, path, payload }) => answers.update(path, headers["if-match"], payload))
      .handle("replace", ({ headers, path, payload }) => answers.replace(path, headers["if-match"], payload))
      .handle("pause", ({ headers, path }) => answers.setStatus(path, headers["if-match"], "paused"))
      .handle("resume", ({ headers, path }) => answers.setStatus(path, headers["if-match"], "enabled"))
      .handle("remove", ({ headers, path }) => answers.remove(path, headers["if-match"]))
      .handle("rotateSecret", ({ headers, path }) => answers.rotateSecret(path, headers["if-match"]))
      .handle("sendTest", ({ path }) => answers.sendTest(path))
      .pipe(serveEndpoints)
  })
)
