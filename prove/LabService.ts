import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { Lab } from "../test/support/lab/Lab.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { temporaryDirectory } from "../test/support/TestPostgres.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"

/** How the service runs in the lab. */
export interface LabSettings {
  /** Where it finds the API of PowerDNS; without it, at the server itself. */
  readonly powerDnsUrl?: string
  /** Where on this machine it finds BIND by TCP; without it, at the server itself. */
  readonly bindPort?: number
}

/** The settings of a service on the DNS of the lab; those of the cluster, the port and the database come to them. */
export const labEnvironment = ({ bindPort, powerDnsUrl }: LabSettings) =>
  Effect.map(Lab, ({ bind, pdns, resolver }): Record<string, string> => {
    const directory = temporaryDirectory()
    mkdirSync(directory, { recursive: true })
    const providers = [
      {
        id: "lab-pdns",
        name: "PowerDNS of the lab",
        adapter: "powerdns",
        nameServers: ["pdnsprov.net"],
        settings: { baseUrl: powerDnsUrl ?? pdns.url, serverId: "localhost" }
      },
      {
        id: "lab-bind",
        name: "BIND of the lab",
        adapter: "rfc2136",
        nameServers: ["bindprov.net"],
        settings: bindPort === undefined ? { server: bind.address } : { server: "127.0.0.1", port: bindPort }
      }
    ]
    writeFileSync(`${directory}/providers.json`, JSON.stringify(providers))
    return {
      DATA_DIR: directory,
      DNS_RESOLVERS: resolver,
      DNS_PUBLIC_RESOLVERS: resolver,
      OUTBOUND_ALLOW: "127.10.0.0/16",
      PROVIDERS_FILE: `${directory}/providers.json`,
      RATE_LIMIT_PER_MINUTE: "0",
      MASTER_KEY: masterKey
    }
  })

/** Starts the service as a process of its own, on a database. */
export const startLabService = (database: ProofDatabase, settings: LabSettings = {}) =>
  Effect.flatMap(labEnvironment(settings), (environment) =>
    startService({ ...environment, DATABASE_URL: database.url })
  )

/** A port at which nothing listens now, so that a service can come back where it was. */
export const freePort = (): string => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  listener.stop(true)
  return String(listener.port)
}

/** No secret at all. */
const masterKey = `1:${Buffer.from("known to everyone who reads this").toString("base64")}`
