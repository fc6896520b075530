import { Args, Command } from "@effect/cli"
import { DateTime, Duration, Effect, type Layer, Redacted, Schema } from "effect"
import { Applications } from "../administration/Applications.ts"
import { AskSecrets, type IssuedAskSecret } from "../administration/AskSecrets.ts"
import { AskSecret, AskSecretId } from "../domain/access/AskSecret.ts"
import { testModePath } from "../domain/testmode/testModePath.ts"
import {
  applicationId,
  type EnvironmentOption,
  environment as environmentOf,
  json,
  overlapHours,
  printResult,
  printSecret
} from "./options.ts"

const environment = environmentOf("the hosts that the secrets answer for are")

const secretId = Args.text({ name: "secret-id" }).pipe(
  Args.withSchema(AskSecretId.pipe(Schema.pattern(/^ask_/, { message: () => "must be the id of an ask secret" })))
)

interface PrintOptions extends EnvironmentOption {
  readonly json: boolean
}

const printIssued = ({ askSecret: { id }, secret }: IssuedAskSecret, { environment, json }: PrintOptions) => {
  const path = `${environment === "test" ? testModePath : ""}/v1/domains/allowed/${Redacted.value(secret)}`
  return printSecret(json, { id, secret: Redacted.value(secret), path }, { subject: "secret in the path", value: path })
}

const create = Command.make("create", { applicationId, environment, json }, ({ applicationId, ...options }) =>
  Effect.gen(function* () {
    yield* (yield* Applications).find(applicationId)
    yield* printIssued(yield* (yield* AskSecrets).issue(applicationId), options)
  })
).pipe(Command.withDescription("Create a secret by which a web server asks which hosts an application serves."))

const list = Command.make("list", { applicationId, environment, json }, ({ applicationId, json }) =>
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
    environment,
    json
  },
  ({ applicationId, overlap, secretId, ...options }) =>
    Effect.gen(function* () {
      const rotated = yield* (yield* AskSecrets).rotate(applicationId, secretId, Duration.hours(overlap))
      yield* printIssued(rotated, options)
    })
).pipe(Command.withDescription("Create a successor; the old secret expires after the overlap."))

const revoke = Command.make(
  "revoke",
  { secretId, applicationId, environment, json },
  ({ applicationId, json, secretId }) =>
    Effect.gen(function* () {
      yield* (yield* AskSecrets).revoke(applicationId, secretId)
      yield* printResult(json, { id: secretId, revoked: true }, `${secretId} is revoked`)
    })
).pipe(Command.withDescription("Revoke an ask secret at once and for good."))

/**
 * `ask-secrets`: creates, lists, rotates and revokes the secrets by which web servers ask for allowed hosts; those that
 * answer for test connections with `--environment test`.
 */
export const makeAskSecretsCommand = <E, R>(
  administrationOf: (option: EnvironmentOption) => Layer.Layer<Applications | AskSecrets, E, R>
) =>
  Command.make("ask-secrets").pipe(
    Command.withDescription("The secrets by which web servers ask which hosts an application serves."),
    Command.withSubcommands([
      Command.provide(create, administrationOf),
      Command.provide(list, administrationOf),
      Command.provide(rotate, administrationOf),
      Command.provide(revoke, administrationOf)
    ])
  )
