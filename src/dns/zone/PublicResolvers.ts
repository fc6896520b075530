import { Context, Effect, Either, identity, Layer } from "effect"
import type { DomainName } from "../../domain/names/DomainName.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { maxSurveyBytes, withAnswerBudget } from "../transport/AnswerMemory.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { type Endpoint, formatEndpoint } from "../transport/Endpoint.ts"
import {
  failWithNoAnswer,
  flatMapQuery,
  isUnreachable,
  makeFailedQuery,
  NoAnswer,
  type Query,
  type QueryOutcome,
  runQuery
} from "../transport/Query.ts"
import { Requester } from "../../limits/RequestSource.ts"
import { releaseSlotWhile } from "../../limits/WorkSlots.ts"
import type { Message, Question } from "../wire/Message.ts"
import { type NameServer, ServerAnswer } from "./NameServer.ts"
import {
  type HostQuestion,
  listServedRRsets,
  queryAll,
  randomLabel,
  type RRsetQuestion,
  type RRsetResponse
} from "./QuestionSet.ts"
import { type ServerView, toRRsetAnswers, toServerView } from "./ServerView.ts"

/** The RRsets to read: some types at some hosts of a domain, in the zone that it belongs to. */
interface PublicReadRequest {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly hosts: ReadonlyArray<HostQuestion>
}

/** Reads a zone as the public sees it: the answers of recursive resolvers, cached or not. */
export class PublicResolvers extends Context.Tag("dns/PublicResolvers")<
  PublicResolvers,
  { readonly readPerResolver: (request: PublicReadRequest) => Effect.Effect<ReadonlyArray<ServerView>> }
>() {
  /** The resolvers (`DNS_PUBLIC_RESOLVERS`); there may be none. */
  static readonly layer = (resolvers: ReadonlyArray<Endpoint>): Layer.Layer<PublicResolvers, never, DnsClient> =>
    Layer.effect(
      PublicResolvers,
      Effect.map(DnsClient, (client) => ({
        readPerResolver: Effect.fnUntraced(function* ({ domain, hosts, zone }) {
          const requester = yield* Requester
          const label = yield* randomLabel
          const questions = listServedRRsets(hosts, domain, label)
          return yield* withAnswerBudget(requester, maxSurveyBytes, (budget) => {
            const queryAt =
              (resolver: Endpoint) =>
              (question: Question): Query<ServerAnswer> =>
              (onOutcome) =>
                (budget.isSpent()
                  ? makeFailedQuery("budget_spent")
                  : flatMapQuery(client.resolve(resolver, question, requester, "read"), (message) =>
                      budget.tryKeep(message) ? requireProof(message) : failWithNoAnswer("budget_spent")
                    ))(onOutcome)
            return Effect.forEach(
              resolvers,
              (resolver) =>
                queryResolver(queryAt(resolver), questions).pipe(
                  Effect.timeoutTo({
                    duration: "10 seconds",
                    onSuccess: identity,
                    onTimeout: () => questions.map(withoutAnswer(new NoAnswer({ reason: "timed_out" })))
                  }),
                  Effect.flatMap((responses) => computeInSlices(toRRsetAnswers(responses, []))),
                  Effect.flatMap((answers) =>
                    computeInSlices(toServerView(toNameServer(resolver), answers, { domain, zone }))
                  )
                ),
              { concurrency: "unbounded" }
            )
          })
        }, releaseSlotWhile)
      }))
    )
}

/** Sends all questions to one resolver; if it does not answer the first, it gets no more. */
const queryResolver = (
  query: (question: Question) => Query<ServerAnswer>,
  [first, ...others]: ReadonlyArray<RRsetQuestion>
): Effect.Effect<ReadonlyArray<RRsetResponse>> =>
  Effect.gen(function* () {
    if (first === undefined) return []
    const answer = yield* Effect.either(runQuery(query({ name: first.questionSet.queryName, type: first.type })))
    const otherResponses =
      Either.isLeft(answer) && isUnreachable(answer.left)
        ? others.map(withoutAnswer(answer.left))
        : yield* queryAll(others, query, () => maxInFlight)
    return [{ ...first, answer }, ...otherResponses]
  })

/** An answer without records must prove by a SOA that there are none (RFC 2308 section 5). */
const requireProof = (message: Message): QueryOutcome<ServerAnswer> =>
  message.answers.length > 0 || message.authorities.some(({ type }) => type === "SOA")
    ? Either.right(ServerAnswer.Authoritative({ message }))
    : failWithNoAnswer("lame")

const withoutAnswer =
  (noAnswer: NoAnswer) =>
  (question: RRsetQuestion): RRsetResponse => ({ ...question, answer: Either.left(noAnswer) })

const maxInFlight = 64

const toNameServer = (resolver: Endpoint): NameServer => ({
  name: formatEndpoint(resolver),
  addresses: [resolver.host]
})
