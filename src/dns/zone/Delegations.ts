import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import type { DomainName } from "../../domain/DomainName.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { QueryOwner } from "../transport/QueryOwner.ts"
import {
  type Delegation,
  DelegationTimedOut,
  type DomainHasNoNameServers,
  type DomainNotRegistered,
  findDelegation,
  type ZoneNotFound
} from "./Delegation.ts"
import { OwnedKey } from "./OwnedKey.ts"
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
      const find = Effect.fn("Delegations.find")(
        function* (domain: DomainName) {
          return yield* findDelegation(yield* makeResolutionContext(client, resolver), domain)
        },
        (delegation, domain) =>
          delegation.pipe(
            Effect.catchTag("NoAnswer", () => new DelegationTimedOut({ domain })),
            Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => new DelegationTimedOut({ domain }) })
          )
      )
      const cache = yield* Cache.makeWith({
        capacity: 1_000,
        lookup: ({ owner, value: domain }: OwnedKey<DomainName>) =>
          Effect.provideService(find(domain), QueryOwner, owner),
        timeToLive: Exit.match({ onSuccess: () => timeToLive, onFailure: () => Duration.zero })
      })
      return {
        find: (domain: DomainName) => Effect.flatMap(QueryOwner, (owner) => cache.get(new OwnedKey(domain, owner)))
      }
    })
  )
}

/** Long enough for the steps of one connection, which follow each other closely. */
const timeToLive = Duration.seconds(2)
