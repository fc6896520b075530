import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { dnsFixture } from "../dnsFixture.ts"

const internet: InternetSpec = {
  zones: {
    "duckdns.org": { nameServers: ["ns1.nic.uk"], records: "x A 192.0.2.1" },
    "eu.org": { nameServers: ["ns1.nic.uk"], records: "" },
    "example.eu.org": { nameServers: ["ns1.prov.net"], records: "" }
  }
}

/** The zone of a domain, or why there is none. */
const findZone = (domain: string) =>
  Effect.gen(function* () {
    const { delegations } = yield* dnsFixture(internet)
    const found = yield* Effect.either(delegations.find(DomainName.make(domain)))
    return Either.match(found, { onLeft: ({ _tag }): string => _tag, onRight: ({ zone }) => zone })
  })

describe("a suffix below which other people own names is no zone of theirs", () => {
  live("if it only has records of the name, or does not have it", () =>
    Effect.gen(function* () {
      expect(yield* findZone("x.duckdns.org")).toBe("DomainHasNoNameServers")
      expect(yield* findZone("nobody.duckdns.org")).toBe("DomainNotRegistered")
    })
  )

  live("but may delegate one to its owner", () =>
    Effect.map(findZone("www.example.eu.org"), (zone) => expect(zone).toBe("example.eu.org"))
  )
})
