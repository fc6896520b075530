import { Schema } from "effect"

/** What an application may ask of receivers only so many times an hour. The names are stored in rows. */
export const WebhookRate = Schema.Literal("testEvents", "replays")
export type WebhookRate = typeof WebhookRate.Type

/** What an application has used of a rate in the hour that began with the first use, or would begin now. */
export const WebhookRateUse = Schema.Struct({ used: Schema.Int, endsAt: Schema.DateTimeUtc })
export type WebhookRateUse = typeof WebhookRateUse.Type

/** What belongs to each rate. */
export type EachWebhookRate<A> = { readonly [_ in WebhookRate]: A }
