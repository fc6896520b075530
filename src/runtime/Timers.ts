import { Context, Duration, Effect, Fiber, Runtime } from "effect"

/** Runs a task after a time; the function that `start` returns stops the timer. Tests replace it by their clock. */
export class Timers extends Context.Reference<Timers>()("runtime/Timers", {
  defaultValue: (): { readonly start: (task: () => void, duration: Duration.DurationInput) => () => void } => ({
    start: (task, duration) => {
      const timer = setTimeout(task, Duration.toMillis(duration))
      return () => clearTimeout(timer)
    }
  })
}) {}

/**
 * `Effect.timeoutTo` without the fiber that sleeps, and the race of both, for each effect. After `duration` the
 * effect is interrupted, and `onTimeout` follows once it has ended. What the effect changes in `FiberRef`s is not joined.
 */
export const limitTime = <A, E, R, A2, E2>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.DurationInput,
  onTimeout: () => Effect.Effect<A2, E2>
): Effect.Effect<A | A2, E | E2, R> =>
  Effect.flatMap(Effect.zip(Effect.runtime<R>(), Timers), ([runtime, timers]) => {
    let child: Fiber.RuntimeFiber<A, E> | undefined
    let stopTimer: (() => void) | undefined
    let isLate = false
    const result = Effect.async<A | A2, E | E2>((resume) => {
      child = Runtime.runFork(runtime)(effect, { immediate: false })
      stopTimer = timers.start(() => {
        isLate = true
        child?.unsafeInterruptAsFork(child.id())
      }, duration)
      child.addObserver((exit) => {
        stopTimer?.()
        resume(isLate ? Effect.suspend(onTimeout) : exit)
      })
    })
    // `Effect.async` would lose its own canceler if the interruption came between the start of the child and the wait.
    return Effect.onInterrupt(result, () => {
      stopTimer?.()
      return child === undefined ? Effect.void : Fiber.interrupt(child)
    })
  })
