import { expect } from "bun:test"
import { Effect } from "effect"
import { Provider, withNameServers } from "../../src/domain/provider/Provider.ts"
import { hasMoved } from "../../src/providers/hasMoved.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { effect } from "../support/effectTest.ts"

/** Whether a zone counts as moved that was on the first name servers, and is on the others now. */
const moves = (before: ReadonlyArray<string>, now: ReadonlyArray<string>) =>
  Effect.map(Providers, ({ detect }) => {
    const { provider } = detect({ parentNameServers: before, childNameServers: [] })
    return hasMoved(withNameServers(provider, before), now, detect)
  }).pipe(Effect.provide(Providers.layer([])))

const goDaddy = ["ns01.domaincontrol.com", "ns02.domaincontrol.com"]
const ionos = ["ns1045.ui-dns.com", "ns1045.ui-dns.de"]
const someHost = ["ns1.some-host.net", "ns2.some-host.net"]

effect("a zone moves to another provider, known or not, and between two that nobody knows", () =>
  Effect.gen(function* () {
    expect(yield* moves(goDaddy, ionos)).toBe(true)
    expect(yield* moves(goDaddy, someHost)).toBe(true)
    expect(yield* moves(someHost, ionos)).toBe(true)
    expect(yield* moves(someHost, ["ns1.another-host.org"])).toBe(true)
  })
)

effect("a zone whose provider Domain Connect told has not moved by the names of its servers", () =>
  Effect.gen(function* () {
    const { detect } = yield* Providers
    const { provider } = detect({ parentNameServers: goDaddy, childNameServers: [] })
    const told = new Provider({ ...provider, detection: { method: "domain_connect" } })
    expect(hasMoved(told, someHost, detect)).toBe(false)
  }).pipe(Effect.provide(Providers.layer([])))
)

effect("a zone does not move by other servers of its provider, nor where nobody has answered", () =>
  Effect.gen(function* () {
    expect(yield* moves(goDaddy, ["NS77.DomainControl.com."])).toBe(false)
    expect(yield* moves(someHost, ["ns3.some-host.net"])).toBe(false)
    expect(yield* moves(someHost, ["NS2.some-host.net", "ns1.another-host.org"])).toBe(false)
    expect(yield* moves(goDaddy, [])).toBe(false)
  })
)
