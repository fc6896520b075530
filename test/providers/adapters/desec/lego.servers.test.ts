import { expect } from "bun:test"
import { Effect, Schedule } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { ScriptedInternet } from "../../../support/lab/ScriptedInternet.ts"
import { makeServer } from "../../../support/lab/Server.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import type { VendorListener } from "../../../support/vendors/VendorServer.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { type DesecState, desecDomain, makeFakeDesec, validToken } from "./FakeDesec.ts"
import { desecUnderTest, domainOf, zone } from "./desecUnderTest.ts"

const [desecHost, acmeHost] = ["desec.io", "acme.example"]

/** A directory that goes with the scope. */
const makeDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lego-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

/** Debian's Pebble, an ACME server for tests, which issues certificates without a look at DNS. */
const startPebble = ({ address, tls }: VendorListener, directory: string) =>
  Effect.gen(function* () {
    writeFileSync(join(directory, "cert.pem"), tls?.cert ?? "")
    writeFileSync(join(directory, "key.pem"), tls?.key ?? "")
    const pebble = {
      listenAddress: `${address}:443`,
      managementListenAddress: `${address}:15000`,
      certificate: "cert.pem",
      privateKey: "key.pem",
      httpPort: 80,
      tlsPort: 443
    }
    writeFileSync(join(directory, "pebble.json"), JSON.stringify({ pebble }))
    const server = yield* makeServer({
      name: "pebble",
      directory,
      command: ["env", "PEBBLE_VA_ALWAYS_VALID=1", "PEBBLE_VA_NOSLEEP=1", "pebble", "-config", "pebble.json"],
      ready: Effect.promise(() =>
        fetch(`https://${address}/dir`, { tls: { rejectUnauthorized: false } }).then(
          ({ ok }) => ok,
          () => false
        )
      )
    })
    yield* Effect.retry(server.start, Schedule.recurs(1))
  })

/** Debian's lego, unaltered, against the fake at deSEC's own host; it proves control of the domain to an ACME server. */
const makeLego = Effect.gen(function* () {
  const environment = yield* makeVendorHosts([desecHost, acmeHost])
  const fake = yield* makeFakeDesec({ domains: { [zone]: desecDomain() } }, environment.listener(desecHost))
  const directory = yield* makeDirectory
  yield* startPebble(environment.listener(acmeHost), directory)
  const nameServer = "ns1.desec.io"
  const internet = yield* ScriptedInternet.make({ zones: { [zone]: { nameServers: [nameServer], records: "" } } })
  const resolver = internet.dial(internet.addressOf(nameServer))
  const server = ["--server", `https://${acmeHost}/dir`, "--accept-tos", "--email", `admin@${zone}`]
  const dns = ["--dns", "desec", "--dns.disable-cp", "--dns.resolvers", `${resolver.host}:${resolver.port}`]
  const lego = (domain: string, token = validToken) =>
    environment.run(["lego", "--path", directory, ...server, ...dns, "--domains", domain, "run"], {
      DESEC_TOKEN: token
    })
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
      const { fake, lego, states } = yield* makeLego
      const before = domainOf(fake.state()).sets
      expect(yield* lego(`www.${zone}`)).toMatchObject({ exitCode: 0 })
      expect(yield* Effect.forEach(states, readTexts)).toEqual([[[3600, "TXT", isToken]]])
      expect(domainOf(fake.state()).sets).toEqual(before)
      expect(fake.calls().map(({ method }) => method)).toEqual(expect.arrayContaining(["GET", "POST", "PATCH"]))
    })
  )

  live("adds a text beside one that the adapter has written, and leaves that one when it removes its own", () =>
    Effect.gen(function* () {
      const { fake, lego, states } = yield* makeLego
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
      const { fake, lego } = yield* makeLego
      const before = fake.state()
      const { exitCode, stderr } = yield* lego(`www.${zone}`, "wrong")
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('401: body: {"detail":"Invalid token."}')])
      expect(fake.state()).toEqual(before)
    })
  )
})
