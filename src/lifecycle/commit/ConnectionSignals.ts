import { Clock, Context, Duration, Effect, Layer, Queue, Stream } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { ClusterEvents } from "../../persistence/postgres/ClusterEvents.ts"

/** Hints that spare a look into the table; whoever misses one finds out at the next look. */
export class ConnectionSignals extends Context.Tag("lifecycle/ConnectionSignals")<
  ConnectionSignals,
  {
    /** Something is due; the dispatcher of this process will see to it. */
    readonly notifyDue: Effect.Effect<void>
    /** Returns when something is due, or after `atMost`. */
    readonly awaitDue: (atMost: Duration.Duration) => Effect.Effect<void>
    /** This connection was written; processes that wait for it elsewhere hear of it too. */
    readonly notifyChanged: (id: ConnectionId) => Effect.Effect<void>
    /** Runs `look` now, at each change of this connection and after each `atMost`, until it gives true. */
    readonly waitUntil: <E>(
      id: ConnectionId,
      atMost: Duration.Duration,
      look: Effect.Effect<boolean, E>
    ) => Effect.Effect<void, E>
  }
>() {
  static readonly layer = Layer.scoped(
    ConnectionSignals,
    Effect.gen(function* () {
      const { subscribe: heard, publish: say } = yield* ClusterEvents
      const dueness = yield* Queue.sliding<void>(1)
      const watchers = new Watchers()
      const wake = (id: string) => Effect.sync(() => watchers.wake(id))
      yield* Effect.forkScoped(Stream.runForEach(heard("connection_changed"), wake))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(watchers.present.await, watchers.wakeDue)))

      return {
        notifyDue: Queue.offer(dueness, undefined),
        awaitDue: (atMost) => Effect.ignore(Effect.timeout(Queue.take(dueness), atMost)),
        notifyChanged: (id) => Effect.zipRight(wake(id), say("connection_changed", id)),
        waitUntil: (id, atMost, look) =>
          Effect.acquireUseRelease(
            Effect.sync(() => watchers.add(id)),
            (watcher) =>
              Effect.gen(function* () {
                while (!(yield* look)) yield* watcher.woken(atMost)
              }),
            (watcher) => Effect.sync(() => watchers.remove(id, watcher))
          )
      }
    })
  )
}

/** One timer for all of the thousands who may wait: for each of them it would be two fibers more. */
const moment = Duration.millis(100)

/** By connection: who waits for one does not wake for the others. */
class Watchers {
  /** Open while there are any. */
  readonly present = Effect.unsafeMakeLatch()
  readonly #byId = new Map<string, Set<Watcher>>()

  add(id: string): Watcher {
    const watcher = new Watcher()
    this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(watcher))
    this.present.unsafeOpen()
    return watcher
  }

  remove(id: string, watcher: Watcher): void {
    const others = this.#byId.get(id)
    others?.delete(watcher)
    if (others?.size === 0) this.#byId.delete(id)
    if (this.#byId.size === 0) this.present.unsafeClose()
  }

  wake(id: string): void {
    this.#byId.get(id)?.forEach((watcher) => watcher.wake())
  }

  /** Lets a moment pass, and wakes those whose time is over. */
  readonly wakeDue = Effect.map(Effect.zipRight(Effect.sleep(moment), Clock.currentTimeMillis), (now) =>
    this.#byId.forEach((watchers) => watchers.forEach((watcher) => watcher.dueAt <= now && watcher.wake()))
  )
}

/** Somebody who waits; what wakes him while he looks he finds when he waits again. */
class Watcher {
  dueAt = Infinity
  #isWoken = false
  #resume = (): void => {}

  wake(): void {
    this.dueAt = Infinity
    this.#isWoken = true
    this.#resume()
  }

  woken(atMost: Duration.Duration): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.async<void>((resume) => {
        this.dueAt = now + Duration.toMillis(atMost)
        this.#resume = () => resume(Effect.void)
        if (this.#isWoken) this.#resume()
      })
    ).pipe(
      Effect.map(() => {
        this.#isWoken = false
        this.#resume = () => {}
      })
    )
  }
}
