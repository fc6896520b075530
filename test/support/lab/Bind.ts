import { Effect, type Scope } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { isAnswering, makeServer, type Server } from "./Server.ts"
import type { LabTsigKey } from "./TsigKey.ts"
import { zoneFile } from "./Zone.ts"
import { programPath } from "./labAvailability.ts"

/** BIND as an authoritative server with dynamic updates (RFC 2136). */
export interface Bind extends Server {
  readonly address: string
}

interface BindOptions {
  readonly name: string
  readonly address: string
  readonly directory: string
  readonly zones: Readonly<Record<string, string>>
  readonly key: LabTsigKey
}

export const makeBind = (options: BindOptions): Effect.Effect<Bind, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, address, zones } = options
    const directory = `${options.directory}/${name}`
    mkdirSync(directory, { recursive: true })
    writeFileSync(`${directory}/named.conf`, configuration({ ...options, directory }))
    for (const [zone, lines] of Object.entries(zones)) writeFileSync(`${directory}/${zone}.db`, zoneFile(zone, lines))
    const server = yield* makeServer({
      name,
      directory,
      command: [programPath("named"), "-g", "-c", `${directory}/named.conf`, "-n", "1", "-4"],
      ready: isAnswering(address, Object.keys(zones))
    })
    return { ...server, address }
  })

const configuration = ({ address, directory, zones, key }: BindOptions): string => `
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
options {
  directory "${directory}"; pid-file "${directory}/named.pid"; session-keyfile "${directory}/session.key";
  listen-on port 53 { ${address}; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no; minimal-responses yes; allow-transfer { key ${key.name}; };
};
controls { };
${Object.keys(zones)
  .map(
    (zone) => `zone "${zone}" { type primary; file "${zone}.db"; update-policy { grant ${key.name} zonesub ANY; }; };`
  )
  .join("\n")}
`
