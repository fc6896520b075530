import { Context, Deferred, Duration, Effect, Layer } from "effect"

/** Lets the requests in flight finish before the service stops, and rejects new ones meanwhile. */
export class Drain extends Context.Tag("http/Drain")<
  Drain,
  {
    readonly isDraining: () => boolean
    /** Returns when a drain starts. */
    readonly awaitStart: Effect.Effect<void>
    /** Counts a request as in flight until the function that it returns is called. */
    readonly enter: () => () => void
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
      let isDraining = false
      let inFlight = 0

      const finishIfEmpty = () => {
        if (isDraining && inFlight === 0) Deferred.unsafeDone(finished, Effect.void)
      }
      const leave = () => {
        inFlight -= 1
        finishIfEmpty()
      }

      return {
        isDraining: () => isDraining,
        awaitStart: Deferred.await(started),
        enter: () => {
          inFlight += 1
          return leave
        },
        orElseOnDrain: (wait, otherwise) => Effect.raceFirst(wait, Effect.zipRight(Deferred.await(started), otherwise)),
        start: (timeout) =>
          Effect.suspend(() => {
            isDraining = true
            Deferred.unsafeDone(started, Effect.void)
            finishIfEmpty()
            return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Deferred.await(finished)), timeout))
          })
      }
    })
  )

  /** Drains when the service stops. Build it after the server: layers are released in reverse order. */
  static readonly onShutdown = Layer.scopedDiscard(
    Effect.flatMap(Drain, (drain) => Effect.addFinalizer(() => drain.start(drainTimeout)))
  )
}

const drainTimeout = Duration.seconds(20)
