import { Context, DateTime, Duration, Effect, Either, Layer, Option, Schema } from "effect"
import { Connection, ConnectionId } from "../domain/Connection.ts"
import { Identifiers } from "../domain/Identifiers.ts"
import type { Idempotency } from "../domain/Idempotency.ts"
import { type IntentRequest, type ResolvedIntent, resolveIntent } from "../domain/Intent.ts"
import type { Tenancy } from "../domain/Tenancy.ts"
import {
  type ConnectionNotFound,
  ConnectionStore,
  Creation,
  type StoredConnection
} from "../persistence/ConnectionStore.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { Signals } from "./Signals.ts"

/** The request fits its schema and makes no sense; `details` point at each culprit (RFC 6901). */
export class Unprocessable extends Schema.TaggedError<Unprocessable>()("Unprocessable", {
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalWith(
    Schema.Array(Schema.Struct({ pointer: Schema.String, code: Schema.String, message: Schema.String })),
    { exact: true }
  )
}) {}

/** The first request under this idempotency key has not ended yet. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()("IdempotencyInProgress", {
  code: Schema.Literal("idempotency_in_progress"),
  message: Schema.String
}) {}

/** A connection that a request made, now or at its first sending. */
export interface Made {
  readonly stored: StoredConnection
  readonly replayed: boolean
}

/** What may be asked of connections. Each command writes rows and returns; phases do the work. */
export class Connections extends Context.Tag("lifecycle/Connections")<
  Connections,
  {
    readonly create: (
      tenancy: Tenancy,
      request: IntentRequest,
      idempotency: Option.Option<Idempotency>
    ) => Effect.Effect<Made, Unprocessable | IdempotencyInProgress | StoreUnavailable>
    /** The connection once its discovery has ended, or as it is after `atMost`. */
    readonly discovered: (
      tenancy: Tenancy,
      id: ConnectionId,
      atMost: Duration.Duration
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const identifiers = yield* Identifiers
      const signals = yield* Signals

      const requested = (tenancy: Tenancy, { effectiveIntent, intent }: ResolvedIntent) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          // Every part of it was checked when it was made; the store's encoding looks at the whole once more.
          const connection = Connection.make(
            {
              ...tenancy,
              id: ConnectionId.make(yield* identifiers.next("con")),
              intent,
              effectiveIntent,
              state: "requested",
              optionalFailures: [],
              createdAt: now,
              updatedAt: now
            },
            { disableValidation: true }
          )
          const event = { id: yield* identifiers.next("evt"), to: connection.state }
          return { connection, event, phase: Option.some("discover" as const) }
        })

      /** A reused key is said before a senseless body is, whatever the body. */
      const refuse = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        idempotency: Option.Option<Idempotency>,
        refused: Unprocessable
      ) {
        const earlier = yield* Effect.transposeMapOption(idempotency, (known) => store.replay(tenancy, known))
        return yield* Option.match(Option.flatten(earlier), { onNone: () => refused, onSome: answerOf })
      })

      return {
        create: Effect.fnUntraced(function* (tenancy, request, idempotency) {
          const resolved = resolveIntent(request)
          if (Either.isLeft(resolved)) {
            return yield* refuse(
              tenancy,
              idempotency,
              new Unprocessable({ code: "unprocessable", message: "the intent makes no sense", details: resolved.left })
            )
          }
          const first = yield* requested(tenancy, resolved.right)
          const creation = yield* Effect.uninterruptible(store.create(tenancy, first, idempotency))
          yield* signals.due
          return yield* answerOf(creation)
        }),
        discovered: Effect.fn("Connections.discovered")(function* (tenancy, id, atMost) {
          const hasMoved = Effect.map(store.find(tenancy, id), ({ state }) => state !== "requested")
          yield* Effect.timeoutOption(signals.until(id, lookEvery, hasMoved), atMost)
          return yield* store.find(tenancy, id)
        })
      }
    })
  )
}

/** Another process may have moved the connection: its signal does not reach this one. */
const lookEvery = Duration.seconds(1)

const answerOf: (creation: Creation) => Effect.Effect<Made, Unprocessable | IdempotencyInProgress> = Creation.$match({
  Created: ({ stored }) => Effect.succeed({ stored, replayed: false }),
  Replayed: ({ stored }) => Effect.succeed({ stored, replayed: true }),
  KeyReused: () =>
    new Unprocessable({
      code: "idempotency_key_reused",
      message: "this Idempotency-Key was used for another body within the last 24 hours"
    }),
  InProgress: () =>
    new IdempotencyInProgress({
      code: "idempotency_in_progress",
      message: "the first request with this Idempotency-Key has not ended yet; repeat the request shortly"
    })
})
