import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeLego } from "../lego.ts"
import { type DesecState, desecDomain, makeFakeDesec, validToken } from "./FakeDesec.ts"
import { desecUnderTest, domainOf, zone } from "./desecUnderTest.ts"

/** Debian's lego against the fake at deSEC's own host. */
const makeLegoAtDesec = Effect.gen(function* () {
  const judge = yield* makeLego({
    dns: "desec",
    host: "desec.io",
    makeFake: (listener) => makeFakeDesec({ domains: { [zone]: desecDomain() } }, listener),
    nameServer: "ns1.desec.io",
    zone
  })
  const { fake } = judge
  const lego = (domain: string, token = validToken) => judge.lego(domain, { DESEC_TOKEN: token })
  /** The states of the account before each change of a set that is there. */
  const states: Array<DesecState> = []
  fake.beforeCall({ method: "PATCH" }, () => void states.push(fake.state()))
  return { fake, lego, states }
})

/** The texts of the challenge as the adapter reads them from a fake of this state. */
const readTexts = (state: DesecState) =>
  Effect.gen(function* () {
    const plain = yield* makeFakeDesec(state)
    const { read } = yield* openZone(desecUnderTest(plain), {})
    const records = (yield* read).zone.records.filter(({ host }) => host === "_acme-challenge.www")
    return records.map(({ ttl, type, value }) => [ttl, type, value])
  })

const isToken = expect.stringMatching(/^[\w-]{43}$/)

describeIfPossible("lego", vendorHostsUnavailableReason("lego", "pebble"), () => {
  live("creates a text that the adapter reads, and removes it", () =>
    Effect.gen(function* () {
      const { fake, lego, states } = yield* makeLegoAtDesec
      const before = domainOf(fake.state()).sets
      expect(yield* lego(`www.${zone}`)).toMatchObject({ exitCode: 0 })
      expect(yield* Effect.forEach(states, readTexts)).toEqual([[[3600, "TXT", isToken]]])
      expect(domainOf(fake.state()).sets).toEqual(before)
      expect(fake.calls().map(({ method }) => method)).toEqual(expect.arrayContaining(["GET", "POST", "PATCH"]))
    })
  )

  live("adds a text beside one that the adapter has written, and leaves that one when it removes its own", () =>
    Effect.gen(function* () {
      const { fake, lego, states } = yield* makeLegoAtDesec
      // Only what runs at deSEC's own host trusts the certificate there; the adapter works on the same state elsewhere.
      const plain = yield* makeFakeDesec(fake.state())
      const opened = yield* openZone(desecUnderTest(plain), {})
      const snapshot = yield* opened.read
      const intent = resolvedIntentOf(zone, { desired: [`_acme-challenge.www 7200 TXT say "hi" \\ ;`] })
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      fake.update(plain.state)
      const before = domainOf(fake.state()).sets
      expect(yield* lego(`www.${zone}`)).toMatchObject({ exitCode: 0 })
      const written = [7200, "TXT", 'say "hi" \\ ;']
      const [added = [], removed] = yield* Effect.forEach(states, readTexts)
      expect([added, removed]).toEqual([[written], expect.arrayContaining([written, [7200, "TXT", isToken]])])
      expect(domainOf(fake.state()).sets).toEqual(before)
    })
  )

  live("reports a token that deSEC refuses", () =>
    Effect.gen(function* () {
      const { fake, lego } = yield* makeLegoAtDesec
      const before = fake.state()
      const { exitCode, stderr } = yield* lego(`www.${zone}`, "wrong")
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('401: body: {"detail":"Invalid token."}')])
      expect(fake.state()).toEqual(before)
    })
  )
})
