import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, LogLevel, Option, Schema } from "effect"
import { ServiceConfig } from "../../src/settings/Config.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../src/dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../src/dns/zone/ZoneReader.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "../../src/lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "../../src/lifecycle/commit/Transitions.ts"
import { ControlRules } from "../../src/lifecycle/control/ControlRules.ts"
import { DiscoverPhase } from "../../src/lifecycle/phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../../src/lifecycle/phases/ProvisionPhase.ts"
import { RestorePhase } from "../../src/lifecycle/phases/RestorePhase.ts"
import { ConfirmPhase } from "../../src/lifecycle/phases/ConfirmPhase.ts"
import { FactResolver } from "../../src/lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "../../src/lifecycle/plan/PlanMaker.ts"
import { ZoneSurvey } from "../../src/lifecycle/plan/ZoneSurvey.ts"
import { ZoneTenants } from "../../src/lifecycle/plan/ZoneTenants.ts"
import { Dispatcher } from "../../src/lifecycle/scheduler/Dispatcher.ts"
import { PhaseRuns } from "../../src/lifecycle/scheduler/PhaseRuns.ts"
import { WorkSlots } from "../../src/limits/WorkSlots.ts"
import { LifecycleEvent } from "../../src/lifecycle/state/LifecycleEvent.ts"
import { databasePoolAt } from "../../src/persistence/postgres/databasePool.ts"
import { ConnectionViews } from "../../src/persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/stores/access/CredentialStore.ts"
import { JournalStore } from "../../src/persistence/stores/phases/JournalStore.ts"
import { PhaseStore } from "../../src/persistence/stores/phases/PhaseStore.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { runProgram } from "../../src/runProgram.ts"
import { resolver } from "../../test/support/lab/ScriptedTopology.ts"
import { masterKey, sealingLayer } from "../../test/support/masterKeys.ts"
import { discoveredEvent } from "../typicalConnection.ts"

/** The loops and phases of the lifecycle over PostgreSQL, without HTTP. Only discoveries run; other phases do nothing. */
const lifecycle = (config: ServiceConfig) =>
  Layer.effectDiscard(Effect.sync(() => process.send?.(0))).pipe(
    Layer.provide(Dispatcher.loop),
    Layer.provide(Layer.provide(Dispatcher.layer, PhaseRuns.layer)),
    Layer.provide(Layer.mergeAll(discovery(config), otherPhases, tokenRevocations)),
    Layer.provide(
      Layer.mergeAll(
        Transitions.layer(config.stateTimeouts),
        Layer.provideMerge(WorkSlots.layer({ capacity: config.phasesInFlight }), ConnectionSignals.layer),
        sealingLayer(masterKey(1))
      )
    ),
    Layer.provide(Layer.mergeAll(PhaseStore.layer, ConnectionViews.layer, CredentialStore.layer, JournalStore.layer)),
    Layer.provide(databasePoolAt(Option.getOrThrow(config.databaseUrl))),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer({ ...config, logLevel: LogLevel.Error }))
  )

/** A verification that no server answers. */
const unanswered = LifecycleEvent.Verified({
  authoritative: "unknown",
  publicResolvers: "unknown",
  repair: Option.none(),
  control: { isRequired: false, isHolder: true },
  isConfirmed: false,
  isTimedOut: false
})

const otherPhases = Layer.mergeAll(
  Layer.succeed(ConfirmPhase, { run: () => Effect.succeed({ event: unanswered }) }),
  Layer.succeed(ProvisionPhase, { run: () => Effect.never }),
  Layer.succeed(RestorePhase, { run: () => Effect.never })
)

const tokenRevocations = TokenRevocations.layer.pipe(Layer.provide(Providers.layer([])))

/** The ports on 127.0.0.1 of the name servers, by address; without them a discovery takes no time. */
const ports = Schema.decodeUnknownOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number })))(
  process.env["PORTS"]
)

const discovery = ({ stateTimeouts }: ServiceConfig) =>
  Option.match(ports, {
    onNone: () => Layer.sync(DiscoverPhase, () => ({ run: () => Effect.sync(() => ({ event: discoveredEvent() })) })),
    onSome: (portOf) => {
      const dial = (address: string) => ({ host: "127.0.0.1", port: portOf[address] ?? 0 })
      return DiscoverPhase.layer.pipe(
        Layer.provide(PlanMaker.layer(stateTimeouts)),
        Layer.provide(Layer.mergeAll(ZoneTenants.layer, ZoneSurvey.layer, ControlRules.layerWithoutDatabase)),
        Layer.provide(Layer.merge(FactResolver.layer, Providers.layer([]))),
        Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, CachedResolver.layer)),
        Layer.provide(Resolver.layer([dial(resolver.address)])),
        // Its few servers stand for those of all customers.
        Layer.provide(DnsClient.layer({ allowed: [], dial, limits: { queriesPerSecond: 1_000_000 } }))
      )
    }
  })

runProgram(Effect.flatMap(ServiceConfig, (config) => Layer.launch(lifecycle(config))))
