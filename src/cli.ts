import { Command, ValidationError } from "@effect/cli"
import { BunContext } from "@effect/platform-bun"
import { Console, Effect, Layer, Logger } from "effect"
import { credentials } from "./cli/credentials.ts"
import { endWith, exitCodes } from "./cli/ending.ts"
import { keys } from "./cli/keys.ts"
import { plan } from "./cli/plan/plan.ts"
import { noColor, ServiceConfig } from "./Config.ts"
import { Delegations } from "./dns/Delegation.ts"
import { DnsClient } from "./dns/DnsClient.ts"
import { PublicAnswers } from "./dns/PublicAnswers.ts"
import { Resolver } from "./dns/Resolver.ts"
import { ZoneReader } from "./dns/ZoneReader.ts"
import { Identifiers } from "./domain/Identifiers.ts"
import { Planner } from "./lifecycle/zone/Planner.ts"
import { Survey } from "./lifecycle/zone/Survey.ts"
import { Providers } from "./providers/Providers.ts"
import { ApiKeyStore } from "./persistence/ApiKeyStore.ts"
import { CredentialStore } from "./persistence/CredentialStore.ts"
import { migrated, postgres } from "./persistence/Postgres.ts"
import { runProgram } from "./runProgram.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { Credentials } from "./security/Credentials.ts"
import { MasterKeys } from "./security/MasterKeys.ts"

/** Keys from the same database as the service, whether it runs or not. */
const Keys = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    ApiKeys.layer.pipe(
      Layer.provide(ApiKeyStore.layer),
      Layer.provide(migrated),
      Layer.provide(postgres(config)),
      Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer))
    )
  )
)

/** Sealed credentials from the same database as the service; a wrong key is told before any database is started. */
const SealedCredentials = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    Credentials.layer.pipe(
      Layer.provide(CredentialStore.layer),
      Layer.provide(migrated),
      Layer.provide(postgres(config)),
      Layer.provide(MasterKeys.layer({ configured: config.masterKeys, dataDirectory: config.dataDirectory })),
      Layer.provide(BunContext.layer)
    )
  )
)

/** The public DNS as the service sees it; it is set up only where a zone has to be found. */
const PublicDns = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    Survey.layer.pipe(
      Layer.provide(Layer.mergeAll(Planner.layer, Providers.layer([]))),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, PublicAnswers.layer)),
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
    Command.provide(keys, Keys),
    Command.provide(credentials, SealedCredentials),
    Command.provide(migrate, Keys),
    plan({
      findOut: (intent) =>
        Effect.provide(
          Effect.flatMap(Survey, ({ survey }) => survey(intent)),
          PublicDns
        ),
      noColor
    })
  ])
)

const run = Command.run(program, { name: "Domain Connection Service", version: "0.1.0" })

/** Standard output is for what was asked for. */
const logsToStandardError = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

runProgram(
  run(process.argv).pipe(
    Effect.catchIf(ValidationError.isValidationError, () => endWith(exitCodes.badInput)),
    Effect.provide(Layer.merge(BunContext.layer, logsToStandardError))
  )
)
