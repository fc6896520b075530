import { Args, Command, HelpDoc, Options } from "@effect/cli"
import { Console, DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { Applications } from "../administration/Applications.ts"
import { AskSecrets, type IssuedAskSecret } from "../administration/AskSecrets.ts"
import { AskSecret, AskSecretId } from "../domain/AskSecret.ts"
import { ApplicationId, tenancyIdRule } from "../domain/Tenancy.ts"
import { maxRotationOverlap } from "../security/ApiKeys.ts"
import { printResult } from "./printResult.ts"

const json = Options.boolean("json").pipe(Options.withDescription("Print JSON for scripts."))

const applicationId = Options.text("application").pipe(
  Options.mapTryCatch(Schema.decodeSync(ApplicationId), () => HelpDoc.p(`--application takes ${tenancyIdRule}`))
)

const secretId = Args.text({ name: "secret-id" }).pipe(Args.withSchema(AskSecretId))

const printIssued = ({ askSecret: { id }, secret }: IssuedAskSecret, asJson: boolean) => {
  const path = `/v1/domains/allowed/${Redacted.value(secret)}`
  return Console.log(
    asJson
      ? JSON.stringify({ id, secret: Redacted.value(secret), path })
      : `${id}\n${path}\n\nThe secret in the path is shown only this once.`
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
    overlap: Options.integer("overlap-hours").pipe(
      Options.mapTryCatch(
        Schema.decodeSync(Schema.Int.pipe(Schema.between(0, Duration.toHours(maxRotationOverlap)))),
        () => HelpDoc.p(`--overlap-hours takes a whole number from 0 to ${Duration.toHours(maxRotationOverlap)}`)
      ),
      Options.withDefault(24),
      Options.withDescription("How long the old secret stays valid: 0 to 168 hours.")
    ),
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
