import { Schema, Struct } from "effect"
import type { SealedSecret } from "../access/SealedSecret.ts"
import { type ApplicationId, TenantId } from "../access/Tenancy.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { assignedId, boundedArray, boundedString, optional } from "../values/boundedSchemas.ts"
import { mergeSettings, removable } from "../access/mergeSettings.ts"
import { WebhookEventType } from "./WebhookEvent.ts"

export const WebhookEndpointId = assignedId("Assigned by the service.").pipe(Schema.brand("WebhookEndpointId"))
export type WebhookEndpointId = typeof WebhookEndpointId.Type

export const WebhookEventId = assignedId("Assigned by the service.").pipe(Schema.brand("WebhookEventId"))
export type WebhookEventId = typeof WebhookEventId.Type

export const PauseReason = Schema.Literal("requested", "gone", "failing").annotations({
  identifier: "PauseReason",
  description:
    "`requested` by a key or on the command line, `gone` after an answer 410, or `failing` after five days without a successful attempt."
})
export type PauseReason = typeof PauseReason.Type

export const EndpointStatus = Schema.Literal("enabled", "paused").annotations({
  identifier: "EndpointStatus",
  description: "Whether an endpoint gets its events."
})

/** The settings of an endpoint that a platform chooses. */
export const WebhookEndpointSettings = Schema.Struct({
  url: boundedString(2_000).annotations({
    description: "Where the events are posted to: an `https` URL with a public address."
  }),
  description: optional(boundedString(500)),
  eventTypes: optional(
    boundedArray(WebhookEventType, { min: 1, max: WebhookEventType.literals.length }).annotations({
      description: "Only these events, and `endpoint.paused`; all of them if absent."
    })
  ),
  tenantIds: optional(
    boundedArray(TenantId, { min: 0, max: 100 }).annotations({
      description:
        "Only connections of these tenants; those of all tenants of the application if absent, and of none if empty. A tenant that is erased is taken out."
    })
  )
})
export type WebhookEndpointSettings = typeof WebhookEndpointSettings.Type

export const webhookEndpointSettingNames = Struct.keys(WebhookEndpointSettings.fields)

const { description, eventTypes, tenantIds, url } = WebhookEndpointSettings.fields

/** A change of single settings of an endpoint: `null` removes one. */
export const WebhookEndpointSettingsChange = Schema.Struct({
  url: optional(url),
  description: removable(description.from),
  eventTypes: removable(eventTypes.from),
  tenantIds: removable(tenantIds.from)
})
export type WebhookEndpointSettingsChange = typeof WebhookEndpointSettingsChange.Type

export const endpointSettingsOf = (endpoint: WebhookEndpointSettings): WebhookEndpointSettings =>
  Struct.pick(endpoint, ...webhookEndpointSettingNames)

export const changeEndpointSettings = (
  endpoint: WebhookEndpointSettings,
  change: WebhookEndpointSettingsChange
): WebhookEndpointSettings => decodeSettings(mergeSettings(endpointSettingsOf(endpoint), change))

const decodeSettings = Schema.decodeUnknownSync(WebhookEndpointSettings)

/** The address of a platform to which the service posts events, as the API shows it. */
export const WebhookEndpoint = Schema.Struct({
  id: WebhookEndpointId,
  ...WebhookEndpointSettings.fields,
  status: EndpointStatus,
  pauseReason: optional(PauseReason),
  /** The first failed attempt since the last successful one. */
  failingSince: optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Type

export interface WebhookSecretOwner {
  readonly applicationId: ApplicationId
  readonly endpointId: WebhookEndpointId
}

/** The sealed secrets of an endpoint: `previous` signs too until it ends. */
export interface SealedWebhookSecrets {
  readonly current: SealedSecret
  readonly previous?: SealedSecret
}

/** How long the secret before a rotation goes on signing. */
export const secretOverlapSeconds = 24 * 60 * 60

/** How long an endpoint may fail before it is paused. */
export const failingDaysUntilPause = 5
