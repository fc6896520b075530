import { Args, Command, Options } from "@effect/cli"
import { DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { Applications } from "../administration/Applications.ts"
import { AskSecrets, type IssuedAskSecret } from "../administration/AskSecrets.ts"
import { AskSecret, AskSecretId } from "../domain/AskSecret.ts"
import { ApplicationId, tenancyIdRule } from "../domain/Tenancy.ts"
import { json, overlapHours, printResult, validate } from "./options.ts"

const applicationId = Options.text("application").pipe(validate(ApplicationId, `--application takes ${tenancyIdRule}`))

const secretId = Args.text({ name: "secret-id" }).pipe(Args.withSchema(AskSecretId))

const printIssued = ({ askSecret: { id }, secret }: IssuedAskSecret, asJson: boolean) => {
  const path = `/v1/domains/allowed/${Redacted.value(secret)}`
  return printResult(
    asJson,
    { id, secret: Redacted.value(secret), path },
    `${id}\n${path}\n\nThe secret in the path is shown only this once.`
  )
}

const create = Command.make("create", { applicationId, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    yield* (yield* Applications).find(applicationId)
    yield* printIssued(yield* (yield* AskSecrets).issue(applicationId), json)
  })
).pipe(Command.withDescription("Create a secret by which a web server asks which hosts an application serves."))

const list = Command.make("list", { applicationId, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    yield* (yield* Applications).find(applicationId)
    const found = yield* (yield* AskSecrets).list(applicationId, { limit: 1_000 })
    const documents = found.map((secret) => encodeAskSecret(secret))
    yield* printResult(json, documents, found.map(formatAskSecret).join("\n"))
  })
).pipe(Command.withDescription("List the valid ask secrets of an application, without the secrets themselves."))

const encodeAskSecret = Schema.encodeSync(AskSecret)

const formatAskSecret = ({ expiresAt, id, prefix }: AskSecret): string =>
  `${id}  ${prefix}…  ${expiresAt === undefined ? "valid" : `expires ${DateTime.formatIso(expiresAt)}`}`

const rotate = Command.make(
  "rotate",
  {
    secretId,
    applicationId,
    overlap: overlapHours("secret"),
    json
  },
  ({ applicationId, json, overlap, secretId }) =>
    Effect.gen(function* () {
      const rotated = yield* (yield* AskSecrets).rotate(applicationId, secretId, Duration.hours(overlap))
      yield* printIssued(rotated, json)
    })
).pipe(Command.withDescription("Create a successor; the old secret expires after the overlap."))

const revoke = Command.make("revoke", { secretId, applicationId, json }, ({ applicationId, json, secretId }) =>
  Effect.gen(function* () {
    yield* (yield* AskSecrets).revoke(applicationId, secretId)
    yield* printResult(json, { id: secretId, revoked: true }, `${secretId} is revoked`)
  })
).pipe(Command.withDescription("Revoke an ask secret at once and for good."))

/** `ask-secrets`: creates, lists, rotates and revokes the secrets by which web servers ask for allowed hosts. */
export const askSecretsCommand = Command.make("ask-secrets").pipe(
  Command.withDescription("The secrets by which web servers ask which hosts an application serves."),
  Command.withSubcommands([create, list, rotate, revoke])
)
