import { Args, Command, Options } from "@effect/cli"
import { Effect, type Layer, Redacted, Schema } from "effect"
import { AdminKeyId, AdminScope, allAdminScopes } from "../domain/access/AdminKey.ts"
import type { StoredAdminKey } from "../persistence/stores/access/AdminKeyStore.ts"
import { AdminKeys } from "../security/AdminKeys.ts"
import {
  type EnvironmentOption,
  environment as environmentOf,
  expiresInDays,
  formatKeyStatus,
  json,
  keyName,
  printResult,
  printSecret,
  toExpiry,
  validate
} from "./options.ts"

const environment = environmentOf("the applications that the keys administer are")

const AdminScopes = Schema.compose(Schema.split(","), Schema.NonEmptyArray(AdminScope))

const keyId = Args.text({ name: "key-id" }).pipe(Args.withSchema(AdminKeyId))

const create = Command.make(
  "create",
  {
    name: keyName,
    scopes: Options.text("scopes").pipe(
      validate(AdminScopes, `--scopes takes some of ${allAdminScopes.join(",")}`),
      Options.withDefault(allAdminScopes),
      Options.withDescription(`Separated by commas: ${allAdminScopes.join(", ")}. The default is all.`)
    ),
    expiresInDays,
    environment,
    json
  },
  ({ environment, expiresInDays, json, name, scopes }) =>
    Effect.gen(function* () {
      const end = yield* toExpiry(expiresInDays)
      const { id, key } = yield* (yield* AdminKeys).issue({ name, environment, scopes, ...end })
      yield* printSecret(
        json,
        { id, key: Redacted.value(key) },
        { subject: "key, which administers every application,", value: Redacted.value(key) }
      )
    })
).pipe(Command.withDescription("Create an admin key, which administers every application over HTTP."))

const list = Command.make("list", { environment, json }, ({ json }) =>
  Effect.flatMap(AdminKeys, (keys) => keys.list).pipe(
    Effect.flatMap((found) => printResult(json, found, found.map(formatKey).join("\n")))
  )
).pipe(Command.withDescription("List the admin keys, without their secrets."))

const formatKey = ({ id, lastUsedAt, name, prefix, scopes, ...ends }: StoredAdminKey): string =>
  [
    id,
    `${prefix}…`,
    ...(name === null ? [] : [name]),
    ...(scopes.length === allAdminScopes.length ? [] : [scopes.join(",")]),
    formatKeyStatus(ends),
    lastUsedAt === null ? "never used" : `last used ${lastUsedAt.toISOString()}`
  ].join("  ")

const revoke = Command.make("revoke", { keyId, environment, json }, ({ json, keyId }) =>
  Effect.flatMap(AdminKeys, (keys) => keys.revoke(keyId)).pipe(
    Effect.zipRight(printResult(json, { id: keyId, revoked: true }, `${keyId} is revoked`))
  )
).pipe(Command.withDescription("Revoke an admin key at once and for good."))

/** `admin-keys`: creates, lists and revokes the keys of administrators, those of test mode with `--environment test`. */
export const makeAdminKeysCommand = <E, R>(keysOf: (option: EnvironmentOption) => Layer.Layer<AdminKeys, E, R>) =>
  Command.make("admin-keys").pipe(
    Command.withDescription("The keys with which applications are administered over HTTP."),
    Command.withSubcommands([
      Command.provide(create, keysOf),
      Command.provide(list, keysOf),
      Command.provide(revoke, keysOf)
    ])
  )
