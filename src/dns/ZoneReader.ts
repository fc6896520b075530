import { Array, Context, Data, Effect, Either, Layer, Number } from "effect"
import { type DomainName, nameOf } from "../domain/DomainName.ts"
import type { Zone } from "../domain/Zone.ts"
import type { Delegation } from "./Delegation.ts"
import { DnsClient } from "./DnsClient.ts"
import { askAll, inquiriesFor, type Inquiry, type Said } from "./inquiries.ts"
import { type AskedName, type HostQuestion, namesToAsk } from "./namesToAsk.ts"
import { disagree, type Held, heldBy, nothingHeld, unanswered, zoneRecords } from "./Held.ts"
import { openSession } from "./ServerSession.ts"
import { type ServerView, viewOf } from "./ServerView.ts"
import { strangeLabel } from "./strangeLabel.ts"
import { doubtsIn } from "./wildcardDoubts.ts"

/**
 * Some questions, `name type`, were answered by no authoritative server, or were put to none because it would have taken
 * too many: whether there are such records is unknown.
 */
export class ZoneReadTimedOut extends Data.TaggedError("ZoneReadTimedOut")<{
  readonly zone: DomainName
  readonly unanswered: ReadonlyArray<string>
}> {}

/** What to read of a zone: some types at some hosts of a domain in it. */
export interface ZoneQuestion {
  readonly domain: DomainName
  readonly delegation: Delegation
  readonly hosts: ReadonlyArray<HostQuestion>
}

/** What the authoritative servers hold at these hosts, at the wildcards above them and at the cuts on the way. */
export interface ZoneReading {
  /** The records of all servers together, each once, with its lowest TTL. */
  readonly zone: Zone
  /** Whether servers that answered the same question hold different records. */
  readonly disagreeing: boolean
}

/** A zone as each of its authoritative servers shows it, and as they do together. */
export interface ZoneReadings {
  readonly views: ReadonlyArray<ServerView>
  readonly together: Either.Either<ZoneReading, ZoneReadTimedOut>
}

/** Reads a zone in public: puts each question to each of its authoritative servers. */
export class ZoneReader extends Context.Tag("dns/ZoneReader")<
  ZoneReader,
  {
    readonly read: (question: ZoneQuestion) => Effect.Effect<ZoneReading, ZoneReadTimedOut>
    readonly readEach: (question: ZoneQuestion) => Effect.Effect<ZoneReadings>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneReader,
    Effect.map(DnsClient, (client) => {
      const readEach = Effect.fn("ZoneReader.readEach")(function* (question: ZoneQuestion) {
        const { delegation, domain } = question
        const { names, servers } = yield* askServers(client, question)
        return {
          views: servers.map(({ held, server }) => viewOf(server, held, { domain, zone: delegation.zone })),
          together: readingOf(
            question,
            names,
            servers.map(({ held }) => held)
          )
        }
      })
      return {
        readEach,
        read: Effect.fn("ZoneReader.read")((question) => Effect.flatMap(readEach(question), ({ together }) => together))
      }
    })
  )
}

const readingOf = (
  { delegation: { zone }, domain }: ZoneQuestion,
  names: ReadonlyArray<Pick<AskedName, "owner" | "types">>,
  held: ReadonlyArray<ReadonlyArray<Held>>
): Either.Either<ZoneReading, ZoneReadTimedOut> => {
  const open = unanswered(names, held)
  return open.length > 0
    ? Either.left(new ZoneReadTimedOut({ zone, unanswered: open }))
    : Either.right({
        zone: { name: zone, basis: "public_dns", records: zoneRecords(held.flat(), domain) },
        disagreeing: disagree(held)
      })
}

/** To each server, the second look at a zone with wildcards aside; 200 records at hosts of one label need 6,000. */
const maxQuestions = 10_000

/** A question takes 2.4 s at most, so that what is asked before this is answered or given up within the ten seconds. */
const lastQuestionMillis = 7_500

const maxInFlight = 256

