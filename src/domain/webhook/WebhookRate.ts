import { Schema } from "effect"

/** The requests to receivers that an application may make only so many times an hour. The names are stored in rows. */
export const WebhookRate = Schema.Literal("testEvents", "replays")
export type WebhookRate = typeof WebhookRate.Type

/**
 * How much of a rate an application has used in its current hour, which begins with the first use, or would begin now.
 */
export const WebhookRateUse = Schema.Struct({ used: Schema.Int, endsAt: Schema.DateTimeUtc })
export type WebhookRateUse = typeof WebhookRateUse.Type

export type EachWebhookRate<A> = { readonly [_ in WebhookRate]: A }
