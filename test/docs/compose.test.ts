import { expect, test } from "bun:test"
import { ConfigProvider, Effect, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { ServiceConfig } from "../../src/settings/Config.ts"

const Compose = Schema.Struct({
  services: Schema.Struct({
    service: Schema.Struct({
      deploy: Schema.Struct({ replicas: Schema.Int }),
      environment: Schema.Record({ key: Schema.String, value: Schema.String })
    })
  })
})

const { deploy, environment } = Schema.decodeUnknownSync(Compose)(
  Bun.YAML.parse(readFileSync(new URL("../../docs/compose.yaml", import.meta.url), "utf8"))
).services.service

/** Made as the head of the file says. */
const secrets: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: randomBytes(16).toString("hex"),
  MASTER_KEY: randomBytes(32).toString("base64")
}

test("the compose file starts processes that the service takes for several machines on one database", async () => {
  const settings = Object.entries(environment).map(
    ([name, value]) => [name, value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, secret) => secrets[secret] ?? "")] as const
  )
  const config = await Effect.runPromise(
    Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(new Map(settings)))
  )
  expect(deploy.replicas).toBeGreaterThan(1)
  expect([config.isClustered, Option.isSome(config.databaseUrl), Option.isSome(config.masterKeys)]).toEqual([
    true,
    true,
    true
  ])
})
