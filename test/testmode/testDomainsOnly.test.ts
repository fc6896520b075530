import { expect } from "bun:test"
import { Effect, Either } from "effect"
import { resolveAllowedIntent } from "../../src/lifecycle/plan/AllowedDomains.ts"
import { publicDomainsOnly, testDomainsOnly } from "../../src/testEnvironment.ts"
import { live } from "../support/effectTest.ts"

/** What is wrong with an intent for a domain, in test mode unless another layer is given. */
const faultsOf = (domain: string, allowed = testDomainsOnly) =>
  resolveAllowedIntent.pipe(
    Effect.map((resolve) =>
      resolve({ domain, records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] })
    ),
    Effect.map(
      Either.match({
        onLeft: (details) => details.map(({ code, suggestion }) => [code, suggestion]),
        onRight: () => []
      })
    ),
    Effect.provide(allowed)
  )

live("test mode suggests no domain that it would refuse", () =>
  Effect.gen(function* () {
    expect(yield* faultsOf("https://bücher-one-click.test/ä")).toEqual([
      ["domain_is_url", "xn--bcher-one-click-zvb.test"]
    ])
    expect(yield* faultsOf("https://bücher.test/ä")).toEqual([["domain_is_url", undefined]])
    expect(yield* faultsOf("one-click.bücher.test")).toEqual([["test_domain_required", "one-click.test"]])
    expect(yield* faultsOf("bücher-one-click.test")).toEqual([])
    expect(yield* faultsOf("https://example.com/")).toEqual([["domain_is_url", undefined]])
    expect(yield* faultsOf("https://shop-one-click.test/")).toEqual([["domain_is_url", "shop-one-click.test"]])
    expect(yield* faultsOf("example.com")).toEqual([["test_domain_required", "one-click.test"]])
    expect(yield* faultsOf("one-click.test")).toEqual([])
  })
)

live("a live connection takes no name below .test, and every other one", () =>
  Effect.gen(function* () {
    for (const domain of ["one-click.test", "shop.my-one-click.test", "Anything.TEST."])
      expect(yield* faultsOf(domain, publicDomainsOnly)).toEqual([["domain_of_test_mode", undefined]])
    for (const domain of ["example.com", "test.com", "one-click.test.example.com"])
      expect(yield* faultsOf(domain, publicDomainsOnly)).toEqual([])
  })
)
