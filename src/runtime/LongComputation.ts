/**
 * A computation that may grow large. It yields after less than a millisecond: `computeAtOnce` goes on,
 * `computeInSlices` lets the event loop run.
 */
export type LongComputation<A> = Generator<void, A, void>

export const computeAtOnce = <A>(computation: LongComputation<A>): A => {
  let step = computation.next()
  while (step.done !== true) step = computation.next()
  return step.value
}

/** Calls `visit` for each item, with a possible pause after every so many of them. */
export function* visitEach<A>(items: Iterable<A>, visit: (item: A) => void, itemsPerPart = 16): LongComputation<void> {
  let visited = 0
  for (const item of items) {
    visit(item)
    visited += 1
    if (visited % itemsPerPart === 0) yield
  }
}
