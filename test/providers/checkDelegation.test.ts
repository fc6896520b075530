import { describe, expect } from "bun:test"
import { Effect, Exit, Redacted } from "effect"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { checkDelegation } from "../../src/providers/ProviderClient.ts"
import { ProviderFailure } from "../../src/providers/ProviderFailure.ts"
import { effect } from "../support/effectTest.ts"

/** The zone of a bakery that its parent delegates to these name servers. */
const delegatedTo = (...nameServers: ReadonlyArray<string>) => ({
  connectionId: "con_1",
  domain: DomainName.make("bakery.com"),
  zone: DomainName.make("bakery.com"),
  nameServers,
  credential: { _tag: "api_token", apiToken: Redacted.make("s3cret") } as const
})

const mismatch = (detail: string) => Exit.fail(new ProviderFailure({ code: "authorization_zone_mismatch", detail }))

const linodeNameServers = ["ns1.linode.com", "ns2.linode.com", "ns3.linode.com", "ns4.linode.com", "ns5.linode.com"]

describe("a zone that a credential gives access to", () => {
  effect("is the delegated one if it has all name servers of the parent, in any letter case", () =>
    Effect.gen(function* () {
      const zoneNameServers = ["Amy.NS.Cloudflare.com", "bob.ns.cloudflare.com."]
      yield* checkDelegation(zoneNameServers, delegatedTo("AMY.ns.cloudflare.com.", "bob.ns.cloudflare.com"))
    })
  )

  effect("is another one if the provider assigned it other name servers", () =>
    Effect.gen(function* () {
      const check = checkDelegation(
        ["cat.ns.cloudflare.com", "bob.ns.cloudflare.com"],
        delegatedTo("amy.ns.cloudflare.com", "bob.ns.cloudflare.com")
      )
      expect(yield* Effect.exit(check)).toEqual(
        mismatch(
          "bakery.com is delegated to amy.ns.cloudflare.com, bob.ns.cloudflare.com, but here to cat.ns.cloudflare.com, bob.ns.cloudflare.com"
        )
      )
    })
  )

  effect("is not delegated if the provider has assigned no name servers, or the parent names none", () =>
    Effect.gen(function* () {
      expect(yield* Effect.exit(checkDelegation([], delegatedTo("amy.ns.cloudflare.com")))).toEqual(
        mismatch("bakery.com is delegated to amy.ns.cloudflare.com, but here to no name server")
      )
      expect(yield* Effect.exit(checkDelegation(["amy.ns.cloudflare.com"], delegatedTo()))).toEqual(
        mismatch("bakery.com is delegated to no name server, but here to amy.ns.cloudflare.com")
      )
    })
  )

  effect("may be delegated to some of the name servers that all zones of its provider have", () =>
    Effect.gen(function* () {
      yield* checkDelegation(linodeNameServers, delegatedTo("ns1.linode.com", "ns5.linode.com"))
    })
  )

  effect("is served elsewhere too if the parent names a server that no zone of its provider has", () =>
    Effect.gen(function* () {
      const check = checkDelegation(linodeNameServers, delegatedTo("ns1.linode.com", "ns1.bakery.com"))
      expect(yield* Effect.exit(check)).toEqual(
        mismatch(
          "bakery.com is delegated to ns1.linode.com, ns1.bakery.com, but here to ns1.linode.com, ns2.linode.com, ns3.linode.com, ns4.linode.com, ns5.linode.com"
        )
      )
    })
  )
})
