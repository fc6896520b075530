import { Command, Options } from "@effect/cli"
import { DateTime, Effect, Option, Record, Schema } from "effect"
import { DeliveryStatus, WebhookDelivery } from "../domain/webhook/WebhookDelivery.ts"
import { WebhookEventId } from "../domain/webhook/WebhookEndpoint.ts"
import { Timestamp } from "../domain/values/Timestamp.ts"
import { WebhookEndpoints } from "../webhooks/WebhookEndpoints.ts"
import { applicationId, json, printResult, validate } from "./options.ts"
import { endpointId, webhookEnvironment as environment } from "./webhookOptions.ts"

const status = Options.text("status").pipe(
  validate(Schema.compose(Schema.String, DeliveryStatus), `--status takes ${DeliveryStatus.literals.join(", ")}`),
  Options.withDescription("Only deliveries with this status."),
  Options.optional
)

/** `webhooks deliveries`: what an endpoint got, and what not, the newest first. */
export const deliveries = Command.make(
  "deliveries",
  {
    endpointId,
    applicationId,
    status,
    limit: Options.integer("limit").pipe(
      validate(Schema.Int.pipe(Schema.between(1, 500)), "--limit takes a whole number from 1 to 500"),
      Options.withDefault(50),
      Options.withDescription("How many deliveries at most: 1 to 500.")
    ),
    environment,
    json
  },
  ({ applicationId, endpointId, json, limit, status }) =>
    Effect.gen(function* () {
      const filter = Option.match(status, { onNone: () => ({}), onSome: (status) => ({ statuses: [status] }) })
      const found = yield* (yield* WebhookEndpoints).listDeliveries(applicationId, endpointId, filter, { limit })
      yield* printResult(json, encodeDeliveries(found), found.map(formatDelivery).join("\n"))
    })
).pipe(Command.withDescription("List what an endpoint got and what not, the newest first: 30 days."))

const encodeDeliveries = Schema.encodeSync(Schema.Array(WebhookDelivery))

const formatDelivery = ({ attempts, createdAt, eventId, lastAttempt, nextAttemptAt, status, type }: WebhookDelivery) =>
  [
    DateTime.formatIso(createdAt),
    eventId,
    type,
    `${status} after ${attempts}`,
    ...(lastAttempt?.error === undefined ? [] : [lastAttempt.error]),
    ...(lastAttempt?.status === undefined ? [] : [`answer ${lastAttempt.status}`]),
    ...(nextAttemptAt === undefined ? [] : [`next at ${DateTime.formatIso(nextAttemptAt)}`])
  ].join("  ")

/** `webhooks replay`: makes one event due again, or all since a moment. */
export const replay = Command.make(
  "replay",
  {
    endpointId,
    applicationId,
    event: Options.text("event").pipe(
      Options.withSchema(WebhookEventId),
      Options.withDescription("The id of one event."),
      Options.optional
    ),
    from: Options.text("from").pipe(
      validate(Timestamp, "--from takes a moment such as 2026-01-31T09:30:00.000Z"),
      Options.withDescription("Without --event: the events since this moment; by default those of 30 days."),
      Options.optional
    ),
    status,
    environment,
    json
  },
  ({ applicationId, endpointId, event, from, json, status }) =>
    Effect.gen(function* () {
      const webhooks = yield* WebhookEndpoints
      const filter = Option.match(status, { onNone: () => ({}), onSome: (status) => ({ statuses: [status] }) })
      const window = Record.getSomes({ createdAfter: Option.map(from, DateTime.toDateUtc) })
      const replayAll = (after?: string): Effect.Effect<number, ReplayError> =>
        webhooks
          .replayMany(applicationId, endpointId, filter, {
            ...window,
            limit: atOnce,
            ...(after === undefined ? {} : { after })
          })
          .pipe(
            Effect.flatMap((ids) =>
              ids.length < atOnce
                ? Effect.succeed(ids.length)
                : Effect.map(replayAll(ids.at(-1)), (others) => ids.length + others)
            )
          )
      const replayed = yield* Option.match(event, {
        onNone: () => replayAll(),
        onSome: (event) => Effect.as(webhooks.replay(applicationId, endpointId, event), 1)
      })
      yield* printResult(
        json,
        { replayed },
        `${replayed} due again; the service sends them unless the endpoint is paused`
      )
    })
).pipe(Command.withDescription("Send an event again, or all since a moment; each with all its attempts."))

type ReplayError = Effect.Effect.Error<ReturnType<(typeof WebhookEndpoints.Service)["replayMany"]>>

const atOnce = 1_000
