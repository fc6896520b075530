import { Array, Context, type Duration, Effect, Either, Layer, Metric, Option } from "effect"
import { isAtOrBelow, isInPublicDomain } from "../../domain/names/DomainName.ts"
import { metrics } from "../../runtime/metrics.ts"
import { measureAnswer } from "../transport/AnswerMemory.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { type Endpoint, formatEndpoint } from "../transport/Endpoint.ts"
import {
  failWithNoAnswer,
  flatMapQuery,
  isOwnLimit,
  NoAnswer,
  queryServers,
  type ServerFailure
} from "../transport/Query.ts"
import { Requester } from "../../limits/RequestSource.ts"
import { releaseSlotWhile } from "../../limits/WorkSlots.ts"
import type { Message, Question, ResourceRecord } from "../wire/Message.ts"
import { ResolversUnavailable } from "./Delegation.ts"
import { randomLabel } from "./QuestionSet.ts"
import { makeRequesterCache } from "./RequesterCache.ts"

/** The name of the operator's resolvers in failures, because tenants must not see their addresses. */
export const resolverName = "the resolver of this service"

/** The first resolver's answer counts. Without records it needs an SOA (RFC 2308 section 2), which filters lack. */
export class Resolver extends Context.Tag("dns/Resolver")<
  Resolver,
  {
    /** `unanswered` holds the resolvers that were asked and have not answered, see `queryServers`. */
    readonly resolve: (question: Question, unanswered?: Set<ServerFailure>) => Effect.Effect<Message, NoAnswer>
    /** Fails unless a resolver denies a random name below `com`, or below the top-level domain of a private network. */
    readonly requireAvailable: (name: string) => Effect.Effect<void, ResolversUnavailable>
  }
>() {
  /** Tries the resolvers (`DNS_RESOLVERS`) in this order. */
  static readonly layer = (resolvers: Array.NonEmptyReadonlyArray<Endpoint>): Layer.Layer<Resolver, never, DnsClient> =>
    Layer.effect(
      Resolver,
      Effect.map(DnsClient, (client) => {
        const resolve = (question: Question, unanswered?: Set<ServerFailure>) =>
          Effect.flatMap(Requester, (requester) =>
            queryServers(
              question,
              Array.map(resolvers, (endpoint) => ({
                server: resolverName,
                query: flatMapQuery(client.resolve(endpoint, question, requester), (message) =>
                  message.answers.length > 0 || isProven(message) ? Either.right(message) : failWithNoAnswer("lame")
                )
              })),
              unanswered
            )
          )
        const requireDenial = (domain: string) =>
          Effect.gen(function* () {
            const { authorities } = yield* resolve({ name: `${yield* randomLabel}.${domain}`, type: "NS" })
            const isFromBelow = authorities.some((record) => isSoa(record) && isAtOrBelow(record.name, domain))
            if (!isFromBelow) return yield* new NoAnswer({ reason: "lame" })
          })
        return {
          resolve,
          requireAvailable: (name: string) =>
            Effect.firstSuccessOf(listProbedDomains(name).map(requireDenial)).pipe(
              Effect.timeoutFail({ duration: "5 seconds", onTimeout: () => new NoAnswer({ reason: "timed_out" }) }),
              Effect.catchIf(isOwnLimit, () => Effect.void),
              Effect.catchTag("NoAnswer", ({ reason }) =>
                Effect.zipRight(
                  Metric.increment(metrics.dnsResolversUnavailable.metric),
                  new ResolversUnavailable({ message: describeUnavailable(resolvers.map(formatEndpoint), reason) })
                )
              )
            )
        }
      })
    )
}

/** A negative response names the zone that it comes from (RFC 2308 section 2); a filter that blocks queries does not. */
export const isProven = ({ authorities }: Pick<Message, "authorities">): boolean => authorities.some(isSoa)

const isSoa = ({ type }: ResourceRecord): boolean => type === "SOA"

/**
 * The domains below which a resolver cannot deny a random name by its cache alone, as it can below the root by other
 * denials (RFC 8198): the NSEC3 records of `com` opt out.
 */
const listProbedDomains = (name: string): ReadonlyArray<string> =>
  isInPublicDomain(name) ? ["com"] : [name.slice(name.lastIndexOf(".") + 1), "com"]

const describeUnavailable = (addresses: ReadonlyArray<string>, reason: NoAnswer["reason"]): string =>
  `no resolver of this service answers what it does not know yet (${addresses.join(", ")}: ${reason}), and discoveries wait ` +
  "for it: check that it runs and reaches the servers of others, and DNS_RESOLVERS"

/** Answers questions beyond a zone through the operator's resolvers, with a cache of two seconds. */
export class CachedResolver extends Context.Tag("dns/CachedResolver")<
  CachedResolver,
  Pick<typeof Resolver.Service, "requireAvailable"> & {
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
        timeToLive: () => "2 seconds"
      })
      return {
        requireAvailable: (name) => releaseSlotWhile(resolver.requireAvailable(name)),
        lookUp: Effect.fnUntraced(function* <Q extends Question>(
          questions: ReadonlyArray<Q>,
          timeout: Duration.Duration
        ) {
          const answers = yield* Effect.forEach(
            questions,
            (question) =>
              cache.get(question).pipe(
                Effect.map((values) => [question, values] as const),
                Effect.timeoutOption(timeout),
                Effect.orElseSucceed(Option.none)
              ),
            { concurrency: maxInFlight }
          )
          return Array.getSomes(answers)
        }, releaseSlotWhile)
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
