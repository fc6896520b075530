import { Array, Effect, Either } from "effect"
import { makeBudget } from "../../limits/Budget.ts"
import type { AnswerBudget } from "../transport/AnswerMemory.ts"
import type { DnsClient } from "../transport/DnsClient.ts"
import {
  countRefused,
  failWithNoAnswer,
  flatMapQuery,
  makeFailedQuery,
  NoAnswer,
  queryServers,
  type ServerFailure
} from "../transport/Query.ts"
import { Requester } from "../../limits/RequestSource.ts"
import type { Message, Question, ResourceRecord } from "../wire/Message.ts"
import { classifyResponse, type NameServer, type ServerAnswer } from "./NameServer.ts"
import type { Resolver } from "./Resolver.ts"

/**
 * The ways to send the queries of one resolution, at most 64. A delegation can name servers without addresses, so that a
 * victim's server is asked for them (NXNSAttack): after eight such names, no further addresses are resolved.
 */
export interface ResolutionContext {
  readonly resolve: (question: Question) => Effect.Effect<Message, NoAnswer>
  /** A name server with its addresses as the resolvers know them, or else those of the referral's glue. */
  readonly resolveNameServer: (name: string, glue: ReadonlyArray<ResourceRecord>) => Effect.Effect<NameServer, NoAnswer>
  /** The first answer of these servers of `zone`, and the name of the server that gave it. */
  readonly query: (
    servers: ReadonlyArray<NameServer>,
    zone: string,
    question: Question
  ) => Effect.Effect<NamedAnswer, NoAnswer>
  /** The lowest TTL of what servers told of these zones (NS) and resolvers of these servers (A, AAAA); or none. */
  readonly findLowestTtl: (names: ReadonlyArray<string>) => number | undefined
}

export type NamedAnswer = ServerAnswer & { readonly server: string }

/** The options of one resolution: what it may keep, and the servers that have not answered (see `queryServers`). */
interface ResolutionOptions {
  readonly answers: AnswerBudget
  readonly unanswered: Set<ServerFailure>
}

/** Makes the context of one resolution, with a budget of 64 queries. */
export const makeResolutionContext = (
  client: typeof DnsClient.Service,
  resolver: Pick<typeof Resolver.Service, "resolve">,
  { answers, unanswered }: ResolutionOptions
): Effect.Effect<ResolutionContext> =>
  Effect.gen(function* () {
    const requester = yield* Requester
    const budget = makeQueryBudget(maxQueries, answers)
    const resolve = (question: Question) =>
      Effect.suspend(() =>
        budget.trySpend()
          ? Effect.filterOrFail(resolver.resolve(question, unanswered), answers.tryKeep, () => budgetSpent)
          : budgetSpent
      )
    const lowestTtls = new Map<string, number>()
    const noteTtl = (types: ReadonlyArray<string>, records: ReadonlyArray<ResourceRecord>) => {
      for (const { name, ttl, type } of records)
        if (types.includes(type)) lowestTtls.set(name, Math.min(ttl, lowestTtls.get(name) ?? ttl))
    }
    let namesWithoutAddress = 0
    const resolveAddress = (question: Question) =>
      Effect.tap(resolve(question), ({ answers }) => Effect.sync(() => noteTtl(["A", "AAAA"], answers)))
    const addressesOf = yield* Effect.cachedFunction((name: string) =>
      Effect.suspend(() =>
        namesWithoutAddress < maxNamesWithoutAddress ? resolveAddresses(resolveAddress, name) : budgetSpent
      ).pipe(
        Effect.tap((addresses) => Effect.sync(() => (namesWithoutAddress += addresses.length === 0 ? 1 : 0))),
        Effect.tapError(() => Effect.sync(() => (namesWithoutAddress += 1)))
      )
    )
    return {
      findLowestTtl: (names) => {
        const ttls = names.flatMap((name) => lowestTtls.get(name) ?? [])
        return ttls.length === 0 ? undefined : Math.min(...ttls)
      },
      resolve,
      resolveNameServer: (name, glue) => withAddresses(addressesOf(name), name, glue),
      query: (servers, zone, question) => {
        const attempts = servers.flatMap(({ addresses, name }) =>
          addresses.map((address) => ({
            server: name,
            query: flatMapQuery<Message, NamedAnswer>(
              (onOutcome) =>
                (budget.trySpend()
                  ? client.query(address, question, { zone, requester, trySpend: budget.trySpend })
                  : makeFailedQuery("budget_spent"))(onOutcome),
              (message) => {
                if (!answers.tryKeep(message)) return failWithNoAnswer("budget_spent")
                noteTtl(["NS"], [...message.answers, ...message.authorities])
                return Either.map(classifyResponse(message, question, zone), (answer) => ({ ...answer, server: name }))
              }
            )
          }))
        )
        return Array.isNonEmptyReadonlyArray(attempts)
          ? queryServers(question, attempts, unanswered)
          : failWithNoAnswer("address_not_reachable")
      }
    }
  })

const budgetSpent = new NoAnswer({ reason: "budget_spent" })

export const maxQueries = 64
const maxNamesWithoutAddress = 8
const maxAddresses = 2

/** A name certainly has no addresses only if both queries were answered. */
const resolveAddresses = (
  resolve: ResolutionContext["resolve"],
  name: string
): Effect.Effect<ReadonlyArray<string>, NoAnswer> =>
  Effect.gen(function* () {
    const answers = yield* Effect.forEach(
      ["A", "AAAA"] as const,
      (type) => Effect.either(Effect.map(resolve({ name, type }), ({ answers }) => valuesOf(answers, type))),
      { concurrency: "unbounded" }
    )
    const addresses = answers.flatMap((answer) => (Either.isRight(answer) ? answer.right : []))
    return addresses.length > 0 ? addresses : (yield* Either.all(answers)).flat()
  })

const withAddresses = (
  resolved: Effect.Effect<ReadonlyArray<string>, NoAnswer>,
  name: string,
  glue: ReadonlyArray<ResourceRecord>
): Effect.Effect<NameServer, NoAnswer> =>
  Effect.gen(function* () {
    const own = glue.filter((record) => record.name === name)
    const inGlue = [...valuesOf(own, "A"), ...valuesOf(own, "AAAA")]
    const known = inGlue.length === 0 ? yield* resolved : yield* Effect.orElseSucceed(resolved, () => inGlue)
    return { name, addresses: (known.length === 0 ? inGlue : known).slice(0, maxAddresses) }
  })

const valuesOf = (records: ReadonlyArray<ResourceRecord>, type: string): ReadonlyArray<string> =>
  records.filter((record) => record.type === type).map(({ value }) => value)

/** How many more queries may be sent; a loop or an endless chain of delegations ends with it as unknown. */
interface QueryBudget {
  readonly trySpend: () => boolean
}

const makeQueryBudget = (queries: number, answers: AnswerBudget): QueryBudget => {
  const budget = makeBudget({ inAll: queries })
  return {
    trySpend: () => {
      if (answers.isSpent()) return false
      if (budget.trySpend("")) return true
      countRefused("resolution")
      return false
    }
  }
}
