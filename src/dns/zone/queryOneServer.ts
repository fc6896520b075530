import { Effect } from "effect"
import { Requester } from "../../limits/RequestSource.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { maxSurveyBytes, withAnswerBudget } from "../transport/AnswerMemory.ts"
import type { DnsClient } from "../transport/DnsClient.ts"
import { listServedRRsets, queryAll, randomLabel, type ZoneReadRequest } from "./QuestionSet.ts"
import { openServerSession } from "./ServerSession.ts"
import { type ServerView, toRRsetAnswers, toServerView } from "./ServerView.ts"
import { groupByAddresses, makeSurveyBudget } from "./SurveyBudget.ts"

/** Sends each question to one server, in turns. Without an answer it is unknown; a wildcard's record counts. */
export const queryOneServer = (
  client: typeof DnsClient.Service,
  { delegation: { nameServers, zone }, domain, hosts }: ZoneReadRequest,
  turn: number
): Effect.Effect<ReadonlyArray<ServerView>> =>
  Effect.gen(function* () {
    const servers = groupByAddresses(nameServers).filter(([{ addresses }]) => addresses.length > 0)
    const server = servers[turn % servers.length]?.[0]
    if (server === undefined) return []
    const requester = yield* Requester
    const clock = yield* Effect.clock
    const questions = listServedRRsets(hosts, domain, yield* randomLabel)
    const endsAt = clock.unsafeCurrentTimeMillis() + lastQueryMillis
    return yield* withAnswerBudget(requester, maxSurveyBytes, (answers) =>
      Effect.gen(function* () {
        // Twice, for a server that has to be queried without EDNS.
        const perKey = 2 * questions.length
        const session = openServerSession(client, server, {
          zone,
          requester,
          isOver: () => clock.unsafeCurrentTimeMillis() > endsAt,
          budget: makeSurveyBudget({ perKey, inAll: perKey * server.addresses.length }, answers)
        })
        const responses = yield* queryAll(questions, session.query, () =>
          session.isAnswering() ? maxInFlight : maxInFlightBeforeAnswer
        )
        const read = yield* computeInSlices(toRRsetAnswers(responses, []))
        return [yield* computeInSlices(toServerView(server, read, { domain, zone }))]
      })
    )
  })

/** A query takes 2.4 s at most. */
const lastQueryMillis = 2_500

const maxInFlight = 64
const maxInFlightBeforeAnswer = 16
