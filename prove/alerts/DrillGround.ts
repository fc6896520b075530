import { Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { freePort } from "../../test/support/freePort.ts"
import { Lab } from "../../test/support/lab/Lab.ts"
import { type PowerDnsProxy, powerDnsProxy } from "../../test/support/lab/PowerDnsProxy.ts"
import type { Server } from "../../test/support/lab/Server.ts"
import { makeUnbound } from "../../test/support/lab/Unbound.ts"
import { temporaryDirectory } from "../../test/support/TestPostgres.ts"
import { labEnvironment, labPowerDns } from "../../test/support/labService.ts"
import { type ServiceProcess, startCompiledService } from "../../test/support/serviceProcess.ts"
import { type ApiClient, makeApiClient } from "../ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "../ProofDatabase.ts"

type DrillSettings = Readonly<Record<string, string>>

/** A running service with a database of its own, in which a cause of trouble is planted. */
export interface DrillGround {
  readonly api: ApiClient
  readonly url: string
  readonly database: ProofDatabase
  readonly metricsPort: number
  /** The settings of the service, and of commands of its operator. */
  readonly environment: DrillSettings
  /** The provider of the zones of the lab, whose calls may fail. */
  readonly provider: PowerDnsProxy
  /** The only one of DNS_RESOLVERS. */
  readonly resolver: Server
  readonly pid: () => number
  readonly kill: Effect.Effect<void>
  /** Starts the service on the same ports, perhaps with other settings; false if it ends instead. */
  readonly start: (changes?: DrillSettings) => Effect.Effect<boolean>
  /** Starts another process of a cluster, on ports of its own, until the scope closes; false if it ends instead. */
  readonly startAnother: (changes: DrillSettings) => Effect.Effect<boolean>
}

export interface GroundSettings {
  /** Variables that differ from the lab's. */
  readonly settings?: DrillSettings
  /** The limit for open descriptors. */
  readonly descriptors?: number
}

/** The last part of the address of the newest resolver. */
let lastResolver = 60

/** Starts the service, which is killed when the scope closes. */
export const startDrillGround = ({ descriptors, settings = {} }: GroundSettings) =>
  Effect.gen(function* () {
    const { pdns } = yield* Lab
    const provider = yield* powerDnsProxy(pdns.url)
    const resolverAddress = `127.10.0.${(lastResolver += 1)}`
    const resolver = yield* makeUnbound({
      name: "resolver",
      address: resolverAddress,
      directory: temporaryDirectory(),
      root: "127.10.0.1",
      isCaching: true
    })
    yield* resolver.start
    const database = yield* createProofDatabase
    const [port, metricsPort] = [freePort(), freePort()]
    const url = `http://127.0.0.1:${port}`
    const environment = yield* labEnvironment([{ ...labPowerDns, settings: { baseUrl: provider.url } }], {
      DATABASE_URL: database.url,
      DNS_RESOLVERS: resolverAddress,
      DATABASE_CONNECTIONS: "6",
      OUTBOUND_ALLOW: "127.0.0.0/8",
      PUBLIC_URL: url,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...settings
    })
    const wrap = limitDescriptors(descriptors)
    const parent = yield* Effect.scope
    let running: { readonly service: ServiceProcess; readonly scope: Scope.CloseableScope } | undefined
    const ground: DrillGround = {
      api: makeApiClient(url, database.key),
      url,
      database,
      metricsPort,
      environment,
      provider,
      resolver,
      pid: () => running?.service.pid ?? 0,
      kill: Effect.suspend(() => {
        const ended = running
        running = undefined
        return ended === undefined
          ? Effect.void
          : Effect.zipRight(ended.service.end("SIGKILL"), Scope.close(ended.scope, Exit.void))
      }),
      startAnother: (changes) =>
        Effect.map(
          Effect.exit(
            Scope.extend(
              startCompiledService({ ...environment, PORT: "0", METRICS_PORT: String(freePort()), ...changes }),
              parent
            )
          ),
          Exit.isSuccess
        ),
      start: (changes = {}) =>
        Effect.gen(function* () {
          const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
          const started = yield* Effect.exit(
            Scope.extend(startCompiledService({ ...environment, ...changes }, wrap), scope)
          )
          if (Exit.isSuccess(started)) running = { service: started.value, scope }
          else yield* Effect.logInfo("The service ended at its start", started.cause)
          return Exit.isSuccess(started)
        })
    }
    if (!(yield* ground.start())) return yield* Effect.dieMessage("the service did not start")
    return ground
  })

/** Runs a command with a limit for its open descriptors, if there is one. */
const limitDescriptors =
  (limit: number | undefined) =>
  (command: ReadonlyArray<string>): ReadonlyArray<string> =>
    limit === undefined ? command : ["sh", "-c", `ulimit -n ${limit}; exec "$@"`, "sh", ...command]
