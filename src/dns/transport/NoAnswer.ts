import { Data, Either } from "effect"
import type { NoAnswerReason } from "../../domain/RecordObservation.ts"

/** A question stays open: nothing is known, and nothing may be taken for absent. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly reason: NoAnswerReason }> {}

export const failWithNoAnswer = (reason: NoAnswerReason): Either.Either<never, NoAnswer> =>
  Either.left(new NoAnswer({ reason }))

/** Whether nobody was heard at all, as where nobody is there. */
export const isUnreachable = ({ reason }: NoAnswer): boolean => reason === "timed_out" || reason === "no_route"
