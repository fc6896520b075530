import { Cause, Effect, Exit, Fiber, identity, Runtime } from "effect"

/**
 * `Effect.forEach` with `concurrency`: runs at most `limit` items at a time, by default all. Effect changes a setting of each
 * child and waits for one after the other; without that a child takes about forty steps of its runtime less. The first
 * failure interrupts the other children, as an interruption of the caller does, and they have ended before the result. What
 * children of several items change in `FiberRef`s is not joined. Dies at a limit below 1, with which nothing would ever run.
 */
export const forEachConcurrent = <A, B, E, R>(
  items: ReadonlyArray<A>,
  run: (item: A) => Effect.Effect<B, E, R>,
  limit = Math.max(1, items.length)
): Effect.Effect<ReadonlyArray<B>, E, R> => {
  if (!(limit >= 1)) return Effect.dieMessage(`the limit of concurrent items is ${limit}, but must be at least 1`)
  if (items.length < 2) return Effect.forEach(items, run)
  return Effect.flatMap(Effect.runtime<R>(), (runtime) => {
    const fork = Runtime.runFork(runtime)
    const waiting = items.entries()
    const running = new Set<Fiber.RuntimeFiber<B, E>>()
    const results: Array<B> = []
    const failures: Array<Cause.Cause<E>> = []
    let isStopped = false

    const stop = (cause: Cause.Cause<E>) => {
      failures.push(cause)
      if (isStopped) return
      isStopped = true
      for (const child of running) child.unsafeInterruptAsFork(child.id())
    }

    const runAll = Effect.async<ReadonlyArray<B>, E>((resume) => {
      const startNext = () => {
        const next = isStopped ? undefined : waiting.next().value
        if (next === undefined) return
        const [index, item] = next
        // Not at once, so that many children do not keep other fibers waiting.
        const child = fork(
          Effect.suspend(() => run(item)),
          { immediate: false }
        )
        running.add(child)
        child.addObserver((exit) => {
          running.delete(child)
          if (Exit.isSuccess(exit)) results[index] = exit.value
          else stop(exit.cause)
          startNext()
          if (running.size === 0) resume(Effect.suspend(() => combine(results, failures)))
        })
      }
      for (let started = 0; started < Math.min(limit, items.length); started += 1) startNext()
    })
    // `Effect.async` would lose its own canceler if the interruption came between the start of the children and the wait.
    return Effect.onInterrupt(runAll, () => {
      isStopped = true
      return Fiber.interruptAll(running)
    })
  })
}

/** `Effect.all` of a tuple with `concurrency`, in the same way. */
export const allConcurrent = <const Effects extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(
  effects: Effects
): Effect.Effect<
  { readonly [Index in keyof Effects]: Effect.Effect.Success<Effects[Index]> },
  Effect.Effect.Error<Effects[number]>,
  Effect.Effect.Context<Effects[number]>
> => forEachConcurrent(effects, identity) as ReturnType<typeof allConcurrent<Effects>>

/** The children that the first failure interrupted have nothing to tell. */
const combine = <B, E>(
  results: ReadonlyArray<B>,
  [first, ...others]: ReadonlyArray<Cause.Cause<E>>
): Exit.Exit<ReadonlyArray<B>, E> =>
  first === undefined
    ? Exit.succeed(results)
    : Exit.failCause(others.filter((cause) => !Cause.isInterruptedOnly(cause)).reduce(Cause.parallel, first))
