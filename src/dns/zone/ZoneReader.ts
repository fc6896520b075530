import { Array, Context, Data, Effect, Either, Layer, Option, Order } from "effect"
import { type AnswerBudget, maxSurveyBytes, withAnswerBudget } from "../transport/AnswerMemory.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { type ServerFailure } from "../transport/Query.ts"
import { Requester } from "../../limits/RequestSource.ts"
import { releaseSlotWhile } from "../../limits/WorkSlots.ts"
import type { Question, ResourceRecord } from "../wire/Message.ts"
import type { Delegation } from "./Delegation.ts"
import type { NameServer } from "./NameServer.ts"
import { inferFromFirstTwo } from "./inferFromFirstTwo.ts"
import { openServerSession } from "./ServerSession.ts"
import {
  buildQuestionSets,
  expandQuestionSet,
  type HostQuestion,
  queryAll,
  type QuestionSender,
  type QuestionSet,
  randomLabel,
  type RRsetResponse,
  type ZoneReadRequest
} from "./QuestionSet.ts"
import { type AnsweredQuestion, queryNames } from "./queryNames.ts"
import { queryOneServer } from "./queryOneServer.ts"
import { rrsetKeyOf } from "./ResponseIndex.ts"
import {
  findUnanswered,
  findUnreadNames,
  hasDisagreement,
  listRecordsOutside,
  listWildcardRRsets,
  makeFailedRRsetAnswers,
  mergeZoneRecords,
  type RRsetAnswer,
  type ServerView,
  toRRsetAnswers,
  toServerView,
  type WildcardRRset
} from "./ServerView.ts"
import { groupByAddresses, makeSurveyBudget, maxInFlightBeforeAnswer, scopeSurvey } from "./SurveyBudget.ts"
import { findWildcardProbes } from "./WildcardProbes.ts"
import { makeRareTypeQueries, type RemainingQueries } from "./rareTypes.ts"
import { type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { isBasicType } from "../../domain/records/dnsTypes.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"

/** No server answered some required questions (`name type`), or there were too many: such records may exist. */
class ZoneReadTimedOut extends Data.TaggedError("ZoneReadTimedOut")<{
  readonly zone: DomainName
  readonly unanswered: ReadonlyArray<string>
  /** The answers of the servers to some of these questions. */
  readonly servers: ReadonlyArray<ServerFailure>
}> {}

/** The records at these hosts, at the wildcards above them and at the zone cuts on the way. */
export interface ZoneReadResult {
  /** The records of all servers together, each once, with its lowest TTL. */
  readonly zone: Zone
  /** The records that were read outside the domain, with their absolute names; one of several servers may be repeated. */
  readonly recordsOutside: ReadonlyArray<ResourceRecord>
  /** Whether servers that answered the same question have different records. */
  readonly hasDisagreement: boolean
  /** Whether every server answered every required question: otherwise a record that nobody showed may exist. */
  readonly isComplete: boolean
  /** The hosts and types for which a wildcard of any server may answer. */
  readonly wildcardRRsets: ReadonlyArray<WildcardRRset>
  /** The other questions that no server answered. */
  readonly unanswered: ReadonlyArray<UnansweredQuestion>
}

interface UnansweredQuestion extends Pick<RRsetAnswer, "name" | "type"> {
  readonly servers: ReadonlyArray<ServerFailure>
}

/** A zone as each of its authoritative servers shows it, and as they do together. */
interface ZoneServerViews {
  readonly views: ReadonlyArray<ServerView>
  readonly merged: Either.Either<ZoneReadResult, ZoneReadTimedOut>
}

/** Reads a zone from public DNS: sends each question to each of its authoritative servers. */
export class ZoneReader extends Context.Tag("dns/ZoneReader")<
  ZoneReader,
  {
    /** Reads the zone as all servers show it together. Fails if no server answers a required question. */
    readonly read: (request: ZoneReadRequest) => Effect.Effect<ZoneReadResult, ZoneReadTimedOut>
    /** Reads the zone as each server shows it; a question that a server does not answer stays unknown. */
    readonly readPerServer: (request: ZoneReadRequest) => Effect.Effect<ZoneServerViews>
    /** Reads exactly these RRsets as one of the servers shows them; `turn` counts through the servers. */
    readonly readAtOneServer: (request: ZoneReadRequest, turn: number) => Effect.Effect<ReadonlyArray<ServerView>>
    /** Reads a few RRsets from the first server that answers, including answers of wildcards; only those answered. */
    readonly readNames: (
      delegation: Delegation,
      questions: ReadonlyArray<Question>
    ) => Effect.Effect<ReadonlyArray<AnsweredQuestion>>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneReader,
    Effect.map(DnsClient, (client) => {
      const readPerServer = Effect.fnUntraced(
        function* (request: ZoneReadRequest) {
          const { delegation, domain } = request
          const requester = yield* Requester
          return yield* withAnswerBudget(requester, maxSurveyBytes, (budget) =>
            Effect.gen(function* () {
              const { names, servers } = yield* surveyServers(client, request, budget)
              const views = yield* Effect.forEach(servers, ({ answers, server }) =>
                computeInSlices(toServerView(server, answers, { domain, zone: delegation.zone }))
              )
              return { views, merged: yield* computeInSlices(mergeAnswers(request, names, servers)) }
            })
          )
        },
        releaseSlotWhile,
        Effect.withSpan("dns.zone")
      )
      return {
        readPerServer,
        readAtOneServer: (request, turn) => releaseSlotWhile(queryOneServer(client, request, turn)),
        readNames: (delegation, questions) => releaseSlotWhile(queryNames(client, delegation, questions)),
        read: (request) => Effect.flatMap(readPerServer(request), ({ merged }) => merged)
      }
    })
  )
}

