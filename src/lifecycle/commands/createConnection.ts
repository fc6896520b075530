import { DateTime, Duration, Effect, Either, Option } from "effect"
import { Connection, ConnectionId } from "../../domain/Connection.ts"
import type { IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import { type IntentRequest, type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { Transitions } from "../commit/Transitions.ts"
import { Unprocessable } from "./commandErrors.ts"
import { toCommandResult } from "./defineCommand.ts"

/** Writes a new connection in `requested`, with its discovery due at once. */
export const createConnection = Effect.gen(function* () {
  const identifiers = yield* Identifiers
  const signals = yield* ConnectionSignals
  const store = yield* ConnectionStore
  const transitions = yield* Transitions

  const start = Effect.fnUntraced(function* (tenancy: Tenancy, resolved: ResolvedIntent) {
    const id = ConnectionId.make(yield* identifiers.next("con"))
    return yield* transitions.start(newConnection(tenancy, id, resolved, yield* DateTime.now))
  })

  /** Refuses the body, unless the idempotency key was used before: that answer comes first, whatever the body. */
  const refuse = Effect.fnUntraced(function* (
    tenancy: Tenancy,
    idempotency: Option.Option<IdempotentRequest>,
    refusal: Unprocessable
  ) {
    const earlier = yield* Effect.transposeMapOption(idempotency, (request) => store.findReplay(tenancy, request))
    return yield* Option.match(Option.flatten(earlier), { onNone: () => refusal, onSome: toCommandResult })
  })

  return Effect.fnUntraced(function* (
    tenancy: Tenancy,
    request: IntentRequest,
    idempotency: Option.Option<IdempotentRequest>
  ) {
    const resolved = resolveIntent(request)
    if (Either.isLeft(resolved)) {
      return yield* refuse(
        tenancy,
        idempotency,
        new Unprocessable({ code: "unprocessable", message: "the intent makes no sense", details: resolved.left })
      )
    }
    const transition = yield* start(tenancy, resolved.right)
    const commit = yield* Effect.uninterruptible(store.create(tenancy, transition, idempotency))
    yield* signals.notifyDue
    return yield* toCommandResult(commit)
  })
})

/** Returns the connection when its first discovery has ended, or as it is after `atMost`. */
export const awaitDiscovery = Effect.gen(function* () {
  const signals = yield* ConnectionSignals
  const store = yield* ConnectionStore

  return Effect.fn("Connections.awaitDiscovery")(function* (
    tenancy: Tenancy,
    id: ConnectionId,
    atMost: Duration.Duration
  ) {
    const isDiscovered = Effect.map(store.find(tenancy, id), ({ state }) => state !== "requested")
    yield* Effect.timeoutOption(signals.waitUntil(id, readEvery, isDiscovered), atMost)
    return yield* store.find(tenancy, id)
  })
})

/** Every part was validated when it was made, and the store's encoding validates the whole once more. */
const newConnection = (
  tenancy: Tenancy,
  id: ConnectionId,
  { effectiveIntent, intent }: ResolvedIntent,
  now: DateTime.Utc
): Connection =>
  Connection.make(
    {
      ...tenancy,
      id,
      intent,
      effectiveIntent,
      state: "requested",
      optionalFailures: [],
      createdAt: now,
      updatedAt: now
    },
    { disableValidation: true }
  )

/** Another process may discover the connection, and its signal may not reach this one. */
const readEvery = Duration.seconds(1)
