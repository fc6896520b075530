import { Command } from "@effect/cli"
import { Effect, Schedule } from "effect"
import { Credentials, type ResealResult } from "../security/Credentials.ts"
import { WebhookSecrets } from "../security/WebhookSecrets.ts"
import { json, printResult } from "./options.ts"

const reseal = Command.make("reseal", { json }, ({ json }) =>
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

/** `credentials`: lets the operator maintain the credentials of customers without seeing any. */
export const credentialsCommand = Command.make("credentials").pipe(
  Command.withDescription("The sealed credentials of customers."),
  Command.withSubcommands([reseal])
)
