import { Command } from "@effect/cli"
import { Effect, type Layer, Schedule } from "effect"
import { Credentials, type ResealResult } from "../security/Credentials.ts"
import { WebhookSecrets } from "../security/WebhookSecrets.ts"
import { type EnvironmentOption, environment as environmentOf, json, printResult } from "./options.ts"

const environment = environmentOf("the credentials and webhook secrets are")

const reseal = Command.make("reseal", { environment, json }, ({ json }) =>
  Effect.gen(function* () {
    const result = yield* (yield* Credentials).reseal
    return { ...result, webhookEndpoints: yield* (yield* WebhookSecrets).reseal }
  }).pipe(
    // A second attempt continues the first; an embedded server stops with the process that started it.
    Effect.retry({ schedule: Schedule.spaced("1 second"), times: 10 }),
    Effect.flatMap((result) => printResult(json, result, formatResult(result)))
  )
).pipe(
  Command.withDescription(
    "Seal every credential and webhook secret with the newest master key, so that older keys can be removed."
  )
)

const formatResult = ({
  keyVersion,
  resealed,
  webhookEndpoints
}: ResealResult & { readonly webhookEndpoints: number }): string =>
  `${resealed} ${resealed === 1 ? "credential was" : "credentials were"} sealed again with key version ${keyVersion}` +
  (webhookEndpoints === 0
    ? ""
    : `, and the secrets of ${webhookEndpoints} webhook ${webhookEndpoints === 1 ? "endpoint" : "endpoints"}`)

/** `credentials`: lets the operator maintain the credentials of customers without seeing any; those of test mode with `--environment test`. */
export const makeCredentialsCommand = <E, R>(
  secretsOf: (option: EnvironmentOption) => Layer.Layer<Credentials | WebhookSecrets, E, R>
) =>
  Command.make("credentials").pipe(
    Command.withDescription("The sealed credentials of customers."),
    Command.withSubcommands([Command.provide(reseal, secretsOf)])
  )
