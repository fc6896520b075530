import { Database } from "bun:sqlite"
import { Effect, type Scope } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import type { DynamicUpdateTarget } from "./DynamicUpdateTarget.ts"
import { type RRsetChange, rrsetReplacements } from "./RRsetChange.ts"
import { makeServer, type Server } from "./Server.ts"
import { parseZone, recordsOf } from "./Zone.ts"
import { powerDnsSchema, programPath } from "./labAvailability.ts"

/** PowerDNS as a provider with an HTTP API. */
export interface PowerDns extends Server, DynamicUpdateTarget {
  readonly addresses: ReadonlyArray<string>
  readonly url: string
  readonly key: string
  /** Creates a zone from lines, see `parseZone`. */
  readonly createZone: (zone: string, lines: string) => Effect.Effect<void>
  /** Deletes a zone with all its records. */
  readonly deleteZone: (zone: string) => Effect.Effect<void>
  /** All records of a zone except SOA, sorted: `name + ttl type data`; disabled records have a minus. */
  readonly dump: (zone: string) => Effect.Effect<ReadonlyArray<string>>
  /** Changes record sets in one transaction; names and targets end with a dot. */
  readonly patch: (zone: string, rrsets: ReadonlyArray<RRsetChange>) => Effect.Effect<void>
}

interface PowerDnsOptions {
  readonly name: string
  readonly addresses: ReadonlyArray<string>
  readonly directory: string
  /** The port of its API at 127.0.0.1; 8081 if there is one server only. */
  readonly apiPort?: number
}

const key = "secret"

export const makePowerDns = (options: PowerDnsOptions): Effect.Effect<PowerDns, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, addresses, apiPort = 8081 } = options
    const url = `http://127.0.0.1:${apiPort}`
    const call = makeCall(`${url}/api/v1/servers/localhost`)
    const directory = `${options.directory}/${name}`
    mkdirSync(directory, { recursive: true })
    writeFileSync(`${directory}/pdns.conf`, configuration(addresses, directory, apiPort))
    createDatabase(`${directory}/pdns.sqlite3`)
    const server = yield* makeServer({
      name,
      directory,
      command: [programPath("pdns_server"), `--config-dir=${directory}`],
      ready: call("GET", "").pipe(
        Effect.as(true),
        Effect.catchAllDefect(() => Effect.succeed(false))
      )
    })
    const patch: PowerDns["patch"] = (zone, rrsets) => call("PATCH", `/zones/${zone}.`, { rrsets })
    return {
      ...server,
      addresses,
      url,
      key,
      createZone: (zone, lines) =>
        call("POST", "/zones", {
          name: `${zone}.`,
          kind: "Native",
          nameservers: [],
          rrsets: rrsetReplacements(recordsOf(parseZone(zone, lines)))
        }),
      deleteZone: (zone) => call("DELETE", `/zones/${zone}.`),
      dump: (zone) => Effect.map(call("GET", `/zones/${zone}.`), linesOf),
      patch,
      update: (zone, steps) => Effect.forEach(steps, (rrsets) => patch(zone, rrsets), { discard: true })
    }
  })

const linesOf = ({ rrsets }: any): ReadonlyArray<string> =>
  rrsets
    .filter(({ type }: any) => type !== "SOA")
    .flatMap(({ name, records, ttl, type }: any) =>
      records.map(({ content, disabled }: any) => `${name} ${disabled ? "-" : "+"} ${ttl} ${type} ${content}`)
    )
    .toSorted()

const makeCall =
  (url: string) =>
  (method: string, path: string, body?: object): Effect.Effect<any> =>
    Effect.promise(async () => {
      const init = { method, headers: { "X-API-Key": key, Connection: "close" } }
      const response = await fetch(`${url}${path}`, body ? { ...init, body: JSON.stringify(body) } : init)
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === "" ? undefined : JSON.parse(text)
    })

const createDatabase = (file: string): void => {
  const database = new Database(file, { create: true })
  database.run(readFileSync(powerDnsSchema, "utf8"))
  database.close()
}

const configuration = (addresses: ReadonlyArray<string>, directory: string, apiPort: number): string => `
launch=gsqlite3
gsqlite3-database=${directory}/pdns.sqlite3
gsqlite3-pragma-synchronous=0
gsqlite3-pragma-journal-mode=WAL
local-address=${addresses.join(",")}
local-port=53
socket-dir=${directory}
api=yes
api-key=${key}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${apiPort}
webserver-allow-from=127.0.0.0/8
webserver-max-bodysize=64
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
guardian=no
daemon=no
disable-syslog=yes
write-pid=no
`
