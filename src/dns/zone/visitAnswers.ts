import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"

/** Calls `visit` for each answer, with a possible pause after every one: an answer may have hundreds of long records. */
export const visitAnswers = <A>(answers: Iterable<A>, visit: (answer: A) => void): LongComputation<void> =>
  visitEach(answers, visit, 1)