function* mergeAnswers(
  { delegation: { zone }, domain, hosts }: ZoneReadRequest,
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  surveyed: ReadonlyArray<SurveyedServer>
): LongComputation<Either.Either<ZoneReadResult, ZoneReadTimedOut>> {
  const servers = surveyed.map(({ answers }) => answers)
  const isRequired = makeRequiredCheck(hosts, domain)
  const [unanswered, missing] = Array.partition(yield* findUnanswered(names, servers), isRequired)
  const [first] = missing
  if (first !== undefined) {
    const keys = missing.map(({ name, type }) => rrsetKeyOf(name, type))
    return Either.left(new ZoneReadTimedOut({ zone, unanswered: keys, servers: listFailures(surveyed, first) }))
  }
  const answers = servers.flat()
  const records = yield* mergeZoneRecords(answers, domain)
  const around = yield* findUnreadNames(answers, { domain, zone })
  return Either.right({
    zone: { name: zone, basis: "public_dns", records, ...around },
    recordsOutside: yield* listRecordsOutside(answers, domain),
    hasDisagreement: yield* hasDisagreement(servers),
    isComplete: answers.every((answer) => Either.isRight(answer.records) || !isRequired(answer)),
    unanswered: unanswered.map((question) => ({ ...question, servers: listFailures(surveyed, question) })),
    wildcardRRsets: yield* listWildcardRRsets(answers, domain)
  })
}

/** Whether nothing can be planned while a question is open: for a basic type, or one that its host requires. */
const makeRequiredCheck = (hosts: ReadonlyArray<HostQuestion>, domain: DomainName) => {
  const required = new Set(
    hosts.flatMap(({ host, required = [] }) => required.map((type) => rrsetKeyOf(toFqdn(host, domain), type)))
  )
  return ({ name, type }: Pick<RRsetAnswer, "name" | "type">): boolean =>
    isBasicType(type) || required.has(rrsetKeyOf(name, type))
}

interface SurveyedServer {
  readonly server: NameServer
  readonly answers: ReadonlyArray<RRsetAnswer>
}

const listFailures = (
  surveyed: ReadonlyArray<SurveyedServer>,
  question: Pick<RRsetAnswer, "name" | "type">
): ReadonlyArray<ServerFailure> =>
  surveyed.flatMap(({ answers, server }) =>
    answers.flatMap(({ name, records, type }) =>
      Either.isLeft(records) && name === question.name && type === question.type
        ? [{ server: server.name, reason: records.left.reason, question: { name, type } }]
        : []
    )
  )

