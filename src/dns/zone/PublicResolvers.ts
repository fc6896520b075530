import { Context, Effect, Either, Layer } from "effect"
import { type DomainName, toFqdn } from "../../domain/DomainName.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { type Endpoint, standardEndpoint } from "../transport/Endpoint.ts"
import {
  failWithNoAnswer,
  flatMapQuery,
  isUnreachable,
  NoAnswer,
  type Query,
  type QueryOutcome,
  runQuery
} from "../transport/Query.ts"
import type { Message, Question } from "../wire/Message.ts"
import { type NameServer, ServerAnswer } from "./NameServer.ts"
import {
  expandQuestionSet,
  type HostQuestion,
  queryAll,
  queryNameFor,
  randomLabel,
  type RRsetQuestion,
  type RRsetResponse
} from "./QuestionSet.ts"
import { toRRsetAnswers } from "./RRsetAnswer.ts"
import { type ServerView, toServerView } from "./ServerView.ts"

/** What to look for: some types at some hosts of a domain, in the zone that it belongs to. */
export interface PublicReadRequest {
  readonly domain: DomainName
  readonly zone: DomainName
  readonly hosts: ReadonlyArray<HostQuestion>
}

/** A zone as the world sees it: what each of some recursive resolvers answers, from its cache or not. */
export class PublicResolvers extends Context.Tag("dns/PublicResolvers")<
  PublicResolvers,
  { readonly readPerResolver: (question: PublicReadRequest) => Effect.Effect<ReadonlyArray<ServerView>> }
>() {
  /** The resolvers (`DNS_PUBLIC_RESOLVERS`), perhaps none. */
  static readonly layer = (resolvers: ReadonlyArray<Endpoint>): Layer.Layer<PublicResolvers, never, DnsClient> =>
    Layer.effect(
      PublicResolvers,
      Effect.map(DnsClient, (client) => ({
        readPerResolver: Effect.fn("PublicResolvers.readPerResolver")(function* ({ domain, hosts, zone }) {
          const label = yield* randomLabel
          const inquiries = hosts.flatMap(({ host, types }) =>
            expandQuestionSet({ ...queryNameFor(toFqdn(host, domain), label), types, wildcard: undefined })
          )
          return yield* Effect.forEach(
            resolvers,
            (resolver) =>
              allSaid((question) => flatMapQuery(client.resolve(resolver, question), proven), inquiries).pipe(
                Effect.timeout("10 seconds"),
                Effect.orElseSucceed(() => inquiries.map(silent(new NoAnswer({ reason: "timed_out" })))),
                Effect.map((said) => toServerView(asServer(resolver), toRRsetAnswers(said, []), { domain, zone }))
              ),
            { concurrency: "unbounded" }
          )
        })
      }))
    )
}

/** One resolver's word on all questions; one that is silent at the first of them is asked no more. */
const allSaid = (
  ask: Ask,
  [first, ...others]: ReadonlyArray<RRsetQuestion>
): Effect.Effect<ReadonlyArray<RRsetResponse>> =>
  Effect.gen(function* () {
    if (first === undefined) return []
    const answer = yield* Effect.either(runQuery(ask({ name: first.questionSet.name, type: first.type })))
    const rest =
      Either.isLeft(answer) && isUnreachable(answer.left)
        ? others.map(silent(answer.left))
        : yield* queryAll(others, ask, maxInFlight)
    return [{ ...first, answer }, ...rest]
  })

type Ask = (question: Question) => Query<ServerAnswer>

/** That there is nothing must be proven by a SOA (RFC 2308 section 5). */
const proven = (message: Message): QueryOutcome<ServerAnswer> =>
  message.answers.length > 0 || message.authorities.some(({ type }) => type === "SOA")
    ? Either.right(ServerAnswer.Authoritative({ message }))
    : failWithNoAnswer("lame")

const silent =
  (noAnswer: NoAnswer) =>
  (inquiry: RRsetQuestion): RRsetResponse => ({ ...inquiry, answer: Either.left(noAnswer) })

const maxInFlight = 64

const asServer = ({ host, port }: Endpoint): NameServer => ({
  name: port === standardEndpoint(host).port ? host : `${host}:${port}`,
  addresses: [host]
})
