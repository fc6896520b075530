import { Context, Deferred, Duration, Effect, Layer, Schema } from "effect"

/** The service is about to stop and takes no new requests. */
export class DrainInProgress extends Schema.TaggedError<DrainInProgress>()("DrainInProgress", {
  code: Schema.Literal("draining"),
  message: Schema.String
}) {
  static readonly error = new DrainInProgress({ code: "draining", message: "the service is shutting down; try again" })
}

/** Lets the requests in flight finish before the service goes away, and takes no new ones meanwhile. */
export class Drain extends Context.Tag("http/Drain")<
  Drain,
  {
    readonly isDraining: Effect.Effect<boolean>
    /** Returns when a drain begins. */
    readonly awaitStart: Effect.Effect<void>
    /** Counts a request in and out. */
    readonly track: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs a wait; a drain ends it early and runs `otherwise` in its place. */
    readonly orElseOnDrain: <A, E, R>(
      wait: Effect.Effect<A, E, R>,
      otherwise: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Turns new requests away and returns when those in flight have ended, or after `atMost`. */
    readonly start: (atMost: Duration.Duration) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Drain,
    Effect.gen(function* () {
      const draining = yield* Deferred.make<void>()
      const empty = yield* Deferred.make<void>()
      const inFlight = { count: 0 }

      const leave = Effect.suspend(() => {
        inFlight.count -= 1
        return whenEmpty
      })
      const whenEmpty = Effect.suspend(() =>
        inFlight.count === 0
          ? Effect.whenEffect(Deferred.succeed(empty, undefined), Deferred.isDone(draining))
          : Effect.void
      )

      return {
        isDraining: Deferred.isDone(draining),
        awaitStart: Deferred.await(draining),
        track: (request) =>
          Effect.suspend(() => {
            inFlight.count += 1
            return Effect.ensuring(request, leave)
          }),
        orElseOnDrain: (wait, otherwise) =>
          Effect.raceFirst(wait, Effect.zipRight(Deferred.await(draining), otherwise)),
        start: (atMost) =>
          Deferred.succeed(draining, undefined).pipe(
            Effect.zipRight(whenEmpty),
            Effect.zipRight(Deferred.await(empty)),
            Effect.timeoutOption(atMost),
            Effect.asVoid
          )
      }
    })
  )

  /** Drains when the service stops. Build it after the server: what is built last is released first. */
  static readonly onShutdown = Layer.scopedDiscard(
    Effect.flatMap(Drain, (drain) => Effect.addFinalizer(() => drain.start(patience)))
  )
}

const patience = Duration.seconds(20)
