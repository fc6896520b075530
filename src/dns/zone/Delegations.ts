import { Array, Clock, Context, Duration, Effect, Layer } from "effect"
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

type DelegationUnknown =
  | DomainNotRegistered
  | DomainHasNoNameServers
  | ZoneNotFound
  | DelegationTimedOut
  | ResolversUnavailable

/** Finds the delegation of the zone of a domain within ten seconds. */
export class Delegations extends Context.Tag("dns/Delegations")<
  Delegations,
  {
    /** The delegation as it is now, or was at most two seconds ago. */
    readonly find: (domain: DomainName) => Effect.Effect<Delegation, DelegationUnknown>
    /** The delegation as it was found last while its TTL lasts, a day at most; nothing may be concluded from a lack of it. */
    readonly findKept: (domain: DomainName) => Effect.Effect<Delegation, DelegationUnknown>
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
            Effect.gen(function* () {
              const delegation = yield* findDelegation(context, domain)
              const names = [delegation.zone, ...delegation.nameServers.map(({ name }) => name)]
              const lifetime = lifetimeOf(context.findLowestTtl(names))
              const keptUntil = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
              return { delegation: { ...delegation, keptUntil }, lifetime }
            })
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
        capacity: maxCachedDelegations,
        maxBytes: maxCachedBytes,
        sizeOf: measureDelegation,
        isShared: false,
        keyOf: (domain: DomainName) => domain,
        lookup: find,
        timeToLive: ({ lifetime }) => lifetime
      })
      return {
        // Long enough for the steps of one connection, which follow each other closely.
        find: (domain) => releaseSlotWhile(Effect.map(cache.get(domain, freshFor), ({ delegation }) => delegation)),
        findKept: (domain) => releaseSlotWhile(Effect.map(cache.get(domain), ({ delegation }) => delegation))
      }
    })
  )
}

/** Whether resolvers may be the reason: nobody has answered, perhaps because of their network, or only they say so. */
const mayBeOfResolvers = (failure: DelegationFailure): boolean => {
  if (failure._tag === "NoAnswer") return !isOwnLimit(failure)
  if (failure._tag === "DelegationTimedOut") return true
  return (failure.servers ?? []).some(
    ({ reason, server }) => server === resolverName || reason === "address_not_reachable"
  )
}

interface FoundDelegation {
  readonly delegation: Delegation
  readonly lifetime: Duration.Duration
}

const freshFor = Duration.seconds(2)

/** As long as the lowest TTL of the zone's NS records and of its servers' addresses allows, if any is known. */
const lifetimeOf = (ttlSeconds = 0): Duration.Duration =>
  Duration.max(freshFor, Duration.min(Duration.seconds(ttlSeconds), Duration.days(1)))

/**
 * A forgotten delegation costs the next check of its zone a dozen questions. A process with a few dozen checks a second
 * checks as many zones in an hour; a delegation takes half a kilobyte.
 */
const maxCachedDelegations = 200_000
const maxCachedBytes = 96 * 1024 * 1024

const measureDelegation = ({
  delegation: { childNameServers, nameServers, parentNameServers }
}: FoundDelegation): number =>
  nameServers
    .flatMap(({ addresses, name }) => [name, ...addresses])
    .concat(childNameServers, parentNameServers)
    .reduce((bytes, { length }) => bytes + length + bytesPerString, bytesPerDelegation)

/** The estimated memory of a string, and of a delegation, beside the characters. */
const bytesPerString = 24
const bytesPerDelegation = 250

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
