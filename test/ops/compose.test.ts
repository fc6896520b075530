import { describe, expect, test } from "bun:test"
import { ConfigProvider, Duration, Effect, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isInNetworks } from "../../src/domain/names/IpAddress.ts"
import { drainTimeout } from "../../src/http/pipeline/Drain.ts"
import { ServiceConfig, settings } from "../../src/settings/Config.ts"
import { stopTimeout } from "../../src/webhooks/DeliveryLoop.ts"
import { fencedBlocks } from "../docs/pages.ts"
import { testIfPossible } from "../support/describeIfPossible.ts"

const root = join(import.meta.dir, "../..")

const read = (path: string) => readFileSync(join(root, path), "utf8")

const hardened = {
  read_only: Schema.Literal(true),
  cap_drop: Schema.Tuple(Schema.Literal("ALL")),
  security_opt: Schema.Tuple(Schema.Literal("no-new-privileges:true")),
  depends_on: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.Struct({ condition: Schema.String }) }),
    { default: () => ({}) }
  )
}

const HealthCheck = Schema.Struct({ test: Schema.NonEmptyArray(Schema.String) })

/** Decoding fails where a service may write its root, keeps a capability, or can get a privilege. */
const Compose = Schema.Struct({
  services: Schema.Struct({
    postgres: Schema.Struct({ ...hardened, image: Schema.String, user: Schema.String, healthcheck: HealthCheck }),
    service: Schema.Struct({
      ...hardened,
      build: Schema.Struct({ args: Schema.Array(Schema.String) }),
      deploy: Schema.Struct({ replicas: Schema.Int }),
      environment: Schema.Record({ key: Schema.String, value: Schema.String }),
      stop_grace_period: Schema.TemplateLiteralParser(Schema.NumberFromString, "s"),
      ports: Schema.optional(Schema.Never)
    }),
    caddy: Schema.Struct({
      ...hardened,
      image: Schema.String,
      cap_add: Schema.Array(Schema.String),
      networks: Schema.Struct({ proxy: Schema.Struct({ ipv4_address: Schema.String }) }),
      healthcheck: HealthCheck
    })
  }),
  networks: Schema.Struct({ database: Schema.Struct({ internal: Schema.Boolean }) })
})

const { networks, services } = Schema.decodeUnknownSync(Compose)(Bun.YAML.parse(read("ops/compose.yaml")))
const { caddy, postgres, service } = services

/** Made as the head of the file says. */
const variables: Readonly<Record<string, string>> = {
  DOMAIN: "connect.example",
  POSTGRES_PASSWORD: randomBytes(16).toString("hex"),
  MASTER_KEY: randomBytes(32).toString("base64")
}

const config = Effect.runSync(
  Effect.withConfigProvider(
    ServiceConfig,
    ConfigProvider.fromMap(
      new Map(
        Object.entries(service.environment).map(([name, value]) => [
          name,
          value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable) => variables[variable] ?? "")
        ])
      )
    )
  )
)

test("the compose file starts processes that the service takes for several machines on one database", () => {
  const known = settings.map(({ name }) => name)
  expect(Object.keys(service.environment).filter((name) => !known.includes(name))).toEqual([])
  expect(service.deploy.replicas).toBeGreaterThan(1)
  expect([config.isClustered, Option.isSome(config.databaseUrl), Option.isSome(config.masterKeys)]).toEqual([
    true,
    true,
    true
  ])
})

test("a process that stops gets the time for its requests and its webhooks", () => {
  const [seconds] = service.stop_grace_period
  const needed = [config.drainDelay, drainTimeout, stopTimeout].map(Duration.toSeconds)
  expect(seconds).toBeGreaterThan(needed.reduce((sum, each) => sum + each, 0))
})

test("each starts once what it needs is healthy", () => {
  expect(service.depends_on).toEqual({ postgres: { condition: "service_healthy" } })
  expect(caddy.depends_on).toEqual({ service: { condition: "service_healthy" } })
  expect(read("Dockerfile")).toContain("\nHEALTHCHECK ")
})

test("PostgreSQL is no root and has no way out, and Caddy may do no more than open low ports", () => {
  expect(postgres.user).toBe("postgres")
  expect(networks.database.internal).toBe(true)
  expect(caddy.cap_add).toEqual(["NET_BIND_SERVICE"])
})

test("customers reach the processes by the domain and the address of Caddy alone", () => {
  expect(config.publicUrl).toEqual(Option.some("https://connect.example"))
  expect(config.trustedProxies.map(({ prefix }) => prefix)).toEqual([32])
  expect(isInNetworks(caddy.networks.proxy.ipv4_address, config.trustedProxies)).toBe(true)
})

test("Caddy has the settings of the page about proxies", () => {
  const [documented] = fencedBlocks(read("docs/behind-a-proxy.md")).filter(({ language }) => language === "caddyfile")
  const settingsOfCompose = read("ops/Caddyfile")
  expect(settingsOfCompose).toContain("\n{$DOMAIN} {\n")
  expect(
    settingsOfCompose
      .replace("{$DOMAIN} {", "connect.example {")
      .replace("{$OPERATORS}", "192.0.2.0/24")
      .replace("service:8080", "127.0.0.1:8080")
  ).toBe(documented?.code ?? "")
})

describe("an image can be pinned by its digest", () => {
  test("that of the service is built from BUN_IMAGE", () => {
    expect(service.build.args).toEqual(["BUN_IMAGE"])
    const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    expect(bases).toEqual(["${BUN_IMAGE}", "${BUN_IMAGE}"])
  })

  test.each([
    ["POSTGRES_IMAGE", postgres.image],
    ["CADDY_IMAGE", caddy.image]
  ])("%s names another one", (variable, image) => expect(image).toStartWith(`\${${variable}:-`))
})

testIfPossible(
  "Caddy understands its settings",
  Bun.which("caddy") === null ? "there is no caddy on this machine (apt-get install caddy)" : undefined,
  () => {
    const { exitCode, stderr, stdout } = Bun.spawnSync(
      ["caddy", "adapt", "--adapter", "caddyfile", "--config", join(root, "ops/Caddyfile")],
      { env: { ...process.env, DOMAIN: "connect.example", OPERATORS: "192.0.2.0/24" } }
    )
    expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""])
    expect(stdout.toString()).toContain('"host":["connect.example"]')
  }
)