/** A query takes 2.4 s at most, so queries sent before this end within the ten seconds. */
const lastQueryMillis = 7_500

/** The answers of each server; if reading would take too many questions, none is sent. */
const surveyServers = (
  client: typeof DnsClient.Service,
  { apexTypes = [], delegation, domain, hosts }: ZoneReadRequest,
  answerBudget: AnswerBudget
) =>
  Effect.gen(function* () {
    const { nameServers, zone } = delegation
    const requester = yield* Requester
    const label = yield* randomLabel
    const questionSets = buildQuestionSets({ domain, zone, hosts, apexTypes, label })
    const groups = groupByAddresses(nameServers)
    const scope = scopeSurvey(
      questionSets,
      groups.map(([server]) => server)
    )
    if (Option.isNone(scope)) {
      const requested = hosts.map(({ host, types }) => ({ owner: toFqdn(host, domain), types }))
      const answers = makeFailedRRsetAnswers(requested, "budget_spent")
      return { names: requested, servers: nameServers.map((server) => ({ server, answers })) }
    }
    const { limits, maxInFlight, queried } = scope.value
    const clock = yield* Effect.clock
    const endsAt = clock.unsafeCurrentTimeMillis() + lastQueryMillis
    const isOver = () => clock.unsafeCurrentTimeMillis() > endsAt
    const survey = { zone, requester, isOver, budget: makeSurveyBudget(limits, answerBudget) }
    const rareTypes = yield* makeRareTypeQueries(zone)
    const surveyed = yield* Effect.forEach(
      groups,
      (group) => {
        const [server] = group
        const withAnswers = (answers: ReadonlyArray<RRsetAnswer>) =>
          group.map((each): SurveyedServer => ({ server: each, answers }))
        if (!queried.has(server)) {
          return Effect.succeed(withAnswers(makeFailedRRsetAnswers(questionSets, "budget_spent")))
        }
        const session = openServerSession(client, server, survey)
        const send: QuestionSender = (questions) =>
          queryAll(questions, session.query, () =>
            session.isAnswering() ? maxInFlight : maxInFlightBeforeAnswer(server, scope.value)
          )
        const queryRemaining = group === groups[0] ? rareTypes.ofReference : rareTypes.ofOther
        const answers = queryServer(send, { zone, questionSets, label, queryRemaining })
        return Effect.timeoutTo(answers, {
          duration: "10 seconds",
          onSuccess: withAnswers,
          onTimeout: () => withAnswers(makeFailedRRsetAnswers(questionSets, "timed_out"))
        })
      },
      { concurrency: "unbounded" }
    )
    const inOrder = Order.mapInput(Order.number, ({ server }: SurveyedServer) => nameServers.indexOf(server))
    return { names: questionSets, servers: Array.sort(surveyed.flat(), inOrder) }
  })

/** In a zone with wildcards, a second round tells existing names from those that a wildcard answers for. */
const queryServer = (send: QuestionSender, { label, queryRemaining, questionSets, zone }: ServerQuestions) =>
  Effect.gen(function* () {
    const first = yield* send(questionSets.flatMap((questionSet) => expandQuestionSet(questionSet).slice(0, 2)))
    const { inferred, remaining } = yield* computeInSlices(inferFromFirstTwo(zone, questionSets, first))
    const others = yield* queryRemaining(send, first, remaining)
    const responses = groupByName([...first, ...inferred, ...others])
    const probes = yield* computeInSlices(findWildcardProbes(responses, label))
    const additional = probes.additionalTypes.flatMap(expandQuestionSet)
    const second = yield* send([...additional, ...probes.children.flatMap(expandQuestionSet)])
    return yield* computeInSlices(
      toRRsetAnswers([...responses, ...second.slice(0, additional.length)], second.slice(additional.length))
    )
  })

interface ServerQuestions {
  readonly zone: string
  readonly questionSets: ReadonlyArray<QuestionSet>
  readonly label: string
  readonly queryRemaining: RemainingQueries
}

const groupByName = (responses: ReadonlyArray<RRsetResponse>): ReadonlyArray<RRsetResponse> =>
  [...Map.groupBy(responses, ({ questionSet }) => questionSet).values()].flat()
