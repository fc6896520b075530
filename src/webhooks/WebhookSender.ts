import { Clock, Context, DateTime, Effect, Layer, Metric, Option, Random, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { Identifiers } from "../domain/values/Identifiers.ts"
import { type AttemptOutcome, retryDelayOf } from "../domain/webhook/WebhookDelivery.ts"
import { formatWebhookBody } from "../domain/webhook/WebhookEvent.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { WebhookDeliveryStore } from "../persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { metrics } from "../runtime/metrics.ts"
import { WebhookSecrets } from "../security/WebhookSecrets.ts"
import { ReceiverClient } from "./ReceiverClient.ts"
import type { ClaimedDelivery } from "../persistence/stores/webhooks/claimDeliveries.ts"

/** Makes one attempt of a delivery, and writes how it ended. */
export class WebhookSender extends Context.Tag("webhooks/WebhookSender")<
  WebhookSender,
  {
    readonly attempt: (delivery: ClaimedDelivery) => Effect.Effect<void, StoreUnavailable>
    /** The versions of the master key under which it can read secrets, and sign. */
    readonly keyVersions: ReadonlyArray<number>
  }
>() {
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const store = yield* WebhookDeliveryStore
      const secrets = yield* WebhookSecrets
      const receivers = yield* ReceiverClient
      const { next } = yield* Identifiers

      const post = Effect.fnUntraced(function* ({
        applicationId,
        endpointId,
        event,
        secrets: sealed,
        url
      }: ClaimedDelivery) {
        const signing = yield* secrets.open({ applicationId, endpointId }, sealed)
        if (signing.length === 0) return { error: "secret_unreadable" } as const
        const body = formatWebhookBody(event)
        const now = yield* DateTime.nowAsDate
        const answer = yield* receivers.post(
          url,
          {
            "user-agent": "domain-connection-service",
            "webhook-id": event.id,
            "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
            "webhook-signature": signing
              .map((secret) => new Webhook(Redacted.value(secret)).sign(event.id, now, body))
              .join(" ")
          },
          body
        )
        return { ...classifyStatus(answer.status), ...toRetryAfter(answer.retryAfter, now) }
      })

      return {
        keyVersions: secrets.keyVersions,
        attempt: Effect.fnUntraced(function* (delivery) {
          const startedAt = yield* Clock.currentTimeMillis
          const outcome: Omit<AttemptOutcome, "millis"> = yield* Effect.catchTag(
            post(delivery),
            "AttemptFailed",
            ({ error }) => Effect.succeed({ error })
          )
          const { error, retryAfterSeconds, status } = outcome
          yield* Metric.increment(metrics.webhookAttempts.labeled(error ?? "delivered"))
          const millis = (yield* Clock.currentTimeMillis) - startedAt
          yield* Metric.update(metrics.webhookAttemptDuration.labeled(), millis / 1_000)
          const isPaused = yield* store.settle(delivery, {
            ...outcome,
            millis,
            retryInSeconds: retryDelayOf(delivery.attempts + 1, yield* Random.next, retryAfterSeconds),
            isGone: status === 410,
            pauseEventId: yield* next("evt")
          })
          if (isPaused)
            yield* Effect.annotateLogs(Effect.logWarning("Webhook endpoint paused"), {
              endpointId: delivery.endpointId,
              applicationId: delivery.applicationId,
              reason: status === 410 ? "gone" : "failing"
            })
        }, Effect.withSpan("webhook.attempt"))
      }
    })
  )
}

const classifyStatus = (status: number): Pick<AttemptOutcome, "error" | "status"> => {
  if (status >= 200 && status < 300) return { status }
  return { status, error: status >= 300 && status < 400 ? "redirect" : "status" }
}

/** The seconds or the date of `Retry-After` (RFC 9110 section 10.2.3). */
const toRetryAfter = (header: Option.Option<string>, now: Date): Pick<AttemptOutcome, "retryAfterSeconds"> => {
  if (Option.isNone(header)) return {}
  const text = header.value.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1_000
  return seconds > 0 ? { retryAfterSeconds: seconds } : {}
}
