import type { LongComputation } from "../../runtime/LongComputation.ts"

/** Calls `visit` for each answer, with a possible pause after every one: an answer may have hundreds of long records. */
export function* visitAnswers<A>(answers: Iterable<A>, visit: (answer: A) => void): LongComputation<void> {
  for (const answer of answers) {
    visit(answer)
    yield
  }
}
