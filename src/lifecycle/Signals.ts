import { Context, type Duration, Effect, Layer, PubSub, Queue } from "effect"
import type { ConnectionId } from "../domain/Connection.ts"

/** Hints inside one process that spare a look into the table; whoever misses one finds out at the next look. */
export class Signals extends Context.Tag("lifecycle/Signals")<
  Signals,
  {
    /** Something is due. */
    readonly due: Effect.Effect<void>
    /** Returns when something is due, or after `atMost`. */
    readonly awaitDue: (atMost: Duration.Duration) => Effect.Effect<void>
    /** This connection was written. */
    readonly changed: (id: ConnectionId) => Effect.Effect<void>
    /** Runs `look` now, at each change of this connection and after each `atMost`, until it gives true. */
    readonly until: <E>(
      id: ConnectionId,
      atMost: Duration.Duration,
      look: Effect.Effect<boolean, E>
    ) => Effect.Effect<void, E>
  }
>() {
  static readonly layer = Layer.effect(
    Signals,
    Effect.gen(function* () {
      const dueness = yield* Queue.sliding<void>(1)
      const changes = yield* PubSub.sliding<ConnectionId>(1_024)

      return {
        due: Queue.offer(dueness, undefined),
        awaitDue: (atMost) => Effect.ignore(Effect.timeout(Queue.take(dueness), atMost)),
        changed: (id) => PubSub.publish(changes, id),
        until: (id, atMost, look) =>
          Effect.scoped(
            Effect.flatMap(PubSub.subscribe(changes), (of) =>
              Effect.ignore(Effect.timeout(nextChange(of, id), atMost)).pipe(
                Effect.unlessEffect(look),
                Effect.repeat({ while: (waited) => waited._tag === "Some" }),
                Effect.asVoid
              )
            )
          )
      }
    })
  )
}

const nextChange = (of: Queue.Dequeue<ConnectionId>, id: ConnectionId) =>
  Effect.repeat(Queue.take(of), { until: (changed) => changed === id })
