import { Effect, Schedule, type Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { makeServer } from "../../support/lab/Server.ts"
import { makeVendorHosts, type VendorHosts } from "../../support/vendors/VendorHosts.ts"
import type { VendorListener } from "../../support/vendors/VendorServer.ts"

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

/**
 * Debian's lego, unaltered, where the host of a vendor is a fake: it proves control of a domain of the zone to an ACME
 * server. `dns` is its word for the vendor.
 */
export const makeLego = <Fake>({
  dns,
  host,
  makeFake,
  nameServer,
  zone
}: {
  readonly dns: string
  readonly host: string
  readonly makeFake: (listener: VendorListener) => Effect.Effect<Fake, never, Scope.Scope>
  readonly nameServer: string
  readonly zone: string
}) =>
  Effect.gen(function* () {
    const environment = yield* makeVendorHosts([host, acmeHost])
    const fake = yield* makeFake(environment.listener(host))
    const directory = yield* makeDirectory
    yield* startPebble(environment.listener(acmeHost), directory)
    const internet = yield* ScriptedInternet.make({ zones: { [zone]: { nameServers: [nameServer], records: "" } } })
    const resolver = internet.dial(internet.addressOf(nameServer))
    const server = ["--server", `https://${acmeHost}/dir`, "--accept-tos", "--email", `admin@${zone}`]
    const options = ["--dns", dns, "--dns.disable-cp", "--dns.resolvers", `${resolver.host}:${resolver.port}`]
    const lego = (domain: string, variables: Parameters<VendorHosts["run"]>[1]) =>
      environment.run(["lego", "--path", directory, ...server, ...options, "--domains", domain, "run"], variables)
    return { fake, lego }
  })
