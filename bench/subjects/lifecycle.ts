import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, LogLevel, Option, Schema } from "effect"
import { ServiceConfig } from "../../src/Config.ts"
import { Delegations } from "../../src/dns/Delegation.ts"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { PublicAnswers } from "../../src/dns/PublicAnswers.ts"
import { Resolver } from "../../src/dns/Resolver.ts"
import { ZoneReader } from "../../src/dns/ZoneReader.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { Discovery } from "../../src/lifecycle/zone/Discovery.ts"
import { Dispatch } from "../../src/lifecycle/phases/Dispatch.ts"
import * as Engine from "../../src/lifecycle/phases/Engine.ts"
import { LifecycleEvent } from "../../src/lifecycle/state/LifecycleEvent.ts"
import { Neighbours } from "../../src/lifecycle/zone/Neighbours.ts"
import * as Phases from "../../src/lifecycle/phases/Phases.ts"
import { PhasesInFlight } from "../../src/lifecycle/phases/PhasesInFlight.ts"
import { Planner } from "../../src/lifecycle/zone/Planner.ts"
import { Plans } from "../../src/lifecycle/zone/Plans.ts"
import { Provisioning } from "../../src/lifecycle/zone/Provisioning.ts"
import { Revocations } from "../../src/lifecycle/steps/Revocations.ts"
import { Signals } from "../../src/lifecycle/steps/Signals.ts"
import { Steps } from "../../src/lifecycle/steps/Steps.ts"
import { Survey } from "../../src/lifecycle/zone/Survey.ts"
import { Watching } from "../../src/lifecycle/verification/Watching.ts"
import { ConnectionViews } from "../../src/persistence/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/CredentialStore.ts"
import { Journal } from "../../src/persistence/Journal.ts"
import { PhaseStore } from "../../src/persistence/PhaseStore.ts"
import { postgresAt } from "../../src/persistence/Postgres.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { runProgram } from "../../src/runProgram.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { resolver } from "../../test/support/lab/topology.ts"
import { masterKey, sealingWith } from "../../test/support/sealing.ts"
import { discovered } from "../typicalConnection.ts"

/** The lifecycle as `main.ts` composes it, without HTTP; only discoveries are made. */
const lifecycle = (config: ServiceConfig) =>
  Layer.effectDiscard(Effect.sync(() => process.send?.(0))).pipe(
    Layer.provide(Dispatch.loop),
    Layer.provide(Layer.mergeAll(Phases.layer, Dispatch.layer)),
    Layer.provide(Layer.mergeAll(discovery, noneOfTheOthers, nobodyToGiveBackTo)),
    Layer.provide(
      Layer.mergeAll(
        Signals.layer,
        Steps.layer(config.clocks),
        PhasesInFlight.layer({ capacity: config.phasesInFlight }),
        Engine.layer,
        sealingWith(masterKey(1))
      )
    ),
    Layer.provide(Layer.mergeAll(PhaseStore.layer, ConnectionViews.layer, CredentialStore.layer, Journal.layer)),
    Layer.provide(postgresAt(Option.getOrThrow(config.databaseUrl))),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer({ ...config, logLevel: LogLevel.Error }))
  )

/** Whoever waits for records that are entered by hand finds nobody who answers. */
const nothingSeen = LifecycleEvent.Checked({
  authoritative: "unknown",
  inPublic: "unknown",
  repair: Option.none(),
  isSure: false,
  timeIsUp: false
})

const noneOfTheOthers = Layer.merge(
  Layer.succeed(Watching, { watch: () => Effect.succeed({ event: nothingSeen }) }),
  Layer.succeed(Provisioning, { provision: () => Effect.never, restore: () => Effect.never })
)

const nobodyToGiveBackTo = Revocations.layer.pipe(Layer.provide(Providers.layer([])))

/** Name servers at these ports of 127.0.0.1, by their addresses; without it a discovery takes no time. */
const ports = Schema.decodeUnknownOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number })))(
  process.env["PORTS"]
)

const discovery = Option.match(ports, {
  onNone: () => Layer.sync(Discovery, () => ({ discover: () => Effect.sync(() => ({ event: discovered() })) })),
  onSome: (portOf) => {
    const dial = (address: string) => ({ host: "127.0.0.1", port: portOf[address] ?? 0 })
    return Discovery.layer.pipe(
      Layer.provide(Plans.layer),
      Layer.provide(Layer.merge(Neighbours.layer, Survey.layer)),
      Layer.provide(Layer.merge(Planner.layer, Providers.layer([]))),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer)),
      Layer.provide(Resolver.layer([dial(resolver.address)])),
      Layer.provide(DnsClient.layer({ allowed: [], dial }))
    )
  }
})

runProgram(Effect.flatMap(ServiceConfig, (config) => Layer.launch(lifecycle(config))))
