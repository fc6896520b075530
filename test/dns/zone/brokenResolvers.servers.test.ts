import { expect } from "bun:test"
import { Array, Effect, Layer, Option } from "effect"
import { mkdtempSync } from "node:fs"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { Resolver } from "../../../src/dns/zone/Resolver.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { makeUnbound } from "../../support/lab/Unbound.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { temporaryRoot } from "../../support/temporaryRoot.ts"

/** The zone of a domain that resolvers lead to, or the error. */
const outcomeOf = (domain: string, resolvers: Array.NonEmptyReadonlyArray<string>) =>
  Effect.flatMap(Delegations, ({ find }) => find(DomainName.make(domain))).pipe(
    Effect.match({ onFailure: ({ _tag }): string => _tag, onSuccess: ({ zone }): string => zone }),
    Effect.provide(
      Delegations.layer.pipe(
        Layer.provide(Resolver.layer(Array.map(resolvers, (host) => ({ host, port: 53 })))),
        Layer.provide(DnsClient.layer({ allowed: Option.toArray(parseNetwork("127.10.0.0/16")) }))
      )
    )
  )

const cutOff = "127.10.0.54"
const warm = "127.10.0.55"
const nobody = "127.10.9.9"

/** An Unbound beside that of the lab. */
const startUnbound = (name: string, address: string, options: { readonly root: string; readonly known?: string[] }) =>
  Effect.suspend(() => {
    const directory = mkdtempSync(`${temporaryRoot()}/dns-lab-`)
    return makeUnbound({ name, address, directory, isCaching: true, ...options })
  }).pipe(Effect.flatMap(({ start }) => start))

/** Unbound that knows the servers of `com` and nothing else, since no root server answers it. */
const startCutOff = startUnbound("cut-off", cutOff, {
  root: nobody,
  known: ["com. NS a.gtld.test.", "a.gtld.test. A 127.10.0.2"]
})

describeLab("with real resolvers", (live) => {
  live("an Unbound that answers from its cache only is unavailable, unless the rest needs no resolver", () =>
    Effect.gen(function* () {
      yield* startCutOff
      expect(yield* outcomeOf("example.com", [cutOff])).toBe("ResolversUnavailable")
      expect(yield* outcomeOf("nobody.com", [cutOff])).toBe("DomainNotRegistered")
      expect(yield* outcomeOf("glued.com", [cutOff])).toBe("glued.com")
    })
  )

  live("a PowerDNS and a BIND that only serve their own zones are no resolvers, and a missing one is none", () =>
    Effect.gen(function* () {
      const { bind, pdns } = yield* Lab
      for (const address of [...pdns.addresses.slice(0, 1), bind.address, nobody])
        expect(yield* outcomeOf("example.com", [address])).toBe("ResolversUnavailable")
    })
  )

  live("a second resolver is enough, whatever is wrong with the first", () =>
    Effect.gen(function* () {
      const { bind, resolver } = yield* Lab
      yield* startCutOff
      for (const address of [cutOff, bind.address, nobody])
        expect(yield* outcomeOf("example.com", [address, resolver])).toBe("example.com")
    })
  )

  live("a domain whose own servers are dead fails at a resolver that resolves", () =>
    Effect.gen(function* () {
      const { resolver } = yield* Lab
      expect(yield* outcomeOf("lame.com", [resolver])).toBe("DelegationTimedOut")
    })
  )

  live("nobody is blamed while resolver and service are cut off from the internet, though the cache is warm", () =>
    Effect.gen(function* () {
      const { root, tld } = yield* Lab
      yield* startUnbound("warm", warm, { root: root.address })
      expect(yield* outcomeOf("example.com", [warm])).toBe("example.com")
      const servers = [root, tld]
      yield* Effect.forEach(servers, ({ stop }) => stop)
      const outcome = yield* outcomeOf("example.com", [warm])
      yield* Effect.forEach(servers, ({ start }) => start)
      expect(outcome).toBe("ResolversUnavailable")
    })
  )
})
