import { Array, Effect } from "effect"
import { type Query, type QueryOutcome, runQueries } from "../transport/Query.ts"
import type { Question } from "../wire/decodeResponse.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import type { QuestionSet } from "./QuestionSet.ts"
import type { ServerAnswer } from "./ServerAnswer.ts"

/** One type of one name to ask a server for. */
export interface RRsetQuestion {
  readonly questionSet: QuestionSet
  readonly type: RecordTypeName
}

/** What one server said to an inquiry. */
export interface RRsetResponse extends RRsetQuestion {
  readonly answer: QueryOutcome<ServerAnswer>
}

/** All types that a name is asked for. */
export const expandQuestionSet = (asked: QuestionSet): ReadonlyArray<RRsetQuestion> =>
  asked.types.map((type) => ({ questionSet: asked, type }))

/** Puts all inquiries, so many at a time; what is said to them comes in their order. */
export const queryAll = (
  inquiries: ReadonlyArray<RRsetQuestion>,
  ask: (question: Question) => Query<ServerAnswer>,
  atATime: number
): Effect.Effect<ReadonlyArray<RRsetResponse>> =>
  Effect.map(
    runQueries(
      inquiries.map(({ questionSet: { name }, type }) => ask({ name, type })),
      atATime
    ),
    (answers) => Array.zipWith(inquiries, answers, (inquiry, answer): RRsetResponse => ({ ...inquiry, answer }))
  )
