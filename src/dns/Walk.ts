import { Array, Effect, Either } from "effect"
import { awaited, hedged, judged, leftOpen } from "./Asking.ts"
import { makeBudget } from "./Budget.ts"
import type { DnsClient } from "./DnsClient.ts"
import { NoAnswer } from "./NoAnswer.ts"
import type { Resolver } from "./Resolver.ts"
import { type ServerAnswer, serverAnswer } from "./serverAnswer.ts"
import type { Message, Question, ResourceRecord } from "./wire/decodeAnswer.ts"

/** A name server with at most two of its addresses, IPv4 before IPv6. */
export interface NameServer {
  readonly name: string
  readonly addresses: ReadonlyArray<string>
  /** Whether it said nothing when it was asked on the way to the zone. */
  readonly wasSilent?: boolean
}

/** One walk through the DNS: its ways to ask, which share a budget of 64 questions. */
export interface Walk {
  /** What the operator's resolvers answer. */
  readonly resolve: (question: Question) => Effect.Effect<Message, NoAnswer>
  /** A name server with its addresses as the resolvers know them, else with those that came along with a referral. */
  readonly locate: (name: string, glue: ReadonlyArray<ResourceRecord>) => Effect.Effect<NameServer, NoAnswer>
  /** What the first of these servers of `zone` says that has something to say. */
  readonly ask: (
    servers: ReadonlyArray<NameServer>,
    zone: string,
    question: Question
  ) => Effect.Effect<ServerAnswer, NoAnswer>
}

export const startWalk = (client: typeof DnsClient.Service, resolver: typeof Resolver.Service): Effect.Effect<Walk> =>
  Effect.gen(function* () {
    const budget = makeBudget(maxQuestions)
    const resolve = (question: Question) =>
      Effect.suspend(() => (budget.spend() ? resolver.resolve(question) : budgetSpent))
    const addressesOf = yield* Effect.cachedFunction((name: string) => addressesBy(resolve, name))
    return {
      resolve,
      locate: (name, glue) => locatedBy(addressesOf(name), name, glue),
      ask: (servers, zone, question) => {
        const attempts = servers.flatMap(({ addresses }) =>
          addresses.map((address) =>
            judged<Message, ServerAnswer>(
              (over) => (budget.spend() ? client.ask(address, question) : leftOpen("budget_spent"))(over),
              (message) => serverAnswer(message, question, zone)
            )
          )
        )
        return awaited(Array.isNonEmptyReadonlyArray(attempts) ? hedged(attempts) : leftOpen("address_not_reachable"))
      }
    }
  })

const budgetSpent = new NoAnswer({ reason: "budget_spent" })

const maxQuestions = 64
const maxAddresses = 2

/** No address at all only where both questions were answered. */
const addressesBy = (resolve: Walk["resolve"], name: string): Effect.Effect<ReadonlyArray<string>, NoAnswer> =>
  Effect.gen(function* () {
    const answers = yield* Effect.forEach(
      ["A", "AAAA"] as const,
      (type) => Effect.either(Effect.map(resolve({ name, type }), (_) => valuesOf(_.answers, type))),
      { concurrency: 2 }
    )
    const found = answers.flatMap((answer) => (Either.isRight(answer) ? answer.right : []))
    return found.length > 0 ? found : (yield* Either.all(answers)).flat()
  })

const locatedBy = (
  lookedUp: Effect.Effect<ReadonlyArray<string>, NoAnswer>,
  name: string,
  glue: ReadonlyArray<ResourceRecord>
): Effect.Effect<NameServer, NoAnswer> =>
  Effect.gen(function* () {
    const own = glue.filter((record) => record.name === name)
    const given = [...valuesOf(own, "A"), ...valuesOf(own, "AAAA")]
    const known = given.length === 0 ? yield* lookedUp : yield* Effect.orElseSucceed(lookedUp, () => given)
    return { name, addresses: (known.length === 0 ? given : known).slice(0, maxAddresses) }
  })

const valuesOf = (records: ReadonlyArray<ResourceRecord>, type: string): ReadonlyArray<string> =>
  records.filter((record) => record.type === type).map(({ value }) => value)
