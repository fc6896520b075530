import { HttpServerResponse } from "@effect/platform"
import { Effect, type Redacted, Schema } from "effect"
import type { ListWindow } from "../../../domain/values/PageRequest.ts"
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

/** The request that creates an endpoint. */
interface EndpointCreationRequest {
  /** Whose idempotency key it is. */
  readonly tenancy: Tenancy
  /** Where the endpoints of the caller are. */
  readonly path: string
  readonly key: string | undefined
}

interface EndpointReference {
  readonly applicationId: ApplicationId
  readonly endpointId: WebhookEndpointId
}

/** Makes the functions that answer requests about the webhook endpoints of an application, of its API keys or of administrators. */
export const makeWebhookEndpointAnswers = Effect.gen(function* () {
  const webhooks = yield* WebhookEndpoints
  const fingerprints = yield* RequestFingerprints

  const update = (
    endpoint: EndpointReference,
    ifMatch: string | undefined,
    { status, ...settings }: WebhookEndpointUpdate
  ) =>
    Effect.map(
      webhooks.update(select(endpoint, ifMatch), ({ endpoint: current }) =>
        Effect.succeed({ settings: changeEndpointSettings(current, settings), status: status ?? current.status })
      ),
      respondWithEndpoint
    )

  return {
    create: Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      settings: WebhookEndpointSettings,
      { key, path, tenancy }: EndpointCreationRequest
    ) {
      const request = { route: `POST ${path}`, key, body: settings }
      const idempotency = yield* idempotencyOf(fingerprints, tenancy, request)
      const { isReplayed, secret, stored } = yield* webhooks.create(applicationId, settings, idempotency)
      const location = `${path}/${stored.endpoint.id}`
      return respondWithSecret(stored, secret, 201, { location, ...toReplayedHeader(isReplayed) })
    }),
    list: (applicationId: ApplicationId, window: ListWindow) =>
      Effect.map(webhooks.list(applicationId, window), (stored) => ({
        endpoints: stored.map(({ endpoint }) => endpoint)
      })),
    get: ({ applicationId, endpointId }: EndpointReference) =>
      Effect.map(webhooks.find(applicationId, endpointId), respondWithEndpoint),
    update,
    replace: (
      endpoint: EndpointReference,
      ifMatch: string | undefined,
      { status, ...settings }: WebhookEndpointReplacement
    ) =>
      Effect.map(
        webhooks.update(select(endpoint, ifMatch), ({ endpoint: current }) => {
          const omitted = listOmittedSettings(webhookEndpointSettingNames, current, settings)
          return omitted.length > 0
            ? Effect.fail(SettingsOmitted.of(omitted))
            : Effect.succeed({ settings, status: status ?? current.status })
        }),
        respondWithEndpoint
      ),
    setStatus: (endpoint: EndpointReference, ifMatch: string | undefined, status: typeof EndpointStatus.Type) =>
      Effect.map(webhooks.setStatus(select(endpoint, ifMatch), status), respondWithEndpoint),
    remove: (endpoint: EndpointReference, ifMatch: string | undefined) => webhooks.remove(select(endpoint, ifMatch)),
    rotateSecret: Effect.fnUntraced(function* (endpoint: EndpointReference, ifMatch: string | undefined) {
      const { secret, stored } = yield* webhooks.rotateSecret(select(endpoint, ifMatch))
      return respondWithSecret(stored, secret, 200)
    }),
    sendTest: Effect.fnUntraced(function* ({ applicationId, endpointId }: EndpointReference) {
      const sent = webhooks.sendTest(applicationId, endpointId)
      return { delivery: yield* sent }
    })
  }
})

const select = ({ applicationId, endpointId }: EndpointReference, ifMatch: string | undefined) => ({
  applicationId,
  id: endpointId,
  matches: (stored: StoredWebhookEndpoint) => ifMatch === undefined || matchesIfMatch(ifMatch, etagOf(stored))
})

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
