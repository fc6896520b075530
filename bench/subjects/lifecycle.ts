import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, LogLevel, Option, Schema } from "effect"
import { ServiceConfig } from "../../src/Config.ts"
import { Delegations } from "../../src/dns/Delegation.ts"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { PublicAnswers } from "../../src/dns/PublicAnswers.ts"
import { Resolver } from "../../src/dns/Resolver.ts"
import { ZoneReader } from "../../src/dns/ZoneReader.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { Discovery } from "../../src/lifecycle/Discovery.ts"
import { Survey } from "../../src/lifecycle/Survey.ts"
import { Dispatch } from "../../src/lifecycle/Dispatch.ts"
import * as Engine from "../../src/lifecycle/Engine.ts"
import * as Phases from "../../src/lifecycle/Phases.ts"
import { PhasesInFlight } from "../../src/lifecycle/PhasesInFlight.ts"
import { Signals } from "../../src/lifecycle/Signals.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { postgresAt } from "../../src/persistence/Postgres.ts"
import { runProgram } from "../../src/runProgram.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { resolver } from "../../test/support/lab/topology.ts"
import { discovered } from "../typicalConnection.ts"

/** The lifecycle as `main.ts` composes it, without HTTP. */
const lifecycle = (config: ServiceConfig) =>
  Layer.effectDiscard(Effect.sync(() => process.send?.(0))).pipe(
    Layer.provide(Dispatch.loop),
    Layer.provide(Layer.mergeAll(Phases.layer, Dispatch.layer)),
    Layer.provide(discovery),
    Layer.provide(
      Layer.mergeAll(Signals.layer, PhasesInFlight.layer({ capacity: config.phasesInFlight }), Engine.layer)
    ),
    Layer.provide(ConnectionStore.layer),
    Layer.provide(postgresAt(Option.getOrThrow(config.databaseUrl))),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer({ ...config, logLevel: LogLevel.Error }))
  )

/** Name servers at these ports of 127.0.0.1, by their addresses; without it a discovery takes no time. */
const ports = Schema.decodeUnknownOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number })))(
  process.env["PORTS"]
)

const discovery = Option.match(ports, {
  onNone: () => Layer.sync(Discovery, () => ({ discover: () => Effect.succeed(discovered()) })),
  onSome: (portOf) => {
    const dial = (address: string) => ({ host: "127.0.0.1", port: portOf[address] ?? 0 })
    return Discovery.layer.pipe(
      Layer.provide(Survey.layer),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer)),
      Layer.provide(Resolver.layer([dial(resolver.address)])),
      Layer.provide(DnsClient.layer({ allowed: [], dial }))
    )
  }
})

runProgram(Effect.flatMap(ServiceConfig, (config) => Layer.launch(lifecycle(config))))
