import { Context, Deferred, Duration, Effect, Layer } from "effect"

/** Lets the requests in flight finish before the service stops, and rejects new ones meanwhile. */
export class Drain extends Context.Tag("http/Drain")<
  Drain,
  {
    readonly isDraining: Effect.Effect<boolean>
    /** Returns when a drain starts. */
    readonly awaitStart: Effect.Effect<void>
    /** Counts a request as in flight while it runs, and calls `onEnd` when it has ended, however it did. */
    readonly track: <A, E, R>(request: Effect.Effect<A, E, R>, onEnd: () => void) => Effect.Effect<A, E, R>
    /** Runs a wait; a drain ends it early and runs `otherwise` in its place. */
    readonly orElseOnDrain: <A, E, R>(
      wait: Effect.Effect<A, E, R>,
      otherwise: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Rejects new requests, and returns when those in flight have ended, or after `timeout`. */
    readonly start: (timeout: Duration.Duration) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Drain,
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const finished = yield* Deferred.make<void>()
      const inFlight = { count: 0 }

      const finishIfEmpty = Effect.suspend(() =>
        inFlight.count === 0
          ? Effect.whenEffect(Deferred.succeed(finished, undefined), Deferred.isDone(started))
          : Effect.void
      )

      return {
        isDraining: Deferred.isDone(started),
        awaitStart: Deferred.await(started),
        track: (request, onEnd) =>
          Effect.suspend(() => {
            inFlight.count += 1
            const leave = Effect.suspend(() => {
              inFlight.count -= 1
              onEnd()
              return finishIfEmpty
            })
            return Effect.ensuring(request, leave)
          }),
        orElseOnDrain: (wait, otherwise) => Effect.raceFirst(wait, Effect.zipRight(Deferred.await(started), otherwise)),
        start: (timeout) =>
          Deferred.succeed(started, undefined).pipe(
            Effect.zipRight(finishIfEmpty),
            Effect.zipRight(Deferred.await(finished)),
            Effect.timeoutOption(timeout),
            Effect.asVoid
          )
      }
    })
  )

  /** Drains when the service stops. Build it after the server: layers are released in reverse order. */
  static readonly onShutdown = Layer.scopedDiscard(
    Effect.flatMap(Drain, (drain) => Effect.addFinalizer(() => drain.start(drainTimeout)))
  )
}

const drainTimeout = Duration.seconds(20)
