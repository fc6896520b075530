import { Array, Context, type Duration, Effect, Layer, Option } from "effect"
import { limitTime } from "../../runtime/Timers.ts"
import { forEachConcurrent } from "../../runtime/forEachConcurrent.ts"
import { traced } from "../../runtime/traced.ts"
import { measureAnswer } from "../transport/AnswerMemory.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { type Endpoint, formatEndpoint } from "../transport/Endpoint.ts"
import { type NoAnswer, QueryRequester, queryServers, type ServerFailure } from "../transport/Query.ts"
import type { Message, Question } from "../wire/Message.ts"
import { makeRequesterCache } from "./RequesterCache.ts"

/** What failures call the operator's resolvers, whose addresses are not for tenants. */
export const resolverName = "the resolver of this service"

/** Resolves questions through the operator's recursive resolvers: the first answer counts. */
export class Resolver extends Context.Tag("dns/Resolver")<
  Resolver,
  {
    /** `unanswered` holds the resolvers that were asked and have not answered, see `queryServers`. */
    readonly resolve: (question: Question, unanswered?: Set<ServerFailure>) => Effect.Effect<Message, NoAnswer>
    /** The addresses of the resolvers, for the operator. */
    readonly addresses: ReadonlyArray<string>
  }
>() {
  /** Tries the resolvers (`DNS_RESOLVERS`) in this order. */
  static readonly layer = (resolvers: Array.NonEmptyReadonlyArray<Endpoint>): Layer.Layer<Resolver, never, DnsClient> =>
    Layer.effect(
      Resolver,
      Effect.map(DnsClient, (client) => ({
        resolve: (question: Question, unanswered?: Set<ServerFailure>) =>
          Effect.flatMap(QueryRequester, (requester) =>
            queryServers(
              question,
              Array.map(resolvers, (endpoint) => ({
                server: resolverName,
                query: client.resolve(endpoint, question, requester)
              })),
              unanswered
            )
          ),
        addresses: resolvers.map(formatEndpoint)
      }))
    )
}

/** Answers questions beyond a zone through the operator's resolvers, with a cache of two seconds. */
export class CachedResolver extends Context.Tag("dns/CachedResolver")<
  CachedResolver,
  {
    /** Pairs each question that was answered within the timeout with its values; the others are left out. */
    readonly lookUp: <Q extends Question>(
      questions: ReadonlyArray<Q>,
      timeout: Duration.Duration
    ) => Effect.Effect<ReadonlyArray<readonly [Q, ReadonlyArray<string>]>>
  }
>() {
  static readonly layer = Layer.effect(
    CachedResolver,
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const cache = makeRequesterCache({
        capacity: 10_000,
        maxBytes: maxCachedBytes,
        sizeOf: (values: ReadonlyArray<string>) => values.reduce((sum, { length }) => sum + 2 * length, 0),
        isShared: true,
        keyOf: ({ name, type }: Question) => `${name} ${type}`,
        lookup: (question) => Effect.flatMap(resolver.resolve(question), valuesFor(question)),
        // Long enough for the steps of one connection, which plan one after the other.
        timeToLive: "2 seconds"
      })
      return {
        lookUp: traced("CachedResolver.lookUp")(function* <Q extends Question>(
          questions: ReadonlyArray<Q>,
          timeout: Duration.Duration
        ) {
          const answers = yield* forEachConcurrent(
            questions,
            (question) =>
              limitTime(
                Effect.option(Effect.map(cache.get(question), (values) => [question, values] as const)),
                timeout,
                () => Effect.succeed(Option.none())
              ),
            maxInFlight
          )
          return Array.getSomes(answers)
        })
      }
    })
  )
}

/** Questions of one plan at a time. */
const maxInFlight = 64

/** A longer answer is unknown: no policy is that long, and a plan keeps the answers to all of its questions. */
const maxAnswerBytes = 64 * 1024
const maxCachedBytes = 16 * 1024 * 1024

/** The values at the end of a chain of aliases, or none if a SOA proves it (RFC 2308 section 5). */
const valuesFor =
  ({ type }: Question) =>
  (message: Message): Option.Option<ReadonlyArray<string>> => {
    if (measureAnswer(message) > maxAnswerBytes) return Option.none()
    const { answers, authorities } = message
    const values = answers.filter((record) => record.type === type).map(({ value }) => value)
    const isProven = values.length > 0 || authorities.some((record) => record.type === "SOA")
    return isProven ? Option.some(values) : Option.none()
  }
