import { Array, Effect, Either } from "effect"
import type { DnsClient } from "../transport/DnsClient.ts"
import { failedQuery, flatMapQuery, hedgeQueries, NoAnswer, runQuery } from "../transport/Query.ts"
import type { Message, Question, ResourceRecord } from "../wire/Message.ts"
import { classifyResponse, type NameServer, type ServerAnswer } from "./NameServer.ts"
import type { Resolver } from "./Resolver.ts"

/** One walk through the DNS: its ways to ask, which share a budget of 64 questions. */
export interface ResolutionContext {
  /** What the operator's resolvers answer. */
  readonly resolve: (question: Question) => Effect.Effect<Message, NoAnswer>
  /** A name server with its addresses as the resolvers know them, else with those that came along with a referral. */
  readonly resolveNameServer: (name: string, glue: ReadonlyArray<ResourceRecord>) => Effect.Effect<NameServer, NoAnswer>
  /** What the first of these servers of `zone` says that has something to say. */
  readonly query: (
    servers: ReadonlyArray<NameServer>,
    zone: string,
    question: Question
  ) => Effect.Effect<ServerAnswer, NoAnswer>
}

export const makeResolutionContext = (
  client: typeof DnsClient.Service,
  resolver: typeof Resolver.Service
): Effect.Effect<ResolutionContext> =>
  Effect.gen(function* () {
    const budget = makeQueryBudget(maxQuestions)
    const resolve = (question: Question) =>
      Effect.suspend(() => (budget.trySpend() ? resolver.resolve(question) : budgetSpent))
    const addressesOf = yield* Effect.cachedFunction((name: string) => addressesBy(resolve, name))
    return {
      resolve,
      resolveNameServer: (name, glue) => locatedBy(addressesOf(name), name, glue),
      query: (servers, zone, question) => {
        const attempts = servers.flatMap(({ addresses }) =>
          addresses.map((address) =>
            flatMapQuery<Message, ServerAnswer>(
              (over) => (budget.trySpend() ? client.query(address, question) : failedQuery("budget_spent"))(over),
              (message) => classifyResponse(message, question, zone)
            )
          )
        )
        return runQuery(
          Array.isNonEmptyReadonlyArray(attempts) ? hedgeQueries(attempts) : failedQuery("address_not_reachable")
        )
      }
    }
  })

const budgetSpent = new NoAnswer({ reason: "budget_spent" })

const maxQuestions = 64
const maxAddresses = 2

/** No address at all only where both questions were answered. */
const addressesBy = (
  resolve: ResolutionContext["resolve"],
  name: string
): Effect.Effect<ReadonlyArray<string>, NoAnswer> =>
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

/** How many questions a walk through the DNS may still ask; what loops or never ends stops there as unknown. */
export interface QueryBudget {
  /** Whether there was one left, which is then spent. */
  readonly trySpend: () => boolean
}

export const makeQueryBudget = (questions: number): QueryBudget => {
  let left = questions
  return {
    trySpend: () => {
      left -= 1
      return left >= 0
    }
  }
}
