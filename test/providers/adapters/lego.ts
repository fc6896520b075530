import { expect } from "bun:test"
import { Effect, Schedule } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { makeServer } from "../../support/lab/Server.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../support/vendors/VendorHosts.ts"
import type { VendorListener } from "../../support/vendors/VendorServer.ts"
import type { VendorZones } from "../../support/vendors/VendorZones.ts"
import { applyDesired, type DescribedAdapter, makeFakeOf, readAt, zone } from "./DescribedAdapter.ts"

const acmeHost = "acme.example"

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

/** How Debian's lego, unaltered, judges the fake of a vendor. */
export interface LegoJudge<Data> {
  readonly adapter: DescribedAdapter<Data>
  /** As lego names the vendor. */
  readonly dns: string
  /** With a credential that the vendor takes, or one that it refuses. */
  readonly environment: (isRefused: boolean) => Readonly<Record<string, string>>
  /** How lego reports the credential that is refused. */
  readonly refusedBy: string
  /** The TTL of its text, and its calls, if no other text is there. */
  readonly alone: LegoWrites
  /** The same beside a text that the adapter has written with a TTL of 7200. */
  readonly beside: LegoWrites & { readonly text: string }
  /** It does not find its own text again, and so leaves it. */
  readonly leavesText?: true
}

interface LegoWrites {
  readonly ttl: number
  readonly methods: string
}

/** Declares that the adapter reads the text by which lego proves control of a domain, also beside a text of its own. */
export const testLego = <Data>(judge: LegoJudge<Data>): void =>
  describeIfPossible("lego", vendorHostsUnavailableReason("lego", "pebble"), () => {
    const { adapter, alone, beside, environment, leavesText = false, refusedBy } = judge
    const removes = leavesText ? "leaves" : "removes"

    /** Runs lego at a zone in this state: the texts that the adapter reads while lego's own is there, and lego's calls. */
    const runAt = (state?: VendorZones<Data>) =>
      Effect.gen(function* () {
        const { fake, lego } = yield* makeLego(judge)
        if (state !== undefined) fake.update(() => state)
        const before = fake.state().zones
        const states: Array<VendorZones<Data>> = []
        fake.beforeCall({ where: ({ isWrite }) => isWrite }, () => void states.push(fake.state()))
        expect(yield* lego(environment(false))).toMatchObject({ exitCode: 0 })
        if (!leavesText) expect(fake.state().zones).toEqual(before)
        const texts = yield* readTexts((leavesText ? undefined : states.at(-1)) ?? fake.state())
        const methods = fake.calls().map(({ method }) => method)
        return { texts, methods: methods.join(" ") }
      })

    // Only what runs at the vendor's host trusts the certificate there; the adapter works on the same state elsewhere.
    const readTexts = (state: VendorZones<Data>) =>
      Effect.gen(function* () {
        const plain = yield* makeFakeOf(adapter)
        plain.update(() => state)
        const records = (yield* readAt(adapter, plain)).filter(({ host }) => host === challenge)
        return records.map(({ ttl, type, value }) => [ttl, type, value])
      })

    live(`creates a text that the adapter reads, and ${removes} it`, () =>
      Effect.gen(function* () {
        expect(yield* runAt()).toEqual({ texts: [[alone.ttl, "TXT", isToken]], methods: alone.methods })
      })
    )

    live(`adds a text beside one that the adapter has written, and ${removes} its own`, () =>
      Effect.gen(function* () {
        const plain = yield* makeFakeOf(adapter)
        yield* applyDesired(adapter, plain, [`${challenge} 7200 TXT ${beside.text}`])
        const { methods, texts } = yield* runAt(plain.state())
        expect([texts.length, methods]).toEqual([2, beside.methods])
        expect(texts).toContainEqual([7200, "TXT", beside.text])
        expect(texts).toContainEqual([beside.ttl, "TXT", isToken])
      })
    )

    live("reports a credential that is refused", () =>
      Effect.gen(function* () {
        const { fake, lego } = yield* makeLego(judge)
        const before = fake.state()
        const { exitCode, stderr } = yield* lego(environment(true))
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining(refusedBy)])
        expect(fake.state()).toEqual(before)
      })
    )
  })

const host = "www"
const challenge = `_acme-challenge.${host}`
const isToken = expect.stringMatching(/^[\w-]{43}$/)

/** Starts a fake at the vendor's host, and lego, which proves control of a domain of the zone to an ACME server. */
const makeLego = <Data>({ adapter, dns }: LegoJudge<Data>) =>
  Effect.gen(function* () {
    const [nameServer = ""] = adapter.nameServers
    const vendorHost = new URL(adapter.vendor.baseUrl).host
    const hosts = yield* makeVendorHosts([vendorHost, acmeHost])
    const fake = yield* makeFakeOf(adapter, "", hosts.listener(vendorHost))
    const directory = yield* makeDirectory
    yield* startPebble(hosts.listener(acmeHost), directory)
    const internet = yield* ScriptedInternet.make({ zones: { [zone]: { nameServers: [nameServer], records: "" } } })
    const resolver = internet.dial(internet.addressOf(nameServer))
    const server = ["--server", `https://${acmeHost}/dir`, "--accept-tos", "--email", `admin@${zone}`]
    const options = ["--dns", dns, "--dns.disable-cp", "--dns.resolvers", `${resolver.host}:${resolver.port}`]
    const command = ["lego", "--path", directory, ...server, ...options, "--domains", `${host}.${zone}`, "run"]
    return { fake, lego: (variables: Readonly<Record<string, string>>) => hosts.run(command, variables) }
  })