/** What each server holds of what was asked; where that would take too many questions, none is asked. */
const askServers = (client: typeof DnsClient.Service, { delegation, domain, hosts }: ZoneQuestion) =>
  Effect.gen(function* () {
    const { nameServers, zone } = delegation
    const label = yield* strangeLabel
    const names = namesToAsk({ domain, zone, hosts, label })
    if (Number.sumAll(names.map(({ types }) => types.length)) > maxQuestions) {
      const wanted = hosts.map(({ host, types }) => ({ owner: nameOf(host, domain), types }))
      const held = nothingHeld(wanted, "budget_spent")
      return { names: wanted, servers: nameServers.map((server) => ({ server, held })) }
    }
    const clock = yield* Effect.clock
    const endsAt = clock.unsafeCurrentTimeMillis() + lastQuestionMillis
    const isOver = () => clock.unsafeCurrentTimeMillis() > endsAt
    const inFlight = Math.ceil(maxInFlight / Math.max(nameServers.length, 1))
    const servers = yield* Effect.forEach(
      nameServers,
      (server) => {
        const session = openSession(client, server, zone, isOver)
        const ask: Ask = (inquiries) => askAll(inquiries, session.ask, inFlight)
        return readOne(ask, server.wasSilent === true ? onTrial(ask) : ask, names, label).pipe(
          Effect.timeout("10 seconds"),
          Effect.orElseSucceed(() => nothingHeld(names, "timed_out")),
          Effect.map((held) => ({ server, held }))
        )
      },
      { concurrency: "unbounded" }
    )
    return { names, servers }
  })

/** In a zone with wildcards it takes another look to tell names that exist from those that a wildcard answers for. */
const readOne = (ask: Ask, askFirst: Ask, names: ReadonlyArray<AskedName>, label: string) =>
  Effect.gen(function* () {
    const first = yield* askFirst(names.flatMap((asked) => inquiriesFor(asked).slice(0, 2)))
    const { open, settled } = afterTwo(names, first)
    const said = byName([...first, ...settled, ...(yield* ask(open))])
    const doubts = doubtsIn(said, label)
    const besides = doubts.besides.flatMap(inquiriesFor)
    const second = yield* ask([...besides, ...doubts.below.flatMap(inquiriesFor)])
    return heldBy([...said, ...second.slice(0, besides.length)], second.slice(besides.length))
  })

type Ask = (inquiries: ReadonlyArray<Inquiry>) => Effect.Effect<ReadonlyArray<Said>>

/** One first: many at once to a server that answers none would keep the questions to others waiting. */
const onTrial =
  (ask: Ask): Ask =>
  (inquiries) =>
    Effect.zipWith(ask(inquiries.slice(0, 1)), ask(inquiries.slice(1)), (first, others) => [...first, ...others])

const byName = (said: ReadonlyArray<Said>): ReadonlyArray<Said> =>
  [...Map.groupBy(said, ({ asked }) => asked).values()].flat()

/**
 * What is left of the inquiries after the first two for each name: a name of which the server says twice that it does
 * not exist, or that it is an alias, which stands alone (RFC 1034 section 3.6.2), needs no more questions.
 */
const afterTwo = (names: ReadonlyArray<AskedName>, first: ReadonlyArray<Said>) => {
  const saidOf = Map.groupBy(first, ({ asked }) => asked)
  const [open, settled] = Array.partitionMap(
    names.flatMap((asked) => inquiriesFor(asked).slice(2)),
    (inquiry): Either.Either<Said, Inquiry> => {
      const said = saidOf.get(inquiry.asked) ?? []
      const word = said.every(isDenial) || said.every(isAlias) ? said[0] : undefined
      return word === undefined ? Either.left(inquiry) : Either.right({ ...inquiry, answer: word.answer })
    }
  )
  return { open, settled }
}

/** At the apex, where no wildcard stands above, there is always more, whatever a server makes of an alias there. */
const isAlias = ({ answer, asked }: Said): boolean =>
  asked.wildcard !== undefined &&
  Either.isRight(answer) &&
  answer.right._tag === "Authoritative" &&
  answer.right.message.answers.some(({ name, type }) => type === "CNAME" && name === asked.name)

/** NXDOMAIN is said of a name, not of a type (RFC 2308 section 2.1). */
const isDenial = ({ answer }: Said): boolean =>
  Either.isRight(answer) &&
  answer.right._tag === "Authoritative" &&
  answer.right.message.rcode === 3 &&
  answer.right.message.answers.length === 0
