import { Effect, type Scope } from "effect"
import { Lab } from "../../test/support/lab/Lab.ts"
import { status } from "../../test/support/lab/httpFaults.ts"
import { masterKey } from "../../test/support/masterKeys.ts"
import { lockConnections } from "../alerts/databaseDrills.ts"
import type { DrillGround, GroundSettings } from "../alerts/DrillGround.ts"
import { enterCredential, keepDoing, plannedConnection, requestedConnection } from "../alerts/drillSteps.ts"
import { waitForState } from "../connectionSteps.ts"

/** What is in the way, as an operator finds it. */
interface Planted {
  /** The connection that an operator is told to be stuck. */
  readonly id: string
}

/** A step of the operator, and what its output names: a command of the service, or its metrics. */
type LookStep = { readonly expected: RegExp } & (
  | {
      readonly command: ReadonlyArray<string>
      /** Settings of the machine on which the operator looks, if they differ from those of the first process. */
      readonly environment?: Readonly<Record<string, string>>
    }
  | { readonly metrics: true }
)

/** A cause of trouble with the documented way to find it. */
export interface PlantedCause {
  readonly name: string
  readonly ground: GroundSettings
  readonly plant: (ground: DrillGround) => Effect.Effect<Planted, never, Lab | Scope.Scope>
  readonly steps: (planted: Planted) => ReadonlyArray<LookStep>
}

export const plantedCauses: ReadonlyArray<PlantedCause> = [
  {
    name: "dead-resolver",
    ground: {},
    plant: ({ api, resolver }) =>
      Effect.gen(function* () {
        yield* resolver.stop
        const { id } = yield* requestedConnection(api, "unresolved.drills.com")
        yield* untilDelayed(api.get(`/v1/connections/${id}`))
        return { id }
      }),
    steps: ({ id }) => [
      { command: ["connections", "show", id], expected: /^Waits for: resolver\. No resolver answers/ },
      { command: ["doctor"], expected: /^fail {2}DNS_RESOLVERS: no answer from 127\.10\.0\./ },
      { metrics: true, expected: /^dcs_dns_resolvers_unavailable_total\{environment="live"\} [1-9]/ }
    ]
  },
  {
    name: "refusing-provider",
    ground: {},
    plant: (ground) =>
      Effect.gen(function* () {
        const { api, provider } = ground
        yield* provider.injectFault("drills.com", "any", status(401))
        const connection = yield* plannedConnection(api, "bakery.drills.com")
        const { pdns } = yield* Lab
        yield* Effect.orDie(enterCredential(api, connection, pdns.key))
        yield* Effect.orDie(waitForState(api, connection.id, ["failed"]))
        return { id: connection.id }
      }),
    steps: ({ id }) => [
      {
        command: ["connections", "list", "--provider", "lab-pdns"],
        expected: /bakery\.drills\.com {2}failed {2}credential_invalid/
      },
      { command: ["connections", "show", id], expected: /^Failure: PowerDNS of the lab answered: 401/ },
      { metrics: true, expected: /^dcs_provider_calls_total\{provider="lab-pdns",result="refused".*\} [1-9]/ }
    ]
  },
  {
    name: "wrong-key",
    ground: { settings: { CLUSTER: "true" } },
    plant: (ground) =>
      Effect.gen(function* () {
        const { id } = yield* plannedConnection(ground.api, "key.drills.com")
        const second = yield* ground.startAnother({})
        const third = yield* ground.startAnother({ MASTER_KEY: masterKey(2) })
        if (!second || third)
          return yield* Effect.dieMessage("the process with the wrong key started, or the other did not")
        return { id }
      }),
    steps: () => [
      // One of three is missing: the same question on each machine tells which.
      { command: ["doctor"], expected: /^ok {4}processes: 2 of version/ },
      { command: ["doctor"], expected: /^ok {4}master key/ },
      {
        command: ["doctor"],
        environment: { MASTER_KEY: masterKey(2) },
        expected: /^fail {2}master key: MASTER_KEY has none of the keys/
      }
    ]
  },
  {
    name: "full-pool",
    ground: { settings: { DATABASE_CONNECTIONS: "6" } },
    plant: (ground) =>
      Effect.gen(function* () {
        const { api } = ground
        const { id } = yield* plannedConnection(api, "locked.drills.com")
        yield* lockConnections(ground)
        yield* Effect.replicateEffect(keepDoing(api.get(`/v1/connections/${id}`), 50), 6)
        yield* Effect.replicateEffect(keepDoing(api.get("/v1/connections?limit=1"), 50), 6)
        return { id }
      }),
    steps: () => [
      {
        metrics: true,
        expected: /^dcs_database_wait_max_seconds\{pool="requests",environment="live"\} (0\.[5-9]|[1-9])/
      },
      { command: ["doctor"], expected: /^warn {2}locks: sessions wait for .* \(pid \d+/ }
    ]
  },
  {
    name: "silent-customer",
    ground: {},
    plant: ({ api }) => Effect.map(plannedConnection(api, "silent.drills.com"), ({ id }) => ({ id })),
    steps: ({ id }) => [
      { command: ["connections", "list", "--domain", "silent.drills.com"], expected: /awaiting_authorization/ },
      { command: ["connections", "show", id], expected: /^Waits for: authorization\. The customer has to choose/ },
      { command: ["connections", "show", id], expected: /^Who may act: customer/ }
    ]
  }
]

/** Until the connection shows that no resolver answers. */
const untilDelayed = (get: ReturnType<DrillGround["api"]["get"]>) =>
  Effect.orDie(
    Effect.repeat(Effect.delay(get, "500 millis"), { until: ({ body }) => body.connection.delay !== undefined })
  )
