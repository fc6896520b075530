/** Room for some at a time, first come, first served. */
export interface Semaphore {
  readonly isAvailable: () => boolean
  /**
   * Lets somebody in when there is a place, at once if one is free. What it returns is to be called once: it gives the
   * place back, or leaves the line.
   */
  readonly acquire: (begin: () => void) => () => void
}

export const makeSemaphore = (count: number): Semaphore => {
  const waiting = new Set<() => void>()
  let free = count
  const leave = () => {
    const [next] = waiting
    if (next === undefined) free += 1
    else {
      waiting.delete(next)
      next()
    }
  }
  return {
    isAvailable: () => free > 0,
    acquire: (begin) => {
      if (free > 0) {
        free -= 1
        begin()
        return leave
      }
      // A function of its own, so that the same caller may wait twice.
      const turn = () => begin()
      waiting.add(turn)
      return () => {
        if (!waiting.delete(turn)) leave()
      }
    }
  }
}
