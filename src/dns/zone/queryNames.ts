import { Array, Effect, Either } from "effect"
import { Requester } from "../../limits/RequestSource.ts"
import { maxSurveyBytes, withAnswerBudget } from "../transport/AnswerMemory.ts"
import type { DnsClient } from "../transport/DnsClient.ts"
import { hedgeQueries, runQueries } from "../transport/Query.ts"
import type { Question, ResourceRecord } from "../wire/Message.ts"
import type { Delegation } from "./Delegation.ts"
import { openServerSession } from "./ServerSession.ts"
import { groupByAddresses, makeSurveyBudget } from "./SurveyBudget.ts"

/** A question and the records of its answer. */
export interface AnsweredQuestion extends Question {
  readonly records: ReadonlyArray<ResourceRecord>
}

/** Reads a few RRsets, each from the first server that answers. Wildcards count; without an answer, one is left out. */
export const queryNames = (
  client: typeof DnsClient.Service,
  { nameServers, zone }: Delegation,
  questions: ReadonlyArray<Question>
): Effect.Effect<ReadonlyArray<AnsweredQuestion>> =>
  Effect.flatMap(Requester, (requester) =>
    withAnswerBudget(requester, maxSurveyBytes, (answers) =>
      Effect.gen(function* () {
        const clock = yield* Effect.clock
        const endsAt = clock.unsafeCurrentTimeMillis() + lastQueryMillis
        // Twice, for a server that has to be queried without EDNS.
        const budget = makeSurveyBudget(
          { perKey: 2 * questions.length, inAll: 2 * questions.length * maxServers },
          answers
        )
        const isOver = () => clock.unsafeCurrentTimeMillis() > endsAt
        const sessions = groupByAddresses(nameServers)
          .slice(0, maxServers)
          .map(([server]) => openServerSession(client, server, { zone, requester, isOver, budget }))
        if (!Array.isNonEmptyReadonlyArray(sessions)) return []
        const queries = questions.map((question) =>
          hedgeQueries(Array.map(sessions, (session) => session.query(question)))
        )
        const outcomes = yield* runQueries(queries, () => questions.length)
        return Array.zip(questions, outcomes).flatMap(([{ name, type }, outcome]) => {
          if (Either.isLeft(outcome) || outcome.right._tag !== "Authoritative") return []
          const { answers } = outcome.right.message
          return [{ name, type, records: answers.filter((record) => record.name === name && record.type === type) }]
        })
      })
    )
  )

const maxServers = 2

/** A query takes 2.4 s at most. */
const lastQueryMillis = 2_500
