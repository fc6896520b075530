import { Effect, Ref } from "effect"
import { NoAnswer } from "./NoAnswer.ts"

/** How many questions a walk through the DNS may still ask; what loops or never ends stops there as unknown. */
export interface Budget {
  /** Asks if there is a question left; else nothing is known. */
  readonly spendOn: <A>(question: Effect.Effect<A, NoAnswer>) => Effect.Effect<A, NoAnswer>
}

export const makeBudget = (questions: number): Effect.Effect<Budget> =>
  Effect.map(Ref.make(questions), (left) => ({
    spendOn: (question) =>
      Effect.flatMap(
        Ref.getAndUpdate(left, (count) => count - 1),
        (count) => (count > 0 ? question : new NoAnswer({ reason: "budget_spent" }))
      )
  }))
