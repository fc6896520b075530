import { Data, Either } from "effect"
import type { Silence } from "../domain/Observation.ts"

/** A question stays open: nothing is known, and nothing may be taken for absent. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly reason: Silence }> {}

export const noAnswer = (reason: Silence): Either.Either<never, NoAnswer> => Either.left(new NoAnswer({ reason }))

/** Whether nobody was heard at all, as where nobody is there. */
export const isSilence = ({ reason }: NoAnswer): boolean => reason === "timed_out" || reason === "no_route"
