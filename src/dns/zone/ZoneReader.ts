import { Array, Context, Data, Effect, Either, Layer, Number } from "effect"
import { type DomainName, toFqdn } from "../../domain/DomainName.ts"
import type { Zone } from "../../domain/Zone.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import type { Delegation } from "./Delegation.ts"
import { openServerSession } from "./NameServer.ts"
import {
  buildQuestionSets,
  expandQuestionSet,
  type HostQuestion,
  queryAll,
  type QuestionSet,
  randomLabel,
  type RRsetQuestion,
  type RRsetResponse
} from "./QuestionSet.ts"
import {
  failedRRsetAnswers,
  findUnanswered,
  hasDisagreement,
  mergeZoneRecords,
  type RRsetAnswer,
  toRRsetAnswers
} from "./RRsetAnswer.ts"
import { type ServerView, toServerView } from "./ServerView.ts"
import { findWildcardProbes } from "./WildcardProbes.ts"

/**
 * Some questions, `name type`, were answered by no authoritative server, or were put to none because it would have taken
 * too many: whether there are such records is unknown.
 */
export class ZoneReadTimedOut extends Data.TaggedError("ZoneReadTimedOut")<{
  readonly zone: DomainName
  readonly unanswered: ReadonlyArray<string>
}> {}

/** What to read of a zone: some types at some hosts of a domain in it. */
export interface ZoneReadRequest {
  readonly domain: DomainName
  readonly delegation: Delegation
  readonly hosts: ReadonlyArray<HostQuestion>
}

/** What the authoritative servers hold at these hosts, at the wildcards above them and at the cuts on the way. */
export interface ZoneReadResult {
  /** The records of all servers together, each once, with its lowest TTL. */
  readonly zone: Zone
  /** Whether servers that answered the same question hold different records. */
  readonly hasDisagreement: boolean
}

/** A zone as each of its authoritative servers shows it, and as they do together. */
export interface ZoneServerViews {
  readonly views: ReadonlyArray<ServerView>
  readonly merged: Either.Either<ZoneReadResult, ZoneReadTimedOut>
}

/** Reads a zone in public: puts each question to each of its authoritative servers. */
export class ZoneReader extends Context.Tag("dns/ZoneReader")<
  ZoneReader,
  {
    readonly read: (question: ZoneReadRequest) => Effect.Effect<ZoneReadResult, ZoneReadTimedOut>
    readonly readPerServer: (question: ZoneReadRequest) => Effect.Effect<ZoneServerViews>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneReader,
    Effect.map(DnsClient, (client) => {
      const readEach = Effect.fn("ZoneReader.readPerServer")(function* (question: ZoneReadRequest) {
        const { delegation, domain } = question
        const { names, servers } = yield* askServers(client, question)
        return {
          views: servers.map(({ held, server }) => toServerView(server, held, { domain, zone: delegation.zone })),
          merged: readingOf(
            question,
            names,
            servers.map(({ held }) => held)
          )
        }
      })
      return {
        readPerServer: readEach,
        read: Effect.fn("ZoneReader.read")((question) => Effect.flatMap(readEach(question), ({ merged }) => merged))
      }
    })
  )
}

const readingOf = (
  { delegation: { zone }, domain }: ZoneReadRequest,
  names: ReadonlyArray<Pick<QuestionSet, "owner" | "types">>,
  held: ReadonlyArray<ReadonlyArray<RRsetAnswer>>
): Either.Either<ZoneReadResult, ZoneReadTimedOut> => {
  const open = findUnanswered(names, held)
  return open.length > 0
    ? Either.left(new ZoneReadTimedOut({ zone, unanswered: open }))
    : Either.right({
        zone: { name: zone, basis: "public_dns", records: mergeZoneRecords(held.flat(), domain) },
        hasDisagreement: hasDisagreement(held)
      })
}

/** To each server, the second look at a zone with wildcards aside; 200 records at hosts of one label need 6,000. */
const maxQuestions = 10_000

/** A question takes 2.4 s at most, so that what is asked before this is answered or given up within the ten seconds. */
const lastQuestionMillis = 7_500

const maxInFlight = 256

