import { Clock, Context, Duration, Effect, Layer, Queue, Stream } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import { ClusterEvents } from "../../persistence/postgres/ClusterEvents.ts"

/** Notifies processes when to read the database. A signal is only a hint: a process that misses one polls soon anyway. */
export class ConnectionSignals extends Context.Tag("lifecycle/ConnectionSignals")<
  ConnectionSignals,
  {
    /** Wakes the dispatcher of this process, since a phase is due; phases of ended processes wake those of all. */
    readonly notifyDue: Effect.Effect<void>
    readonly awaitDue: (atMost: Duration.Duration) => Effect.Effect<void>
    /** Wakes every waiter for this connection, in every process of the cluster. */
    readonly notifyChanged: (id: ConnectionId) => Effect.Effect<void>
    /** Runs `check` now, at each change of this connection, and after each `atMost`, until it returns true. */
    readonly waitUntil: <E>(
      id: ConnectionId,
      atMost: Duration.Duration,
      check: Effect.Effect<boolean, E>
    ) => Effect.Effect<void, E>
  }
>() {
  static readonly layer = Layer.scoped(
    ConnectionSignals,
    Effect.gen(function* () {
      const { publish, subscribe } = yield* ClusterEvents
      const due = yield* Queue.sliding<void>(1)
      const watchers = new Watchers()
      const wake = (id: string) => Effect.sync(() => watchers.wake(id))
      yield* Effect.forkScoped(Stream.runForEach(subscribe("connection_changed"), wake))
      const notifyDue = Queue.offer(due, undefined)
      yield* Effect.forkScoped(Stream.runForEach(subscribe("phases_released"), () => notifyDue))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(watchers.present.await, watchers.wakeDue)))

      return {
        notifyDue,
        awaitDue: (atMost) => Effect.ignore(Effect.timeout(Queue.take(due), atMost)),
        notifyChanged: (id) => Effect.zipRight(wake(id), publish("connection_changed", id)),
        waitUntil: (id, atMost, check) =>
          Effect.acquireUseRelease(
            Effect.sync(() => watchers.add(id)),
            (watcher) =>
              Effect.gen(function* () {
                while (!(yield* check)) yield* watcher.sleep(atMost)
              }),
            (watcher) => Effect.sync(() => watchers.remove(id, watcher))
          )
      }
    })
  )
}

/** The watchers of each connection. One timer serves thousands of waiters, each of which would otherwise cost two fibers. */
class Watchers {
  /** Open while there is any watcher. */
  readonly present = Effect.unsafeMakeLatch()
  readonly #byId = new Map<string, Set<Watcher>>()

  add(id: string): Watcher {
    const watcher = new Watcher()
    this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(watcher))
    this.present.unsafeOpen()
    return watcher
  }

  remove(id: string, watcher: Watcher): void {
    const watchers = this.#byId.get(id)
    watchers?.delete(watcher)
    if (watchers?.size === 0) this.#byId.delete(id)
    if (this.#byId.size === 0) this.present.unsafeClose()
  }

  wake(id: string): void {
    this.#byId.get(id)?.forEach((watcher) => watcher.wake())
  }

  /** Waits for the next tick, and wakes the watchers whose time is over. */
  readonly wakeDue = Effect.map(Effect.zipRight(Effect.sleep(tick), Clock.currentTimeMillis), (now) =>
    this.#byId.forEach((watchers) => watchers.forEach((watcher) => watcher.dueAt <= now && watcher.wake()))
  )
}

const tick = Duration.millis(100)

/** One waiter. If it is woken while it checks, its next sleep ends at once. */
class Watcher {
  dueAt = Infinity
  #isWoken = false
  #resume = (): void => {}

  wake(): void {
    this.dueAt = Infinity
    this.#isWoken = true
    this.#resume()
  }

  sleep(atMost: Duration.Duration): Effect.Effect<void> {
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
