import { HttpServer } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, LogLevel, Option } from "effect"
import { httpServer } from "../../src/api/HttpServer.ts"
import { ServiceConfig } from "../../src/Config.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { ProviderVisits } from "../../src/lifecycle/access/ProviderVisits.ts"
import { Revocations } from "../../src/lifecycle/steps/Revocations.ts"
import { OAuthSessionStore } from "../../src/persistence/OAuthSessionStore.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { Commits } from "../../src/lifecycle/steps/Commits.ts"
import { Signals } from "../../src/lifecycle/steps/Signals.ts"
import { Steps } from "../../src/lifecycle/steps/Steps.ts"
import { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { ConnectionViews } from "../../src/persistence/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/CredentialStore.ts"
import { DatabaseReadiness } from "../../src/persistence/DatabaseReadiness.ts"
import { postgresAt } from "../../src/persistence/Postgres.ts"
import { runProgram } from "../../src/runProgram.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { Fingerprints } from "../../src/security/Fingerprints.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { withoutInternet } from "../../test/support/apiUnderTest.ts"
import { masterKey, sealingWith } from "../../test/support/sealing.ts"

/** This service as `main.ts` composes it, its dispatcher paused: connections are made and stay `requested`. */
const service = (config: ServiceConfig) =>
  Layer.effectDiscard(HttpServer.addressWith(sayPort)).pipe(
    Layer.provide(httpServer(config)),
    Layer.provide(Layer.merge(Connections.layer, ProviderVisits.layer)),
    Layer.provide(Commits.layer),
    Layer.provide(Layer.mergeAll(Revocations.layer, OAuthSessions.layer, Fingerprints.layer)),
    Layer.provide(
      Layer.mergeAll(
        Signals.layer,
        Steps.layer(config.clocks),
        ApiKeys.layer,
        BrowserTokens.layer({ lifetime: config.browserTokenLifetime }),
        sealingWith(masterKey(1)),
        withoutInternet
      )
    ),
    Layer.provide(
      Layer.mergeAll(
        ConnectionStore.layer,
        ConnectionViews.layer,
        CredentialStore.layer,
        OAuthSessionStore.layer,
        ApiKeyStore.layer,
        BrowserTokenStore.layer,
        DatabaseReadiness.layer
      )
    ),
    Layer.provide(postgresAt(Option.getOrThrow(config.databaseUrl))),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer({ ...config, logLevel: LogLevel.Error }))
  )

const sayPort = (address: HttpServer.Address) =>
  Effect.sync(() => process.send?.("port" in address ? address.port : undefined))

runProgram(Effect.flatMap(ServiceConfig, (config) => Layer.launch(service(config))))