/** What each server holds of what was asked; where that would take too many questions, none is asked. */
const askServers = (client: typeof DnsClient.Service, { delegation, domain, hosts }: ZoneReadRequest) =>
  Effect.gen(function* () {
    const { nameServers, zone } = delegation
    const label = yield* randomLabel
    const names = buildQuestionSets({ domain, zone, hosts, label })
    if (Number.sumAll(names.map(({ types }) => types.length)) > maxQuestions) {
      const wanted = hosts.map(({ host, types }) => ({ owner: toFqdn(host, domain), types }))
      const held = failedRRsetAnswers(wanted, "budget_spent")
      return { names: wanted, servers: nameServers.map((server) => ({ server, held })) }
    }
    const clock = yield* Effect.clock
    const endsAt = clock.unsafeCurrentTimeMillis() + lastQuestionMillis
    const isOver = () => clock.unsafeCurrentTimeMillis() > endsAt
    const inFlight = Math.ceil(maxInFlight / Math.max(nameServers.length, 1))
    const servers = yield* Effect.forEach(
      nameServers,
      (server) => {
        const session = openServerSession(client, server, zone, isOver)
        const ask: Ask = (inquiries) => queryAll(inquiries, session.query, inFlight)
        return readOne(ask, server.wasUnreachable === true ? onTrial(ask) : ask, names, label).pipe(
          Effect.timeout("10 seconds"),
          Effect.orElseSucceed(() => failedRRsetAnswers(names, "timed_out")),
          Effect.map((held) => ({ server, held }))
        )
      },
      { concurrency: "unbounded" }
    )
    return { names, servers }
  })

/** In a zone with wildcards it takes another look to tell names that exist from those that a wildcard answers for. */
const readOne = (ask: Ask, askFirst: Ask, names: ReadonlyArray<QuestionSet>, label: string) =>
  Effect.gen(function* () {
    const first = yield* askFirst(names.flatMap((asked) => expandQuestionSet(asked).slice(0, 2)))
    const { open, settled } = afterTwo(names, first)
    const said = byName([...first, ...settled, ...(yield* ask(open))])
    const doubts = findWildcardProbes(said, label)
    const besides = doubts.additionalTypes.flatMap(expandQuestionSet)
    const second = yield* ask([...besides, ...doubts.children.flatMap(expandQuestionSet)])
    return toRRsetAnswers([...said, ...second.slice(0, besides.length)], second.slice(besides.length))
  })

type Ask = (inquiries: ReadonlyArray<RRsetQuestion>) => Effect.Effect<ReadonlyArray<RRsetResponse>>

/** One first: many at once to a server that answers none would keep the questions to others waiting. */
const onTrial =
  (ask: Ask): Ask =>
  (inquiries) =>
    Effect.zipWith(ask(inquiries.slice(0, 1)), ask(inquiries.slice(1)), (first, others) => [...first, ...others])

const byName = (said: ReadonlyArray<RRsetResponse>): ReadonlyArray<RRsetResponse> =>
  [...Map.groupBy(said, ({ questionSet: asked }) => asked).values()].flat()

/**
 * What is left of the inquiries after the first two for each name: a name of which the server says twice that it does
 * not exist, or that it is an alias, which stands alone (RFC 1034 section 3.6.2), needs no more questions.
 */
const afterTwo = (names: ReadonlyArray<QuestionSet>, first: ReadonlyArray<RRsetResponse>) => {
  const saidOf = Map.groupBy(first, ({ questionSet: asked }) => asked)
  const [open, settled] = Array.partitionMap(
    names.flatMap((asked) => expandQuestionSet(asked).slice(2)),
    (inquiry): Either.Either<RRsetResponse, RRsetQuestion> => {
      const said = saidOf.get(inquiry.questionSet) ?? []
      const word = said.every(isDenial) || said.every(isAlias) ? said[0] : undefined
      return word === undefined ? Either.left(inquiry) : Either.right({ ...inquiry, answer: word.answer })
    }
  )
  return { open, settled }
}

/** At the apex, where no wildcard stands above, there is always more, whatever a server makes of an alias there. */
const isAlias = ({ answer, questionSet: asked }: RRsetResponse): boolean =>
  asked.wildcard !== undefined &&
  Either.isRight(answer) &&
  answer.right._tag === "Authoritative" &&
  answer.right.message.answers.some(({ name, type }) => type === "CNAME" && name === asked.name)

/** NXDOMAIN is said of a name, not of a type (RFC 2308 section 2.1). */
const isDenial = ({ answer }: RRsetResponse): boolean =>
  Either.isRight(answer) &&
  answer.right._tag === "Authoritative" &&
  answer.right.message.rcode === 3 &&
  answer.right.message.answers.length === 0
