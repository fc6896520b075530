import { Context, Deferred, Duration, Effect, Layer } from "effect"

/** Lets the requests in flight finish before the service stops, and rejects new ones meanwhile. */
export class Drain extends Context.Tag("http/Drain")<
  Drain,
  {
    /** Whether new requests are rejected. */
    readonly isDraining: () => boolean
    /** Whether the service stops soon: it should get no further requests, and still responds to those that come. */
    readonly isLeaving: () => boolean
    /** Says from now on that the service stops soon. */
    readonly announce: Effect.Effect<void>
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
      let isLeaving = false
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
        isLeaving: () => isLeaving,
        announce: Effect.sync(() => void (isLeaving = true)),
        awaitStart: Deferred.await(started),
        enter: () => {
          inFlight += 1
          return leave
        },
        orElseOnDrain: (wait, otherwise) => Effect.raceFirst(wait, Effect.zipRight(Deferred.await(started), otherwise)),
        start: (timeout) =>
          Effect.suspend(() => {
            isLeaving = true
            isDraining = true
            Deferred.unsafeDone(started, Effect.void)
            finishIfEmpty()
            return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Deferred.await(finished)), timeout))
          })
      }
    })
  )

  /** Announces that the service stops, and drains after a delay. Build it after the server: layers are released in reverse order. */
  static readonly onShutdown = (delay: Duration.Duration) =>
    Layer.scopedDiscard(
      Effect.flatMap(Drain, (drain) =>
        Effect.addFinalizer(() =>
          Effect.zipRight(drain.announce, Effect.sleep(delay)).pipe(
            Effect.when(() => Duration.greaterThan(delay, Duration.zero)),
            Effect.zipRight(drain.start(drainTimeout))
          )
        )
      )
    )
}

/** How long requests in flight may take when the service stops. */
export const drainTimeout = Duration.seconds(20)
