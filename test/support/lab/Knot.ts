import { Effect, type Scope } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { isAnswering, makeServer, run, type Server } from "./Server.ts"
import type { LabTsigKey } from "./TsigKey.ts"
import { zoneFile } from "./Zone.ts"
import { programPath } from "./labAvailability.ts"

/** Knot as an authoritative server whose zones can be replaced while it runs. */
export interface Knot extends Server {
  readonly address: string
  /** Replaces the records of a zone by these lines, see `parseZone`. */
  readonly load: (zone: string, lines: string) => Effect.Effect<void>
  /** The DS lines of a signed zone, as its parent needs them. */
  readonly delegationSigners: (zone: string) => Effect.Effect<string>
}

interface KnotOptions {
  readonly name: string
  readonly address: string
  readonly directory: string
  readonly zones: Readonly<Record<string, string>>
  /** Zones that Knot signs by itself. */
  readonly signed?: ReadonlyArray<string>
  /** The key for transfers and updates (RFC 2136); without one, neither is allowed. */
  readonly key?: LabTsigKey
}

export const makeKnot = (options: KnotOptions): Effect.Effect<Knot, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, address, zones } = options
    const directory = `${options.directory}/${name}`
    mkdirSync(directory, { recursive: true })
    writeFileSync(`${directory}/knot.conf`, configuration({ ...options, directory }))
    const write = (zone: string, lines: string) => writeFileSync(fileOf(directory, zone), zoneFile(zone, lines))
    for (const [zone, lines] of Object.entries(zones)) write(zone, lines)
    const control = [programPath("knotc"), "-s", `${directory}/knot.sock`, "-b"]
    const server = yield* makeServer({
      name,
      directory,
      command: [programPath("knotd"), "-c", `${directory}/knot.conf`],
      ready: isAnswering(address, Object.keys(zones))
    })
    return {
      ...server,
      address,
      load: (zone, lines) =>
        Effect.sync(() => write(zone, lines)).pipe(
          Effect.zipRight(run(...control, "zone-reload", zone)),
          Effect.asVoid
        ),
      delegationSigners: (zone) => run(programPath("keymgr"), "-c", `${directory}/knot.conf`, zone, "ds")
    }
  })

const fileOf = (directory: string, zone: string): string => `${directory}/${zone === "." ? "root" : zone}.zone`

const configuration = ({ address, directory, zones, signed = [], key }: KnotOptions): string => `
server:
  rundir: ${directory}
  listen: ${address}@53
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: ${directory}
  journal-db-max-size: 8M
  kasp-db-max-size: 5M
  timer-db-max-size: 1M
control:
  listen: ${directory}/knot.sock
log:
  - target: stderr
    any: info
${key === undefined ? "" : accessBy(key)}
policy:
  - id: signed
    single-type-signing: on
template:
  - id: default
    storage: ${directory}
    zonefile-sync: ${key === undefined ? -1 : 0}
    zonefile-load: difference-no-serial
    journal-content: all
    semantic-checks: off
${key === undefined ? "" : "    acl: writer"}
zone:
${Object.keys(zones)
  .map((zone) => `  - domain: ${zone}\n    file: ${fileOf(directory, zone)}\n${signed.includes(zone) ? signing : ""}`)
  .join("")}`

const signing = "    dnssec-signing: on\n    dnssec-policy: signed\n"

const accessBy = ({ name, algorithm, secret }: LabTsigKey): string => `
key:
  - id: ${name}
    algorithm: ${algorithm}
    secret: ${secret}
acl:
  - id: writer
    key: ${name}
    action: [update, transfer]`
