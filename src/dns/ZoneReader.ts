import { Array, Clock, Context, Data, Effect, Either, Layer, Number, Random } from "effect"
import { type DomainName, nameOf } from "../domain/DomainName.ts"
import type { Zone } from "../domain/Zone.ts"
import type { Delegation } from "./Delegation.ts"
import { atMost } from "./atMost.ts"
import { DnsClient } from "./DnsClient.ts"
import { keyOf, type Said } from "./findings.ts"
import { type AskedName, type HostQuestion, namesToAsk } from "./namesToAsk.ts"
import { disagree, heldBy, unanswered, zoneRecords } from "./Held.ts"
import { openSession, type ServerSession } from "./ServerSession.ts"
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

/** Reads a zone in public: puts each question to each of its authoritative servers. */
export class ZoneReader extends Context.Tag("dns/ZoneReader")<
  ZoneReader,
  { readonly read: (question: ZoneQuestion) => Effect.Effect<ZoneReading, ZoneReadTimedOut> }
>() {
  static readonly layer = Layer.effect(
    ZoneReader,
    Effect.map(DnsClient, (client) => ({
      read: Effect.fn("ZoneReader.read")(function* ({ delegation, domain, hosts }: ZoneQuestion) {
        const { zone } = delegation
        const label = yield* strangeLabel
        const names = namesToAsk({ domain, zone, hosts, label })
        if (Number.sumAll(names.map(({ types }) => types.length)) > maxQuestions) {
          const wanted = hosts.flatMap(({ host, types }) => types.map((type) => keyOf(nameOf(host, domain), type)))
          return yield* new ZoneReadTimedOut({ zone, unanswered: wanted })
        }
        const held = yield* Effect.timeoutFail(readEach(client, delegation, names, label), {
          duration: "10 seconds",
          onTimeout: () => new ZoneReadTimedOut({ zone, unanswered: unanswered(names, []) })
        })
        const open = unanswered(names, held)
        if (open.length > 0) return yield* new ZoneReadTimedOut({ zone, unanswered: open })
        return {
          zone: { name: zone, basis: "public_dns" as const, records: zoneRecords(held.flat(), domain) },
          disagreeing: disagree(held)
        }
      })
    }))
  )
}

/** To each server, the second look at a zone with wildcards aside; 200 records at hosts of one label need 6,000. */
const maxQuestions = 10_000

/** A question takes 2.4 s at most, so that what is asked before this is answered or given up within the ten seconds. */
const lastQuestionMillis = 7_500

const maxInFlight = 256

const readEach = (
  client: typeof DnsClient.Service,
  { nameServers, zone }: Delegation,
  names: ReadonlyArray<AskedName>,
  label: string
) =>
  Effect.gen(function* () {
    const endsAt = (yield* Clock.currentTimeMillis) + lastQuestionMillis
    const inFlight = Math.ceil(maxInFlight / Math.max(nameServers.length, 1))
    return yield* Effect.forEach(
      nameServers,
      (server) =>
        Effect.gen(function* () {
          const withPlace = yield* atMost(inFlight)
          const { ask } = yield* openSession(client, server, zone, endsAt)
          return yield* readOne({ ask: (question) => withPlace(ask(question)) }, names, label)
        }),
      { concurrency: "unbounded" }
    )
  })

/** In a zone with wildcards it takes a second look to tell names that exist from those that a wildcard answers for. */
const readOne = (session: ServerSession, names: ReadonlyArray<AskedName>, label: string) =>
  Effect.gen(function* () {
    const said = yield* askEach(names, (asked) => askName(session, asked))
    const doubts = doubtsIn(said, label)
    const [besides, below] = yield* Effect.all([askAll(session, doubts.besides), askAll(session, doubts.below)], {
      concurrency: 2
    })
    return heldBy([...said, ...besides], below)
  })

const askEach = (
  names: ReadonlyArray<AskedName>,
  ask: (asked: AskedName) => Effect.Effect<ReadonlyArray<Said>>
): Effect.Effect<ReadonlyArray<Said>> =>
  Effect.map(Effect.forEach(names, ask, { concurrency: "unbounded" }), Array.flatten)

const askAll = (session: ServerSession, names: ReadonlyArray<AskedName>) =>
  askEach(names, (asked) => askTypes(session, asked, asked.types))

/** Asks for two types first: a name of which the server says twice that it does not exist needs no more questions. */
const askName = (session: ServerSession, asked: AskedName) =>
  Effect.gen(function* () {
    const [first, others] = Array.splitAt(asked.types, 2)
    const said = yield* askTypes(session, asked, first)
    const denial = said.every(isDenial) ? said[0] : undefined
    return denial === undefined
      ? [...said, ...(yield* askTypes(session, asked, others))]
      : [...said, ...others.map((type): Said => ({ asked, type, answer: denial.answer }))]
  })

const askTypes = (session: ServerSession, asked: AskedName, types: AskedName["types"]) =>
  Effect.forEach(
    types,
    (type) =>
      Effect.map(Effect.either(session.ask({ name: asked.name, type })), (answer): Said => ({ asked, type, answer })),
    { concurrency: "unbounded" }
  )

/** NXDOMAIN is said of a name, not of a type (RFC 2308 section 2.1). */
const isDenial = ({ answer }: Said): boolean =>
  Either.isRight(answer) &&
  answer.right._tag === "Authoritative" &&
  answer.right.message.rcode === 3 &&
  answer.right.message.answers.length === 0

/** A label that no zone has by chance: 16 letters and digits. */
const strangeLabel = Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 36), 16), (digits) =>
  digits.map((digit) => digit.toString(36)).join("")
)
