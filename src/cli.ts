import { Command, ValidationError } from "@effect/cli"
import { BunContext } from "@effect/platform-bun"
import type { SqlClient } from "@effect/sql"
import { Console, Effect, Layer, Logger, Option } from "effect"
import { hasNoColor, ServiceConfig } from "./settings/Config.ts"
import { listEffectiveSettings, listUnknownSettings } from "./settings/listSettings.ts"
import { providersFilePath } from "./settings/providerSettings.ts"
import { makeAdminKeysCommand } from "./cli/adminKeysCommand.ts"
import { makeApplicationsCommand } from "./cli/applicationsCommand.ts"
import { makeAskSecretsCommand } from "./cli/askSecretsCommand.ts"
import { makeAuditCommand } from "./cli/auditCommand.ts"
import { makeConfigCommand } from "./cli/configCommand.ts"
import { makeConnectionsCommand } from "./cli/connectionsCommand.ts"
import { makeCredentialsCommand } from "./cli/credentialsCommand.ts"
import { collectFindings, makeDoctorCommand } from "./cli/doctor/doctorCommand.ts"
import { makeDomainConnectCommand } from "./cli/domainConnectCommand.ts"
import { exitCodes, setExitCode } from "./cli/exitCodes.ts"
import { makeKeysCommand } from "./cli/keysCommand.ts"
import { makeMigrateCommand } from "./cli/migrateCommand.ts"
import { makeSupportBundleCommand } from "./cli/supportBundleCommand.ts"
import type { EnvironmentOption } from "./cli/options.ts"
import { makeWebhooksCommand } from "./cli/webhooksCommand.ts"
import { findMissingValue } from "./cli/plan/PlanOptions.ts"
import { planCommand } from "./cli/plan/planCommand.ts"
import { DnsClient } from "./dns/transport/DnsClient.ts"
import { Delegations } from "./dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "./dns/zone/Resolver.ts"
import { ZoneReader } from "./dns/zone/ZoneReader.ts"
import { actAs } from "./domain/access/Actor.ts"
import { Identifiers } from "./domain/values/Identifiers.ts"
import { CommandRunner } from "./lifecycle/commit/CommandRunner.ts"
import { ConnectionSignals } from "./lifecycle/commit/ConnectionSignals.ts"
import { TokenRevocations } from "./lifecycle/commit/TokenRevocations.ts"
import { Transitions } from "./lifecycle/commit/Transitions.ts"
import { PlanMaker } from "./lifecycle/plan/PlanMaker.ts"
import { ConnectionOperations } from "./administration/ConnectionOperations.ts"
import { administrationLayer } from "./administration/layer.ts"
import { commandDatabase, commandDatabaseAsFound, type DatabaseEnvironment } from "./persistence/commandDatabase.ts"
import type { DatabasePool } from "./persistence/postgres/databasePool.ts"
import { AdminKeyStore } from "./persistence/stores/access/AdminKeyStore.ts"
import { ApplicationStore } from "./persistence/stores/access/ApplicationStore.ts"
import { DomainConnectKeyStore } from "./persistence/stores/access/DomainConnectKeyStore.ts"
import { AskSecretStore } from "./persistence/stores/access/AskSecretStore.ts"
import { ApiKeyStore } from "./persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "./persistence/stores/access/BrowserTokenStore.ts"
import { AuditStore } from "./persistence/stores/audit/AuditStore.ts"
import { ConnectionInspections } from "./persistence/stores/connections/ConnectionInspections.ts"
import { ConnectionStore } from "./persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "./persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "./persistence/stores/access/CredentialStore.ts"
import { MasterKeyStore } from "./persistence/stores/access/MasterKeyStore.ts"
import { PhaseStore } from "./persistence/stores/phases/PhaseStore.ts"
import { WebhookDeliveryStore } from "./persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { ErasureStore } from "./persistence/stores/erasure/ErasureStore.ts"
import { WebhookEndpointStore } from "./persistence/stores/webhooks/WebhookEndpointStore.ts"
import { domainConnectDirectoryLayer, providersLayer, readDeclaredProviders } from "./providers/layer.ts"
import { configErrorMessage, runProgram } from "./runProgram.ts"
import { serviceInstance } from "./runtime/serviceInstance.ts"
import { AdminKeys } from "./security/AdminKeys.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { Credentials } from "./security/Credentials.ts"
import { DomainConnectKeys } from "./security/DomainConnectKeys.ts"
import { MasterKeys } from "./security/MasterKeys.ts"
import { UnreadableSecrets } from "./security/UnreadableSecrets.ts"
import { WebhookSecrets } from "./security/WebhookSecrets.ts"
import { fittingMasterKeysLayer } from "./security/requireFittingKeys.ts"
import { ReceiverClient } from "./webhooks/ReceiverClient.ts"
import { WebhookEndpoints } from "./webhooks/WebhookEndpoints.ts"

