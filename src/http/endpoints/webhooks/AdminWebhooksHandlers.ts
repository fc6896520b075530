import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Applications } from "../../../administration/Applications.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { Api } from "../Api.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { administrationTenancy } from "../administration/idempotentAnswers.ts"
import { toListWindow } from "../listRequests.ts"
import { makeWebhookEndpointAnswers } from "./webhookEndpointAnswers.ts"

/** Handles the webhook endpoints of an application, for administrators: by the same rules as for its API keys. */
export const AdminWebhooksHandlers = HttpApiBuilder.group(
  Api,
  "adminWebhooks",
  Effect.fnUntraced(function* (handlers) {
    const applications = yield* Applications
    const answers = yield* makeWebhookEndpointAnswers

    /** Answers about an endpoint of an application that exists. */
    const ofApplication = <A, E, R>(
      { applicationId }: { readonly applicationId: ApplicationId },
      answer: Effect.Effect<A, E, R>
    ) => Effect.zipRight(applications.find(applicationId), answer)

    return yield* handlers
      .handle("create", ({ headers, path, payload }) =>
        ofApplication(
          path,
          answers.create(path.applicationId, payload, {
            tenancy: administrationTenancy,
            path: `/v1/admin/applications/${path.applicationId}/webhook-endpoints`,
            key: headers["idempotency-key"]
          })
        )
      )
      .handle("list", ({ path, urlParams }) =>
        ofApplication(path, answers.list(path.applicationId, toListWindow(urlParams)))
      )
      .handle("get", ({ path }) => ofApplication(path, answers.get(path)))
      .handle("update", ({ headers, path, payload }) =>
        ofApplication(path, answers.update(path, headers["if-match"], payload))
      )
      .handle("replace", ({ headers, path, payload }) =>
        ofApplication(path, answers.replace(path, headers["if-match"], payload))
      )
      .handle("pause", ({ headers, path }) =>
        ofApplication(path, answers.setStatus(path, headers["if-match"], "paused"))
      )
      .handle("resume", ({ headers, path }) =>
        ofApplication(path, answers.setStatus(path, headers["if-match"], "enabled"))
      )
      .handle("remove", ({ headers, path }) => ofApplication(path, answers.remove(path, headers["if-match"])))
      .handle("rotateSecret", ({ headers, path }) =>
        ofApplication(path, answers.rotateSecret(path, headers["if-match"]))
      )
      .handle("sendTest", ({ path }) => ofApplication(path, answers.sendTest(path)))
      .pipe(serveEndpoints)
  })
)
