import { Command, Options } from "@effect/cli"
import { Effect, type Layer, Schedule } from "effect"
import { Credentials, type ResealResult } from "../security/Credentials.ts"
import { DomainConnectKeys } from "../security/DomainConnectKeys.ts"
import type { UnreadableCount } from "../persistence/stores/access/MasterKeyStore.ts"
import { UnreadableSecrets } from "../security/UnreadableSecrets.ts"
import { describeUnreadable, isNothing } from "../security/requireFittingKeys.ts"
import { WebhookSecrets } from "../security/WebhookSecrets.ts"
import { type EnvironmentOption, environment as environmentOf, json, printResult } from "./options.ts"

const environment = environmentOf("the credentials and webhook secrets are")

const reseal = Command.make("reseal", { environment, json }, ({ json }) =>
  Effect.gen(function* () {
    const result = yield* (yield* Credentials).reseal
    const webhookEndpoints = yield* (yield* WebhookSecrets).reseal
    return { ...result, webhookEndpoints, domainConnectKeys: yield* (yield* DomainConnectKeys).reseal }
  }).pipe(
    // A second attempt continues the first; an embedded server stops with the process that started it.
    Effect.retry({ schedule: Schedule.spaced("1 second"), times: 10 }),
    Effect.flatMap((result) => printResult(json, result, formatResult(result)))
  )
).pipe(
  Command.withDescription(
    "Seal every credential, webhook secret and key of Domain Connect with the first master key, so that the others can be removed a day later."
  )
)

const formatResult = ({
  domainConnectKeys,
  keyVersion,
  resealed,
  webhookEndpoints
}: ResealResult & { readonly domainConnectKeys: number; readonly webhookEndpoints: number }): string =>
  `${resealed} ${resealed === 1 ? "credential was" : "credentials were"} sealed again with key version ${keyVersion}` +
  (webhookEndpoints === 0
    ? ""
    : `, and the secrets of ${webhookEndpoints} webhook ${webhookEndpoints === 1 ? "endpoint" : "endpoints"}`) +
  (domainConnectKeys === 0
    ? ""
    : `, and ${domainConnectKeys} ${domainConnectKeys === 1 ? "key" : "keys"} of Domain Connect`)

const confirm = Options.boolean("confirm").pipe(Options.withDescription("Delete them, instead of counting them."))

const discardUnreadable = Command.make("discard-unreadable", { environment, confirm, json }, ({ confirm, json }) =>
  Effect.gen(function* () {
    const { count, discard } = yield* UnreadableSecrets
    const unreadable = yield* count
    if (confirm) yield* discard
    yield* printResult(json, { ...unreadable, discarded: confirm }, formatUnreadable(unreadable, confirm))
  })
).pipe(
  Command.withDescription(
    "Go on without a lost master key: count what nobody can read any more and, with --confirm, delete it."
  )
)

const formatUnreadable = (unreadable: UnreadableCount, isDiscarded: boolean): string => {
  const { domainConnectKeys, webhookEndpoints } = unreadable
  return [
    `${isDiscarded ? "Discarded" : "Unreadable"}: ${isNothing(unreadable) ? "nothing" : describeUnreadable(unreadable)}.`,
    ...(webhookEndpoints.length === 0 ? [] : [`These endpoints need a new secret: ${webhookEndpoints.join(", ")}`]),
    ...(domainConnectKeys.length === 0
      ? []
      : [`Publish new keys of Domain Connect in place of these: ${domainConnectKeys.join(", ")}`]),
    isDiscarded
      ? "The master keys of this command are now those of the database."
      : "Nothing was changed. With --confirm this is deleted for good, and the customers concerned authorize again."
  ].join("\n")
}

/** `credentials`: lets the operator maintain the credentials of customers without seeing any; those of test mode with `--environment test`. */
export const makeCredentialsCommand = <E, R>(
  secretsOf: (option: EnvironmentOption) => Layer.Layer<Credentials | DomainConnectKeys | WebhookSecrets, E, R>,
  unreadableSecretsOf: (option: EnvironmentOption) => Layer.Layer<UnreadableSecrets, E, R>
) =>
  Command.make("credentials").pipe(
    Command.withDescription("The sealed credentials of customers."),
    Command.withSubcommands([
      Command.provide(reseal, secretsOf),
      Command.provide(discardUnreadable, unreadableSecretsOf)
    ])
  )