/** Builds a layer on the database of the service, whether that runs or not: on its live tables or those of test mode. */
const onDatabase = <A, E, R>(layer: Layer.Layer<A, E, R>, environment: DatabaseEnvironment) =>
  Layer.unwrapEffect(
    Effect.map(ServiceConfig, (config) =>
      layer.pipe(
        Layer.provide(commandDatabase(config, environment)),
        Layer.provide(Layer.mergeAll(Identifiers.layer, BunContext.layer))
      )
    )
  )

const administration = Layer.provide(
  administrationLayer,
  Layer.mergeAll(ApiKeyStore.layer, ApplicationStore.layer, AskSecretStore.layer, ErasureStore.layer)
)

const applicationsLayer = ({ environment }: EnvironmentOption) => onDatabase(administration, environment)

const apiKeysLayer = ({ environment }: EnvironmentOption) =>
  onDatabase(Layer.provide(ApiKeys.layer, ApiKeyStore.layer), environment)

const adminKeysLayer = ({ environment }: EnvironmentOption) =>
  onDatabase(Layer.provide(AdminKeys.layer, AdminKeyStore.layer), environment)

/** Builds a layer on the master keys and their store; a malformed key is reported before any database starts. */
const withMasterKeys = <A, E>(
  layer: Layer.Layer<A, E, DatabasePool | MasterKeys | MasterKeyStore | SqlClient.SqlClient>,
  { environment }: EnvironmentOption
) =>
  Layer.unwrapEffect(
    Effect.map(ServiceConfig, (config) =>
      layer.pipe(
        Layer.provide(MasterKeyStore.layer),
        Layer.provide(commandDatabase(config, environment)),
        Layer.provide(MasterKeys.layer({ configured: config.masterKeys, dataDirectory: config.dataDirectory })),
        Layer.provide(BunContext.layer)
      )
    )
  )

/** The sealed credentials and webhook secrets, in the same database. */
const credentialsLayer = (option: EnvironmentOption) =>
  withMasterKeys(
    Layer.mergeAll(Credentials.layer, DomainConnectKeys.layer, WebhookSecrets.layer).pipe(
      Layer.provide(Layer.mergeAll(CredentialStore.layer, DomainConnectKeyStore.layer, WebhookEndpointStore.layer)),
      Layer.provide(fittingMasterKeysLayer)
    ),
    option
  )

/** The applications, and the keys with which their links to providers are signed. */
const domainConnectLayer = (option: EnvironmentOption) =>
  withMasterKeys(
    Layer.merge(
      Layer.provide(DomainConnectKeys.layer, DomainConnectKeyStore.layer),
      Layer.provide(administration, Identifiers.layer)
    ).pipe(Layer.provide(fittingMasterKeysLayer)),
    option
  )

/** What only lost keys could open: here a master key need not fit. */
const unreadableSecretsLayer = (option: EnvironmentOption) => withMasterKeys(UnreadableSecrets.layer, option)

/** The webhook endpoints, whose secrets the master key of the service seals, and their applications. */
const webhookEndpointsLayer = ({ environment }: EnvironmentOption) =>
  Layer.unwrapEffect(
    Effect.map(ServiceConfig, ({ dataDirectory, masterKeys, ...config }) =>
      onDatabase(
        WebhookEndpoints.layer(config).pipe(
          Layer.provide(Layer.merge(WebhookSecrets.layer, ReceiverClient.layer(config))),
          Layer.merge(administration),
          Layer.provide(fittingMasterKeysLayer),
          Layer.provide(
            Layer.mergeAll(
              MasterKeyStore.layer,
              ApplicationStore.layer,
              AskSecretStore.layer,
              WebhookDeliveryStore.layer,
              WebhookEndpointStore.layer
            )
          )
        ),
        environment
      ).pipe(
        Layer.provide(MasterKeys.layer({ configured: masterKeys, dataDirectory, isFileRequired: true })),
        Layer.provide(BunContext.layer)
      )
    )
  )

/**
 * Connections with the commands of operators; the service itself carries out what becomes due. What changes a connection
 * needs the master key, which seals its credential.
 */
