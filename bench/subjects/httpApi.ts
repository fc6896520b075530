import { HttpServer } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer, Option } from "effect"
import { ServiceConfig } from "../../src/settings/Config.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { httpLayer } from "../../src/http/layer.ts"
import { Connections } from "../../src/lifecycle/commands/Connections.ts"
import { CommandRunner } from "../../src/lifecycle/commit/CommandRunner.ts"
import { ConnectionReads } from "../../src/lifecycle/commit/ConnectionReads.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "../../src/lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "../../src/lifecycle/commit/Transitions.ts"
import { databasePoolAt } from "../../src/persistence/postgres/databasePool.ts"
import { storesOfPhases, storesOfRequests } from "../../src/persistence/layer.ts"
import { runProgram } from "../../src/runProgram.ts"
import { ConnectionOperations } from "../../src/administration/ConnectionOperations.ts"
import { administrationLayer } from "../../src/administration/layer.ts"
import { AdminKeys } from "../../src/security/AdminKeys.ts"
import { AdminRequests } from "../../src/security/AdminRequests.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { DomainEntryTokens } from "../../src/security/DomainEntryTokens.ts"
import { HostedPageLogos } from "../../src/security/HostedPageLogos.ts"
import { RequestFingerprints } from "../../src/security/RequestFingerprints.ts"
import { WebhookSecrets } from "../../src/security/WebhookSecrets.ts"
import { webhooksLayer } from "../../src/webhooks/layer.ts"
import { DomainConnectKeys } from "../../src/security/DomainConnectKeys.ts"
import { masterKey, sealingLayer } from "../../test/support/masterKeys.ts"
import { offlineDns, offlineOAuthFlow } from "../../test/support/testApi.ts"

/** The HTTP API and its commands over PostgreSQL, without DNS and without phases: new connections stay `requested`. */
const service = (config: ServiceConfig) =>
  Layer.effectDiscard(HttpServer.addressWith(sendPort)).pipe(
    Layer.provide(httpLayer(config)),
    Layer.provide(
      Layer.mergeAll(
        Connections.layer,
        ConnectionOperations.layer,
        offlineOAuthFlow,
        webhooksLayer(config),
        administrationLayer
      )
    ),
    Layer.provide(CommandRunner.layer),
    Layer.provide(
      Layer.mergeAll(
        TokenRevocations.layer,
        OAuthSessions.layer,
        RequestFingerprints.layer,
        DomainEntryTokens.layer({ lifetime: config.browserTokenLifetime, isTestMode: false }),
        HostedPageLogos.layer,
        WebhookSecrets.layer,
        AdminRequests.layer
      )
    ),
    Layer.provide(
      Layer.mergeAll(
        ConnectionReads.layer,
        ConnectionSignals.layer,
        Transitions.layer(config.stateTimeouts),
        AdminKeys.layer,
        ApiKeys.layer,
        BrowserTokens.layer({ lifetime: config.browserTokenLifetime }),
        Layer.provideMerge(DomainConnectKeys.layer, sealingLayer(masterKey(1))),
        offlineDns
      )
    ),
    Layer.provide(Layer.merge(storesOfRequests, storesOfPhases)),
    Layer.provide(databasePoolAt(Option.getOrThrow(config.databaseUrl))),
    Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer)),
    Layer.provide(Telemetry.layer(config))
  )

const sendPort = (address: HttpServer.Address) =>
  Effect.sync(() => process.send?.("port" in address ? address.port : undefined))

runProgram(Effect.flatMap(ServiceConfig, (config) => Layer.launch(service(config))))
