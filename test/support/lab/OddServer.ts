import { Effect, type Scope } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { temporaryDirectory } from "../TestPostgres.ts"
import { vendorData } from "../vendors/vendorData.ts"
import { isAnswering, makeServer } from "./Server.ts"

/** A record as `odd_dns.py` takes it: an absolute name, the type, the TTL and the value. */
export type OddRecord = readonly [name: string, type: string, ttl: number, value: string]

/** The zone of an odd server and its faults, which `odd_dns.py` describes. */
export interface OddZone {
  readonly zone: string
  readonly records: ReadonlyArray<OddRecord>
  readonly faults: ReadonlyArray<string>
}

const program = `${vendorData}reports/odd_dns.py`

/** Why no odd server can run here; `undefined` when it can. */
export const missingOddServers: string | undefined = existsSync(program)
  ? undefined
  : "../shared/data/reports, with the reports and odd_dns.py, is absent"

/** Runs name servers with the faults of real ones, one at each address; `serve` replaces their zone. */
export const makeOddServers = (
  addresses: ReadonlyArray<string>
): Effect.Effect<{ readonly serve: (zone: OddZone) => Effect.Effect<void> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = temporaryDirectory()
    const config = `${directory}/config.json`
    const serve = (zone: OddZone) =>
      Effect.sync(() =>
        writeFileSync(config, JSON.stringify({ servers: addresses.map((address) => ({ address, ...zone })) }))
      )
    yield* serve({
      zone: "ready.test",
      records: [["ready.test", "SOA", 60, "ns. hostmaster. 1 60 60 60 60"]],
      faults: []
    })
    const server = yield* makeServer({
      name: "odd",
      directory,
      command: ["python3", program, config],
      ready: Effect.map(
        Effect.forEach(addresses, (address) => isAnswering(address, ["ready.test"])),
        (ready) => ready.every(Boolean)
      )
    })
    yield* Effect.orDie(server.start)
    return { serve }
  })
