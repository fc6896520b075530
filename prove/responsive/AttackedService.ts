import { Effect, type Scope } from "effect"
import { startDocumentedCaddy } from "../../test/support/documentedProxies.ts"
import { freePort } from "../../test/support/freePort.ts"
import type { Lab } from "../../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../../test/support/labService.ts"
import { startService } from "../../test/support/serviceProcess.ts"
import { type ApiClient, makeApiClient } from "../ApiClient.ts"
import { createPlannedConnection } from "../connectionSteps.ts"
import { createProofDatabase, type ProofDatabase } from "../ProofDatabase.ts"
import { recordsFor } from "../proofZones.ts"

/** A tenant of the service with an API key. */
export interface AttackTenant {
  readonly name: string
  readonly key: string
  readonly api: ApiClient
}

/** The service as a process with a database of its own, and the tenant that the attacks must not disturb. */
export interface AttackedService {
  readonly pid: number
  /** Where the victim reaches it. */
  readonly url: string
  /** Where attackers reach it: with this address the kernel gives their sockets another address than the victim's. */
  readonly attackers: { readonly url: string; readonly hostname: string; readonly port: number }
  readonly database: ProofDatabase
  readonly victim: AttackTenant & { readonly connectionId: string }
  /** Creates a tenant that sends from the attackers' address. */
  readonly newAttacker: (name: string) => Effect.Effect<AttackTenant>
}

/**
 * Starts the service without a rate limit, unless `environment` has one, and where it is behind Caddy, this by the settings
 * for operators. It is killed when the scope closes.
 */
export const startAttackedService = (
  environment: Readonly<Record<string, string>>,
  healthyZone: string,
  isBehindCaddy: boolean
): Effect.Effect<AttackedService, never, Lab | Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* createProofDatabase
    const servicePort = freePort()
    const port = isBehindCaddy
      ? yield* startDocumentedCaddy({ service: `127.0.0.1:${servicePort}`, hasTls: false })
      : servicePort
    const url = `http://127.0.0.1:${port}`
    const attackers = { url: `http://${attackerAddress}:${port}`, hostname: attackerAddress, port }
    const settings = {
      DATABASE_URL: database.url,
      HOST: isBehindCaddy ? "127.0.0.1" : "0.0.0.0",
      PORT: String(servicePort),
      TRUSTED_PROXIES: isBehindCaddy ? "127.0.0.1" : ""
    }
    const { pid } = yield* startService(yield* labEnvironment([labPowerDns], { ...settings, ...environment }))
    const api = makeApiClient(url, database.key)
    const domain = `home.${healthyZone}`
    const { id } = yield* createPlannedConnection(api, {
      idempotencyKey: domain,
      domain,
      records: recordsFor(domain),
      credential: {}
    })
    const victim = { name: "tenant", key: database.key, api, connectionId: id }
    const newAttacker = (name: string) =>
      Effect.map(database.issueKeyFor(name), (key) => ({ name, key, api: makeApiClient(attackers.url, key) }))
    return { pid, url, attackers, database, victim, newAttacker }
  }).pipe(Effect.orDie)

/** An address of the loopback interface, as the lab has it. */
const attackerAddress = "127.10.2.1"
