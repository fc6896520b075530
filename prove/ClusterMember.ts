import { Effect, Scope } from "effect"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labBind, labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { type ServiceProcess, startService } from "../test/support/serviceProcess.ts"
import { type ApiClient, makeApiClient } from "./ApiClient.ts"
import { type PowerDnsGate, startPowerDnsGate } from "./PowerDnsGate.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"
import { startUpdateGate, type UpdateGate } from "./UpdateGate.ts"

/** One of several processes on one database, with its own gates in front of the DNS servers that record its writes. */
export interface ClusterMember {
  readonly api: ApiClient
  readonly patches: PowerDnsGate
  readonly updates: UpdateGate
  /** Starts the process, also again after a kill. */
  readonly start: Effect.Effect<void>
  readonly kill: Effect.Effect<void>
  readonly freeze: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
}

export const makeClusterMember = (database: ProofDatabase) =>
  Effect.gen(function* () {
    const { bind, pdns } = yield* Lab
    const patches = yield* startPowerDnsGate(pdns.url)
    const updates = yield* startUpdateGate(bind.address)
    const scope = yield* Effect.scope
    const port = freePort()
    const providers = [
      { ...labPowerDns, settings: { baseUrl: patches.url } },
      { ...labBind, settings: { server: "127.0.0.1", port: updates.port } }
    ]
    const environment = yield* labEnvironment(providers, {
      DATABASE_URL: database.url,
      CLUSTER: "true",
      PORT: String(port)
    })
    let running: ServiceProcess | undefined
    const signal = (name: NodeJS.Signals) => Effect.sync(() => void (running && process.kill(running.pid, name)))
    const member: ClusterMember = {
      api: makeApiClient(`http://127.0.0.1:${port}`, database.key),
      patches,
      updates,
      start: Effect.map(Effect.provideService(startService(environment), Scope.Scope, scope), (service) => {
        running = service
      }),
      kill: Effect.suspend(() => running?.end("SIGKILL") ?? Effect.void),
      freeze: signal("SIGSTOP"),
      resume: signal("SIGCONT")
    }
    return member
  })
