import { Args, Command, Options } from "@effect/cli"
import { Duration, Effect, type Layer, Option, Redacted, Schema } from "effect"
import { allKeyScopes, ApiKeyId, KeyScope, tenancyIdRule, TenantId, tenantKeyScopes } from "../domain/access/Tenancy.ts"
import type { StoredApiKey } from "../persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys, type IssuedApiKey } from "../security/ApiKeys.ts"
import {
  applicationId,
  type EnvironmentOption,
  expiresInDays,
  formatKeyStatus,
  json,
  keyName,
  overlapHours,
  printResult,
  printSecret,
  toExpiry,
  validate
} from "./options.ts"

const environment = Options.text("environment").pipe(
  validate(Schema.String.pipe(Schema.pattern(/^[a-z]{1,10}$/)), "--environment takes 1 to 10 lower-case letters"),
  Options.withDefault("live"),
  Options.withDescription(
    "A word of up to ten letters that the key contains. The keys of test belong to test mode; those of all others are live."
  )
)

const Scopes = Schema.compose(Schema.split(","), Schema.NonEmptyArray(KeyScope))

const keyId = Args.text({ name: "key-id" }).pipe(Args.withSchema(ApiKeyId))

const printIssued = ({ id, key }: IssuedApiKey, asJson: boolean) =>
  printSecret(asJson, { id, key: Redacted.value(key) }, { subject: "key", value: Redacted.value(key) })

const create = Command.make(
  "create",
  {
    applicationId,
    tenantId: Options.text("tenant").pipe(validate(TenantId, `--tenant takes ${tenancyIdRule}`)),
    scopes: Options.text("scopes").pipe(
      validate(Scopes, `--scopes takes some of ${allKeyScopes.join(",")}`),
      Options.withDefault(tenantKeyScopes),
      Options.withDescription(
        `Separated by commas: ${allKeyScopes.join(", ")}. The default is all but those of webhooks and the audit log, which tell of all tenants.`
      )
    ),
    name: keyName,
    expiresInDays,
    environment,
    json
  },
  ({ applicationId, environment, expiresInDays, json, name, scopes, tenantId }) =>
    Effect.gen(function* () {
      const end = yield* toExpiry(expiresInDays)
      const tenancy = { applicationId, tenantId }
      const issued = yield* (yield* ApiKeys).issue({ tenancy, scopes, environment, ...toName(name), ...end })
      yield* printIssued(issued, json)
    })
).pipe(Command.withDescription("Create an API key for an application and tenant."))

const toName = Option.match({ onNone: () => ({}), onSome: (name: string) => ({ name }) })

const list = Command.make("list", { environment, json }, ({ json }) =>
  Effect.flatMap(ApiKeys, (keys) => keys.list).pipe(
    Effect.flatMap((found) => printResult(json, found, found.map(formatKey).join("\n")))
  )
).pipe(Command.withDescription("List the keys, without their secrets."))

const formatKey = (key: StoredApiKey): string =>
  [
    key.id,
    `${key.prefix}…`,
    ...(key.name === null ? [] : [key.name]),
    `${key.applicationId}/${key.tenantId}`,
    key.scopes.join(","),
    formatKeyStatus(key),
    key.lastUsedAt === null ? "never used" : `last used ${key.lastUsedAt.toISOString()}`
  ].join("  ")

const rotate = Command.make(
  "rotate",
  {
    keyId,
    overlap: overlapHours("key"),
    environment,
    json
  },
  ({ environment, json, keyId, overlap }) =>
    Effect.flatMap(ApiKeys, (keys) => keys.rotate(keyId, Duration.hours(overlap), environment)).pipe(
      Effect.flatMap((issued) => printIssued(issued, json))
    )
).pipe(
  Command.withDescription("Create a successor with the same name and scopes; the old key expires after the overlap.")
)

const revoke = Command.make("revoke", { keyId, environment, json }, ({ json, keyId }) =>
  Effect.flatMap(ApiKeys, (keys) => keys.revoke(keyId)).pipe(
    Effect.zipRight(printResult(json, { id: keyId, revoked: true }, `${keyId} is revoked`))
  )
).pipe(Command.withDescription("Revoke a key at once and for good."))

/** `keys`: creates, lists, rotates and revokes API keys, those of test mode with `--environment test`. */
export const makeKeysCommand = <E, R>(keysOf: (option: EnvironmentOption) => Layer.Layer<ApiKeys, E, R>) => {
  const findKeys = ({ environment }: { readonly environment: string }) =>
    keysOf({ environment: environment === "test" ? "test" : "live" })
  return Command.make("keys").pipe(
    Command.withDescription("The API keys of applications and tenants."),
    Command.withSubcommands([
      Command.provide(create, findKeys),
      Command.provide(list, findKeys),
      Command.provide(rotate, findKeys),
      Command.provide(revoke, findKeys)
    ])
  )
}
