import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import { malformedResponse, malformedResponses } from "../../support/lab/malformedResponses.ts"
import { dnsFixture, silenceTimeout } from "../dnsFixture.ts"

describe("a malformed response to the search for a delegation", () => {
  const answers = [...malformedResponses.malformed, ...malformedResponses.misdirected].filter((_) => !_.fromAnotherPort)
  const domains = answers.map((answer, index) => ({ answer, domain: `d${index}.com` }))
  const zones = Object.fromEntries(
    domains.map(({ domain }) => [domain, { nameServers: ["ns1.prov.net", "ns2.prov.net"], records: "" }])
  )

  /** The results for the domains if these servers send a different malformed response for each. */
  const findDespiteMalformed = (servers: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { delegations, internet } = yield* dnsFixture({ zones }, silenceTimeout)
      for (const { answer, domain } of domains)
        for (const server of servers) internet.script(server, malformedResponse(answer), { name: domain })
      return yield* Effect.forEach(
        domains,
        ({ answer, domain }) =>
          Effect.map(Effect.either(delegations.find(DomainName.make(domain))), (result) => ({
            name: answer.name,
            result: Either.isRight(result) ? result.right.childNameServers : result.left._tag
          })),
        { concurrency: 10 }
      )
    })

  live("is dropped, and the next server is queried", () =>
    Effect.gen(function* () {
      const result = ["ns1.prov.net", "ns2.prov.net"]
      expect<unknown>(yield* findDespiteMalformed(["ns1.prov.net"])).toEqual(
        answers.map(({ name }) => ({ name, result }))
      )
    })
  )

  live("leaves the delegation unknown if no server sends another response", () =>
    Effect.gen(function* () {
      const results = yield* findDespiteMalformed(["ns1.prov.net", "ns2.prov.net"])
      expect<unknown>(results).toEqual(answers.map(({ name }) => ({ name, result: "DelegationTimedOut" })))
    })
  )
})
