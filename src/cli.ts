import { Command, ValidationError } from "@effect/cli"
import { BunContext } from "@effect/platform-bun"
import { Console, Effect, Layer, Logger } from "effect"
import { hasNoColor, ServiceConfig } from "./Config.ts"
import { credentialsCommand } from "./cli/credentialsCommand.ts"
import { exitCodes, setExitCode } from "./cli/exitCodes.ts"
import { keysCommand } from "./cli/keysCommand.ts"
import { planCommand } from "./cli/plan/planCommand.ts"
import { DnsClient } from "./dns/transport/DnsClient.ts"
import { Delegations } from "./dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "./dns/zone/Resolver.ts"
import { ZoneReader } from "./dns/zone/ZoneReader.ts"
import { Identifiers } from "./domain/Identifiers.ts"
import { PlanMaker } from "./lifecycle/plan/PlanMaker.ts"
import { databasePool, migrationsLayer } from "./persistence/postgres/databasePool.ts"
import { ApiKeyStore } from "./persistence/stores/ApiKeyStore.ts"
import { CredentialStore } from "./persistence/stores/CredentialStore.ts"
import { Providers } from "./providers/Providers.ts"
import { runProgram } from "./runProgram.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { Credentials } from "./security/Credentials.ts"
import { MasterKeys } from "./security/MasterKeys.ts"

/** Keys from the same database as the service, whether it runs or not. */
const Keys = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    ApiKeys.layer.pipe(
      Layer.provide(ApiKeyStore.layer),
      Layer.provide(migrationsLayer),
      Layer.provide(databasePool(config)),
      Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer))
    )
  )
)

/** Sealed credentials from the same database as the service; a wrong key is told before any database is started. */
const SealedCredentials = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    Credentials.layer.pipe(
      Layer.provide(CredentialStore.layer),
      Layer.provide(migrationsLayer),
      Layer.provide(databasePool(config)),
      Layer.provide(MasterKeys.layer({ configured: config.masterKeys, dataDirectory: config.dataDirectory })),
      Layer.provide(BunContext.layer)
    )
  )
)

/** The public DNS as the service sees it; it is set up only where a zone has to be found. */
const PublicDns = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    PlanMaker.layerWithoutDatabase.pipe(
      Layer.provide(Providers.layer([])),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, CachedResolver.layer)),
      Layer.provide(Resolver.layer(config.resolvers)),
      Layer.provide(DnsClient.layer({ allowed: config.outboundAllow }))
    )
  )
)

/** `migrate`: who is given keys has been given a database that is up to date. */
const migrate = Command.make("migrate", {}, () => Console.log("The database is up to date.")).pipe(
  Command.withDescription("Bring the database up to date.")
)

const program = Command.make("domain-connection-service").pipe(
  Command.withDescription("For the operator of the Domain Connection Service."),
  Command.withSubcommands([
    Command.provide(keysCommand, Keys),
    Command.provide(credentialsCommand, SealedCredentials),
    Command.provide(migrate, Keys),
    planCommand({
      preview: (intent) =>
        Effect.provide(
          Effect.flatMap(PlanMaker, ({ preview }) => preview(intent)),
          PublicDns
        ),
      noColor: hasNoColor
    })
  ])
)

const run = Command.run(program, { name: "Domain Connection Service", version: "0.1.0" })

/** Standard output is for what was asked for. */
const logsToStandardError = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

runProgram(
  run(process.argv).pipe(
    Effect.catchIf(ValidationError.isValidationError, () => setExitCode(exitCodes.badInput)),
    Effect.provide(Layer.merge(BunContext.layer, logsToStandardError))
  )
)
