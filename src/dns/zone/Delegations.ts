import { Array, Context, Effect, Layer } from "effect"
import type { DomainName } from "../../domain/names/DomainName.ts"
import { withAnswerBudget } from "../transport/AnswerMemory.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { isOwnLimit, NoAnswer, type ServerFailure } from "../transport/Query.ts"
import { Requester } from "../../limits/RequestSource.ts"
import { releaseSlotWhile } from "../../limits/WorkSlots.ts"
import {
  type Delegation,
  DelegationTimedOut,
  type DomainHasNoNameServers,
  type DomainNotRegistered,
  type ResolversUnavailable,
  type ZoneNotFound
} from "./Delegation.ts"
import { type DelegationFailure, findDelegation } from "./findDelegation.ts"
import { makeRequesterCache } from "./RequesterCache.ts"
import { makeResolutionContext } from "./ResolutionContext.ts"
import { Resolver, resolverName } from "./Resolver.ts"

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
      const find = Effect.fnUntraced(function* (domain: DomainName) {
        const unanswered = new Set<ServerFailure>()
        const requester = yield* Requester
        const found = withAnswerBudget(requester, maxResolutionBytes, (answers) =>
          Effect.flatMap(makeResolutionContext(client, resolver, { answers, unanswered }), (context) =>
            findDelegation(context, domain)
          )
        )
        return yield* found.pipe(
          Effect.timeoutFail({
            duration: "10 seconds",
            onTimeout: () => new NoAnswer({ reason: "timed_out", servers: nameOnce([...unanswered]) })
          }),
          Effect.tapError((failure) => (mayBeOfResolvers(failure) ? resolver.requireAvailable(domain) : Effect.void)),
          Effect.catchTag("NoAnswer", ({ servers = [] }) => new DelegationTimedOut({ domain, servers }))
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
      return { find: (domain) => releaseSlotWhile(cache.get(domain)) }
    })
  )
}

/**
 * Whether the resolvers may be the reason of a failure: nobody has answered, which may be their network's, or the service has
 * only their word.
 */
const mayBeOfResolvers = (failure: DelegationFailure): boolean => {
  if (failure._tag === "NoAnswer") return !isOwnLimit(failure)
  if (failure._tag === "DelegationTimedOut") return true
  return (failure.servers ?? []).some(
    ({ reason, server }) => server === resolverName || reason === "address_not_reachable"
  )
}

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
