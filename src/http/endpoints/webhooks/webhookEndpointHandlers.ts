import { HttpServerResponse } from "@effect/platform"
import { Effect, type Redacted, Schema } from "effect"
import type { ApplicationId, Tenancy } from "../../../domain/access/Tenancy.ts"
import {
  changeEndpointSettings,
  type EndpointStatus,
  type WebhookEndpointId,
  type WebhookEndpointSettings,
  webhookEndpointSettingNames
} from "../../../domain/webhook/WebhookEndpoint.ts"
import { listOmittedSettings } from "../../../domain/access/mergeSettings.ts"
import { SettingsOmitted } from "../../../lifecycle/commands/commandErrors.ts"
import type { StoredWebhookEndpoint } from "../../../persistence/stores/webhooks/StoredWebhookEndpoint.ts"
import { RequestFingerprints } from "../../../security/RequestFingerprints.ts"
import { WebhookEndpoints } from "../../../webhooks/WebhookEndpoints.ts"
import {
  WebhookEndpointBody,
  type WebhookEndpointReplacement,
  type WebhookEndpointUpdate,
  WebhookSecretBody
} from "./webhookEndpointBodies.ts"
import { etagOf, idempotencyOf, matchesIfMatch, toReplayedHeader } from "../responses.ts"
import { toListWindow, type WindowParameters } from "../../contract/listParameters.ts"

/** The application whose webhook endpoints a request is about. */
interface EndpointOwner {
  readonly applicationId: ApplicationId
  /** Whose idempotency key a creation has. */
  readonly tenancy: Tenancy
  /** Where the endpoints of the caller are. */
  readonly root: string
}

interface EndpointCreationRequest {
  readonly headers: { readonly "idempotency-key"?: string }
  readonly payload: WebhookEndpointSettings
}

interface WebhookEndpointRequest {
  readonly path: { readonly endpointId: WebhookEndpointId }
}

interface EndpointChangeRequest extends WebhookEndpointRequest {
  readonly headers: { readonly "if-match"?: string }
}

/** Makes the handlers of the endpoints that API keys have for their application, and administrators for each. */
export const makeWebhookEndpointHandlers = <Request, E, R>(
  findOwner: (request: Request) => Effect.Effect<EndpointOwner, E, R>
) => {
  const select = (request: Request & EndpointChangeRequest) =>
    Effect.map(findOwner(request), ({ applicationId }) => {
      const ifMatch = request.headers["if-match"]
      return {
        applicationId,
        id: request.path.endpointId,
        matches: (stored: StoredWebhookEndpoint) => ifMatch === undefined || matchesIfMatch(ifMatch, etagOf(stored))
      }
    })

  return Effect.gen(function* () {
    const webhooks = yield* WebhookEndpoints
    const fingerprints = yield* RequestFingerprints

    const setStatus = (status: typeof EndpointStatus.Type) => (request: Request & EndpointChangeRequest) =>
      Effect.flatMap(select(request), (selection) =>
        Effect.map(webhooks.setStatus(selection, status), respondWithEndpoint)
      )

    return {
      create: Effect.fnUntraced(function* (request: Request & EndpointCreationRequest) {
        const { headers, payload } = request
        const { applicationId, root, tenancy } = yield* findOwner(request)
        const idempotency = yield* idempotencyOf(fingerprints, tenancy, {
          route: `POST ${root}`,
          key: headers["idempotency-key"],
          body: payload
        })
        const { isReplayed, secret, stored } = yield* webhooks.create(applicationId, payload, idempotency)
        const location = `${root}/${stored.endpoint.id}`
        return respondWithSecret(stored, secret, 201, { location, ...toReplayedHeader(isReplayed) })
      }),
      list: Effect.fnUntraced(function* (request: Request & { readonly urlParams: WindowParameters }) {
        const { applicationId } = yield* findOwner(request)
        const stored = yield* webhooks.list(applicationId, toListWindow(request.urlParams))
        return { endpoints: stored.map(({ endpoint }) => endpoint) }
      }),
      get: Effect.fnUntraced(function* (request: Request & WebhookEndpointRequest) {
        const { applicationId } = yield* findOwner(request)
        return respondWithEndpoint(yield* webhooks.find(applicationId, request.path.endpointId))
      }),
      update: Effect.fnUntraced(function* (
        request: Request & EndpointChangeRequest & { readonly payload: WebhookEndpointUpdate }
      ) {
        const { status, ...settings } = request.payload
        const updated = yield* webhooks.update(yield* select(request), ({ endpoint }) =>
          Effect.succeed({ settings: changeEndpointSettings(endpoint, settings), status: status ?? endpoint.status })
        )
        return respondWithEndpoint(updated)
      }),
      replace: Effect.fnUntraced(function* (
        request: Request & EndpointChangeRequest & { readonly payload: WebhookEndpointReplacement }
      ) {
        const { status, ...settings } = request.payload
        const updated = yield* webhooks.update(yield* select(request), ({ endpoint }) => {
          const omitted = listOmittedSettings(webhookEndpointSettingNames, endpoint, settings)
          return omitted.length > 0
            ? Effect.fail(SettingsOmitted.of(omitted))
            : Effect.succeed({ settings, status: status ?? endpoint.status })
        })
        return respondWithEndpoint(updated)
      }),
      pause: setStatus("paused"),
      resume: setStatus("enabled"),
      remove: (request: Request & EndpointChangeRequest) => Effect.flatMap(select(request), webhooks.remove),
      rotateSecret: Effect.fnUntraced(function* (request: Request & EndpointChangeRequest) {
        const { secret, stored } = yield* webhooks.rotateSecret(yield* select(request))
        return respondWithSecret(stored, secret, 200)
      }),
      sendTest: Effect.fnUntraced(function* (request: Request & WebhookEndpointRequest) {
        const { applicationId } = yield* findOwner(request)
        return { delivery: yield* webhooks.sendTest(applicationId, request.path.endpointId) }
      })
    }
  })
}

const respondWithEndpoint = (stored: StoredWebhookEndpoint) =>
  HttpServerResponse.unsafeJson(encodeEndpoint({ endpoint: stored.endpoint }), { headers: { etag: etagOf(stored) } })

const respondWithSecret = (
  stored: StoredWebhookEndpoint,
  secret: Redacted.Redacted,
  status: number,
  headers: Record<string, string> = {}
) =>
  HttpServerResponse.unsafeJson(encodeWithSecret({ endpoint: stored.endpoint, secret }), {
    status,
    headers: { etag: etagOf(stored), ...headers }
  })

const encodeEndpoint = Schema.encodeSync(WebhookEndpointBody)

const encodeWithSecret = Schema.encodeSync(WebhookSecretBody)
