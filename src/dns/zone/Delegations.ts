import { Array, Context, Effect, Layer } from "effect"
import type { DomainName } from "../../domain/DomainName.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import type { ServerFailure } from "../transport/Query.ts"
import {
  type Delegation,
  DelegationTimedOut,
  type DomainHasNoNameServers,
  type DomainNotRegistered,
  type ZoneNotFound
} from "./Delegation.ts"
import { findDelegation } from "./findDelegation.ts"
import { makeRequesterCache } from "./RequesterCache.ts"
import { makeResolutionContext } from "./ResolutionContext.ts"
import { Resolver } from "./Resolver.ts"

/** Finds the delegation of the zone of a domain within ten seconds, and caches it for two. */
export class Delegations extends Context.Tag("dns/Delegations")<
  Delegations,
  {
    readonly find: (
      domain: DomainName
    ) => Effect.Effect<Delegation, DomainNotRegistered | DomainHasNoNameServers | ZoneNotFound | DelegationTimedOut>
  }
>() {
  static readonly layer = Layer.effect(
    Delegations,
    Effect.gen(function* () {
      const client = yield* DnsClient
      const resolver = yield* Resolver
      const find = Effect.fn("Delegations.find")(function* (domain: DomainName) {
        const unanswered = new Set<ServerFailure>()
        const context = yield* makeResolutionContext(client, resolver, unanswered)
        return yield* findDelegation(context, domain).pipe(
          Effect.catchTag("NoAnswer", ({ servers = [] }) => new DelegationTimedOut({ domain, servers })),
          Effect.timeoutFail({
            duration: "10 seconds",
            onTimeout: () => new DelegationTimedOut({ domain, servers: nameOnce([...unanswered]) })
          })
        )
      })
      // Not shared: a delegation lacks the servers that its requester's queries got no permit for, or took for silent.
      const cache = makeRequesterCache({
        capacity: 1_000,
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

/** A server with several addresses was asked at each of them. */
const nameOnce = (servers: ReadonlyArray<ServerFailure>): ReadonlyArray<ServerFailure> =>
  Array.dedupeWith(
    servers,
    (one, other) =>
      one.server === other.server &&
      one.question?.name === other.question?.name &&
      one.question?.type === other.question?.type
  )
