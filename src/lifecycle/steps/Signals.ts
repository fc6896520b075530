import { Context, type Duration, Effect, Layer, Queue, Stream } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { Announcements } from "../../persistence/Announcements.ts"

/** Hints that spare a look into the table; whoever misses one finds out at the next look. */
export class Signals extends Context.Tag("lifecycle/Signals")<
  Signals,
  {
    /** Something is due; the dispatcher of this process will see to it. */
    readonly due: Effect.Effect<void>
    /** Returns when something is due, or after `atMost`. */
    readonly awaitDue: (atMost: Duration.Duration) => Effect.Effect<void>
    /** This connection was written; processes that wait for it elsewhere hear of it too. */
    readonly changed: (id: ConnectionId) => Effect.Effect<void>
    /** Runs `look` now, at each change of this connection and after each `atMost`, until it gives true. */
    readonly until: <E>(
      id: ConnectionId,
      atMost: Duration.Duration,
      look: Effect.Effect<boolean, E>
    ) => Effect.Effect<void, E>
  }
>() {
  static readonly layer = Layer.scoped(
    Signals,
    Effect.gen(function* () {
      const { heard, say } = yield* Announcements
      const dueness = yield* Queue.sliding<void>(1)
      const watchers: Watchers = new Map()
      const wake = (id: string) =>
        Effect.suspend(() =>
          Effect.forEach(watchers.get(id) ?? [], (watcher) => Queue.offer(watcher, undefined), { discard: true })
        )
      yield* Effect.forkScoped(Stream.runForEach(heard("connection_changed"), wake))

      return {
        due: Queue.offer(dueness, undefined),
        awaitDue: (atMost) => Effect.ignore(Effect.timeout(Queue.take(dueness), atMost)),
        changed: (id) => Effect.zipRight(wake(id), say("connection_changed", id)),
        until: (id, atMost, look) =>
          Effect.acquireUseRelease(
            watching(watchers, id),
            (changes) =>
              Effect.ignore(Effect.timeout(Queue.take(changes), atMost)).pipe(
                Effect.unlessEffect(look),
                Effect.repeat({ while: (waited) => waited._tag === "Some" }),
                Effect.asVoid
              ),
            (changes) => leaving(watchers, id, changes)
          )
      }
    })
  )
}

/** By connection: who waits for one does not wake for the others. */
type Watchers = Map<string, Set<Queue.Enqueue<void>>>

const watching = (watchers: Watchers, id: string) =>
  Effect.tap(Queue.sliding<void>(1), (changes) =>
    Effect.sync(() => watchers.set(id, (watchers.get(id) ?? new Set()).add(changes)))
  )

const leaving = (watchers: Watchers, id: string, changes: Queue.Enqueue<void>) =>
  Effect.sync(() => {
    const others = watchers.get(id)
    others?.delete(changes)
    if (others?.size === 0) watchers.delete(id)
  })