const connectionsLayer = ({ environment }: EnvironmentOption) =>
  Layer.unwrapEffect(
    Effect.map(ServiceConfig, ({ dataDirectory, masterKeys, stateTimeouts, ...config }) =>
      onDatabase(
        ConnectionOperations.layer.pipe(
          Layer.provide(CommandRunner.layer),
          Layer.provide(
            Layer.mergeAll(ConnectionSignals.layer, TokenRevocations.layer, Transitions.layer(stateTimeouts))
          ),
          Layer.provide(Layer.merge(Credentials.layer, providersLayer(config))),
          Layer.provide(fittingMasterKeysLayer),
          Layer.provide(
            Layer.mergeAll(
              AuditStore.layer,
              BrowserTokenStore.layer,
              ConnectionInspections.layer,
              ConnectionStore.layer,
              ConnectionViews.layer,
              CredentialStore.layer,
              MasterKeyStore.layer
            )
          )
        ),
        environment
      ).pipe(
        Layer.provide(MasterKeys.layer({ configured: masterKeys, dataDirectory, isFileRequired: true })),
        Layer.provide(BunContext.layer)
      )
    )
  )

/** Finds zones, and asks their providers for Domain Connect. */
const internetLayer = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    Layer.merge(domainConnectDirectoryLayer(config), Delegations.layer).pipe(
      Layer.merge(Layer.provide(providersLayer(config), BunContext.layer)),
      Layer.provide(CachedResolver.layer),
      Layer.provide(Resolver.layer(config.resolvers)),
      Layer.provide(
        DnsClient.layer({
          allowed: config.outboundAllow,
          limits: { queriesPerSecond: config.dnsQueriesPerSecond }
        })
      )
    )
  )
)

/** Plans from the public DNS as the service does, without a database; built only if a zone has to be found. */
const planMakerLayer = Layer.unwrapEffect(
  Effect.map(ServiceConfig, (config) =>
    PlanMaker.layerWithoutDatabase.pipe(
      Layer.provide(Layer.provide(providersLayer(config), BunContext.layer)),
      Layer.provide(Layer.mergeAll(Delegations.layer, ZoneReader.layer, CachedResolver.layer)),
      Layer.provide(Resolver.layer(config.resolvers)),
      Layer.provide(
        DnsClient.layer({
          allowed: config.outboundAllow,
          limits: { queriesPerSecond: config.dnsQueriesPerSecond }
        })
      )
    )
  )
)

const databaseAsFound = Layer.provide(
  Layer.unwrapEffect(Effect.map(ServiceConfig, commandDatabaseAsFound)),
  BunContext.layer
)

/** What waits for the processes of the service, to be counted: a command takes none of their work over. */
const queuesLayer = onDatabase(Layer.merge(PhaseStore.layer, WebhookDeliveryStore.layer), "live")

const settings = { effective: listEffectiveSettings, unknown: listUnknownSettings }

const doctorOptions = { config: ServiceConfig, describe: configErrorMessage, settings }

const program = Command.make("domain-connection-service").pipe(
  Command.withDescription("For the operator of the Domain Connection Service."),
  Command.withSubcommands([
    makeDoctorCommand(doctorOptions),
    makeConfigCommand(settings),
    makeSupportBundleCommand({
      settings,
      findings: collectFindings(doctorOptions),
      tables: Layer.merge(connectionsLayer({ environment: "live" }), queuesLayer)
    }),
    makeKeysCommand(apiKeysLayer),
    makeAdminKeysCommand(adminKeysLayer),
    makeConnectionsCommand(connectionsLayer),
    makeApplicationsCommand(applicationsLayer),
    makeAskSecretsCommand(applicationsLayer),
    makeWebhooksCommand(webhookEndpointsLayer),
    makeAuditCommand(({ environment }) => onDatabase(AuditStore.layer, environment)),
    makeCredentialsCommand(credentialsLayer, unreadableSecretsLayer),
    makeDomainConnectCommand(
      domainConnectLayer,
      internetLayer,
      Effect.map(ServiceConfig, ({ publicUrl }) => publicUrl)
    ),
    makeMigrateCommand(databaseAsFound),
    planCommand({
      preview: (intent) =>
        Effect.provide(
          Effect.flatMap(PlanMaker, ({ preview }) => preview(intent)),
          planMakerLayer
        ),
      declaredProviders: Effect.flatMap(providersFilePath, readDeclaredProviders),
      noColor: hasNoColor
    })
  ])
)

const run = Command.run(program, { name: "Domain Connection Service", version: serviceInstance.version })

/** Standard output is for the result alone. */
const logsToStandardError = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** Runs a command line: the arguments after the program's name. */
export const runCommandLine = (args: ReadonlyArray<string>) =>
  Option.match(findMissingValue(args), {
    onNone: () => run(["", "", ...args]),
    onSome: (missing) => Effect.zipRight(Console.error(missing), setExitCode(exitCodes.badInput))
  }).pipe(
    actAs({ actor: { type: "command_line", id: "command_line" } }),
    Effect.catchIf(ValidationError.isValidationError, () => setExitCode(exitCodes.badInput)),
    Effect.provide(Layer.merge(BunContext.layer, logsToStandardError))
  )

if (import.meta.main) runProgram(runCommandLine(process.argv.slice(2)))
