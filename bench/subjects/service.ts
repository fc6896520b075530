import { HttpServer } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, LogLevel, Option } from "effect"
import { httpServer } from "../../src/api/HttpServer.ts"
import { ServiceConfig } from "../../src/Config.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { Connections } from "../../src/lifecycle/Connections.ts"
import { Signals } from "../../src/lifecycle/Signals.ts"
import { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { DatabaseReadiness } from "../../src/persistence/DatabaseReadiness.ts"
import { postgresAt } from "../../src/persistence/Postgres.ts"
import { runProgram } from "../../src/runProgram.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import * as Telemetry from "../../src/Telemetry.ts"

/** This service as `main.ts` composes it, its dispatcher paused: connections are made and stay `requested`. */
const service = (config: ServiceConfig) =>
  Layer.effectDiscard(HttpServer.addressWith(sayPort)).pipe(
    Layer.provide(httpServer(config)),
    Layer.provide(Connections.layer),
    Layer.provide(
      Layer.mergeAll(Signals.layer, ApiKeys.layer, BrowserTokens.layer({ lifetime: config.browserTokenLifetime }))
    ),
    Layer.provide(
      Layer.mergeAll(ConnectionStore.layer, ApiKeyStore.layer, BrowserTokenStore.layer, DatabaseReadiness.layer)
    ),
    Layer.provide(postgresAt(Option.getOrThrow(config.databaseUrl))),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer({ ...config, logLevel: LogLevel.Error }))
  )

const sayPort = (address: HttpServer.Address) =>
  Effect.sync(() => process.send?.("port" in address ? address.port : undefined))

runProgram(Effect.flatMap(ServiceConfig, (config) => Layer.launch(service(config))))
