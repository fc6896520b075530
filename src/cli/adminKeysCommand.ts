import { Args, Command } from "@effect/cli"
import { Effect, type Layer, Redacted } from "effect"
import { AdminKeyId } from "../domain/access/AdminKey.ts"
import type { StoredAdminKey } from "../persistence/stores/access/AdminKeyStore.ts"
import { AdminKeys } from "../security/AdminKeys.ts"
import {
  type EnvironmentOption,
  environment as environmentOf,
  json,
  keyName,
  printResult,
  printSecret
} from "./options.ts"

const environment = environmentOf("the applications that the keys administer are")

const keyId = Args.text({ name: "key-id" }).pipe(Args.withSchema(AdminKeyId))

const create = Command.make(
  "create",
  {
    name: keyName,
    environment,
    json
  },
  ({ environment, json, name }) =>
    Effect.flatMap(AdminKeys, (keys) => keys.issue({ name, environment })).pipe(
      Effect.flatMap(({ id, key }) =>
        printSecret(
          json,
          { id, key: Redacted.value(key) },
          { subject: "key, which administers every application,", value: Redacted.value(key) }
        )
      )
    )
).pipe(Command.withDescription("Create an admin key, which administers every application over HTTP."))

const list = Command.make("list", { environment, json }, ({ json }) =>
  Effect.flatMap(AdminKeys, (keys) => keys.list).pipe(
    Effect.flatMap((found) => printResult(json, found, found.map(formatKey).join("\n")))
  )
).pipe(Command.withDescription("List the admin keys, without their secrets."))

const formatKey = ({ id, lastUsedAt, name, prefix, revokedAt }: StoredAdminKey): string =>
  [
    id,
    `${prefix}…`,
    ...(name === null ? [] : [name]),
    revokedAt === null ? "valid" : `revoked ${revokedAt.toISOString()}`,
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
