import { Array, Effect } from "effect"
import { type Asking, awaitedAll, type Outcome } from "./Asking.ts"
import type { AskedName } from "./namesToAsk.ts"
import type { ServerAnswer } from "./serverAnswer.ts"
import type { Question } from "./wire/decodeAnswer.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** One type of one name to ask a server for. */
export interface Inquiry {
  readonly asked: AskedName
  readonly type: TypeName
}

/** What one server said to an inquiry. */
export interface Said extends Inquiry {
  readonly answer: Outcome<ServerAnswer>
}

/** All types that a name is asked for. */
export const inquiriesFor = (asked: AskedName): ReadonlyArray<Inquiry> => asked.types.map((type) => ({ asked, type }))

/** Puts all inquiries, so many at a time; what is said to them comes in their order. */
export const askAll = (
  inquiries: ReadonlyArray<Inquiry>,
  ask: (question: Question) => Asking<ServerAnswer>,
  atATime: number
): Effect.Effect<ReadonlyArray<Said>> =>
  Effect.map(
    awaitedAll(
      inquiries.map(({ asked: { name }, type }) => ask({ name, type })),
      atATime
    ),
    (answers) => Array.zipWith(inquiries, answers, (inquiry, answer): Said => ({ ...inquiry, answer }))
  )
