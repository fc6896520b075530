import { Effect, identity } from "effect"

/**
 * Lets that many effects run at a time, first come, first served; who waits can be interrupted. Effect's semaphore wakes
 * all that wait whenever one is done, which with thousands waiting is most of the work. `whereFull` is applied to what
 * finds no place free, and so bounds the wait.
 */
export const atMost = (places: number) =>
  Effect.sync(() => {
    const line = { free: places, waiting: new Set<() => void>() }

    const leave = Effect.sync(() => {
      const [next] = line.waiting
      if (next === undefined) line.free += 1
      else {
        line.waiting.delete(next)
        next()
      }
    })

    const enter = Effect.async<void>((resume) => {
      if (line.free > 0) {
        line.free -= 1
        return resume(Effect.void)
      }
      const turn = () => resume(Effect.void)
      line.waiting.add(turn)
      // Who goes when the turn has come already hands it on.
      return Effect.suspend(() => (line.waiting.delete(turn) ? Effect.void : leave))
    })

    return <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      whereFull: (waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = identity
    ): Effect.Effect<A, E, R> => {
      const inPlace = Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(restore(enter), Effect.ensuring(restore(effect), leave))
      )
      return Effect.suspend(() => (line.free > 0 ? inPlace : whereFull(inPlace)))
    }
  })
