import { Array, Context, Effect, Layer } from "effect"
import { limitTime } from "../../runtime/Timers.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import { traced } from "../../runtime/traced.ts"
import { withAnswerBudget } from "../transport/AnswerMemory.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { NoAnswer, QueryRequester, type ServerFailure } from "../transport/Query.ts"
import type { Message } from "../wire/Message.ts"
import {
  type Delegation,
  DelegationTimedOut,
  type DomainHasNoNameServers,
  type DomainNotRegistered,
  ResolversUnavailable,
  type ZoneNotFound
} from "./Delegation.ts"
import { findDelegation, isProven } from "./findDelegation.ts"
import { randomLabel } from "./QuestionSet.ts"
import { makeRequesterCache } from "./RequesterCache.ts"
import { makeResolutionContext } from "./ResolutionContext.ts"
import { Resolver } from "./Resolver.ts"

/** Finds the delegation of the zone of a domain within ten seconds, and caches it for two. */
export class Delegations extends Context.Tag("dns/Delegations")<
  Delegations,
  {
    readonly find: (
      domain: DomainName
    ) => Effect.Effect<
      Delegation,
      DomainNotRegistered | DomainHasNoNameServers | ZoneNotFound | DelegationTimedOut | ResolversUnavailable
    >
  }
>() {
  static readonly layer = Layer.effect(
    Delegations,
    Effect.gen(function* () {
      const client = yield* DnsClient
      const resolver = yield* Resolver
      /** Whether a resolver knows that there is no such top-level domain, which it has to ask others for. */
      const canResolve = Effect.gen(function* () {
        const denial = resolver.resolve({ name: yield* randomLabel, type: "NS" })
        return yield* limitTime(
          Effect.orElseSucceed(Effect.map(denial, isUsable), () => false),
          "5 seconds",
          () => Effect.succeed(false)
        )
      })

      const find = traced("Delegations.find")(function* (domain: DomainName) {
        const unanswered = new Set<ServerFailure>()
        const requester = yield* QueryRequester
        let hasResolverAnswered = false
        const resolve: typeof resolver.resolve = (...asked) =>
          Effect.tap(resolver.resolve(...asked), (message) =>
            Effect.sync(() => {
              hasResolverAnswered ||= isUsable(message)
            })
          )
        const found = withAnswerBudget(requester, maxResolutionBytes, (answers) =>
          Effect.flatMap(makeResolutionContext(client, { resolve }, { answers, unanswered }), (context) =>
            findDelegation(context, domain)
          )
        )
        return yield* limitTime(
          found,
          "10 seconds",
          () => new NoAnswer({ reason: "timed_out", servers: nameOnce([...unanswered]) })
        ).pipe(
          Effect.catchTag("NoAnswer", ({ reason, servers = [] }) =>
            Effect.gen(function* () {
              if (hasResolverAnswered || isOwnLimit(reason) || (yield* canResolve))
                return yield* new DelegationTimedOut({ domain, servers })
              return yield* new ResolversUnavailable({
                message:
                  `no resolver of this service answers (${resolver.addresses.join(", ")}: ${reason}), and discoveries ` +
                  "wait for it: check that it runs, and DNS_RESOLVERS"
              })
            })
          )
        )
      })
      // Not shared: a delegation lacks the servers that its requester's queries got no permit for, or took for silent.
      const cache = makeRequesterCache({
        capacity: 1_000,
        maxBytes: maxCachedBytes,
        sizeOf: measureDelegation,
        isShared: false,
        keyOf: (domain: DomainName) => domain,
        lookup: find,
        // Long enough for the steps of one connection, which follow each other closely.
        timeToLive: "2 seconds"
      })
      return { find: cache.get }
    })
  )
}

/** Whether a response has records, or proves that there are none. */
const isUsable = (message: Message): boolean => message.answers.length > 0 || isProven(message)

/** Whether a query was not sent because of a limit of this service. */
const isOwnLimit = (reason: NoAnswer["reason"]): boolean => reason === "busy" || reason === "budget_spent"

const maxCachedBytes = 8 * 1024 * 1024

const measureDelegation = ({ childNameServers, nameServers, parentNameServers }: Delegation): number =>
  [...childNameServers, ...parentNameServers, ...nameServers.map(({ name }) => name)].reduce(
    (sum, { length }) => sum + 2 * length,
    0
  )

/** Some dozen answers of usual length, or a few that are as long as possible. */
const maxResolutionBytes = 1024 * 1024

/** A server with several addresses was asked at each of them. */
const nameOnce = (servers: ReadonlyArray<ServerFailure>): ReadonlyArray<ServerFailure> =>
  Array.dedupeWith(
    servers,
    (one, other) =>
      one.server === other.server &&
      one.question?.name === other.question?.name &&
      one.question?.type === other.question?.type
  )
