import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, Option } from "effect"
import { httpServer } from "./api/HttpServer.ts"
import { ServiceConfig } from "./Config.ts"
import { Delegations } from "./dns/Delegation.ts"
import { DnsClient } from "./dns/DnsClient.ts"
import { PublicAnswers } from "./dns/PublicAnswers.ts"
import { Resolver } from "./dns/Resolver.ts"
import { ZoneReader } from "./dns/ZoneReader.ts"
import { Identifiers } from "./domain/Identifiers.ts"
import { firstStart } from "./FirstStart.ts"
import { Connections } from "./lifecycle/Connections.ts"
import { Discovery } from "./lifecycle/Discovery.ts"
import { Dispatch } from "./lifecycle/Dispatch.ts"
import * as Engine from "./lifecycle/Engine.ts"
import * as Phases from "./lifecycle/Phases.ts"
import { PhasesInFlight } from "./lifecycle/PhasesInFlight.ts"
import { Signals } from "./lifecycle/Signals.ts"
import { Survey } from "./lifecycle/Survey.ts"
import { ApiKeyStore } from "./persistence/ApiKeyStore.ts"
import { BrowserTokenStore } from "./persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "./persistence/ConnectionStore.ts"
import { DatabaseReadiness } from "./persistence/DatabaseReadiness.ts"
import { migrated, postgres } from "./persistence/Postgres.ts"
import * as SingleInstance from "./persistence/SingleInstance.ts"
import { runProgram } from "./runProgram.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { BrowserTokens } from "./security/BrowserTokens.ts"
import * as Telemetry from "./Telemetry.ts"

/** The whole service, what is provided last being built first; the port opens when the rest is there. */
export const service = (config: ServiceConfig, dns = DnsClient.layer({ allowed: config.outboundAllow })) =>
  httpServer(config).pipe(
    Layer.provide(Dispatch.loop),
    Layer.provide(Layer.mergeAll(Connections.layer, Phases.layer, Dispatch.layer)),
    Layer.provide(Discovery.layer),
    Layer.provide(Survey.layer),
    Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer)),
    Layer.provide(Resolver.layer(config.resolvers)),
    Layer.provide(dns),
    Layer.provide(
      Layer.mergeAll(Signals.layer, PhasesInFlight.layer({ capacity: config.phasesInFlight }), Engine.layer)
    ),
    Layer.provideMerge(ApiKeys.layer),
    Layer.provide(BrowserTokens.layer({ lifetime: config.browserTokenLifetime })),
    Layer.provide(
      Layer.mergeAll(ConnectionStore.layer, ApiKeyStore.layer, BrowserTokenStore.layer, DatabaseReadiness.layer)
    ),
    Layer.provide(Layer.provideMerge(SingleInstance.layer, migrated)),
    Layer.provide(postgres(config)),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer(config))
  )

/** The embedded database is used where no other is named. */
const embeddedIn = ({ databaseUrl, dataDirectory }: ServiceConfig): Option.Option<string> =>
  Option.match(databaseUrl, { onNone: () => Option.some(dataDirectory), onSome: () => Option.none() })

const program = Effect.flatMap(ServiceConfig, (config) =>
  Layer.launch(Layer.provide(firstStart({ embeddedIn: embeddedIn(config) }), service(config)))
)

if (import.meta.main) runProgram(program)
