import { describe, expect, test } from "bun:test"
import { ConfigProvider, Duration, Effect, Option, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { drainTimeout } from "../../src/http/pipeline/Drain.ts"
import { ServiceConfig, settings } from "../../src/settings/Config.ts"
import { stopTimeout } from "../../src/webhooks/DeliveryLoop.ts"

const root = join(import.meta.dir, "../..")

const Labels = Schema.Record({ key: Schema.String, value: Schema.String })

const Probe = Schema.Struct({
  httpGet: Schema.Struct({ path: Schema.String, port: Schema.String }),
  periodSeconds: Schema.Int,
  failureThreshold: Schema.Int
})

const PodContainer = Schema.Struct({
  image: Schema.String,
  args: Schema.optional(Schema.Array(Schema.String)),
  ports: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String, containerPort: Schema.Int })), {
    default: () => []
  }),
  envFrom: Schema.Array(Schema.Struct({ configMapRef: Schema.Struct({ name: Schema.String }) })),
  env: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      valueFrom: Schema.Struct({ secretKeyRef: Schema.Struct({ name: Schema.String, key: Schema.String }) })
    })
  ),
  startupProbe: Schema.optional(Probe),
  livenessProbe: Schema.optional(Probe),
  readinessProbe: Schema.optional(Probe),
  resources: Schema.Struct({
    requests: Schema.Struct({ cpu: Schema.String, memory: Schema.String }),
    limits: Schema.Struct({ memory: Schema.String })
  }),
  securityContext: Schema.Unknown
})

const PodTemplate = Schema.Struct({
  metadata: Schema.Struct({ labels: Labels }),
  spec: Schema.Struct({
    automountServiceAccountToken: Schema.Boolean,
    terminationGracePeriodSeconds: Schema.optional(Schema.Int),
    restartPolicy: Schema.optional(Schema.String),
    securityContext: Schema.Unknown,
    containers: Schema.Tuple(PodContainer)
  })
})

const readManifest = <A, I>(name: string, schema: Schema.Schema<A, I>): A =>
  Schema.decodeUnknownSync(schema)(Bun.YAML.parse(readFileSync(join(root, "ops/kubernetes", name), "utf8")))

const kustomization = readManifest(
  "kustomization.yaml",
  Schema.Struct({
    resources: Schema.Array(Schema.String),
    images: Schema.Tuple(Schema.Struct({ name: Schema.String, newName: Schema.String, digest: Schema.String })),
    configMapGenerator: Schema.Tuple(Schema.Struct({ name: Schema.String, literals: Schema.Array(Schema.String) }))
  })
)

const deployment = readManifest(
  "deployment.yaml",
  Schema.Struct({
    spec: Schema.Struct({
      replicas: Schema.Int,
      selector: Schema.Struct({ matchLabels: Labels }),
      template: PodTemplate
    })
  })
).spec

const job = readManifest("migration-job.yaml", Schema.Struct({ spec: Schema.Struct({ template: PodTemplate }) })).spec

const [service] = deployment.template.spec.containers
const [migration] = job.template.spec.containers
const [{ literals, name: configMap }] = kustomization.configMapGenerator
const plainSettings = literals.map((literal) => {
  const [name = "", ...value] = literal.split("=")
  return [name, value.join("=")] as const
})

const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgresql://service:password@postgres.example/service?sslmode=verify-full",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64")
}

const config = Effect.runSync(
  Effect.withConfigProvider(
    ServiceConfig,
    ConfigProvider.fromMap(
      new Map([...plainSettings, ...service.env.map(({ name }) => [name, secrets[name] ?? ""] as const)])
    )
  )
)

test("the kustomization has every manifest", () =>
  expect(kustomization.resources.toSorted()).toEqual(
    readdirSync(join(root, "ops/kubernetes"))
      .filter((name) => name !== "kustomization.yaml")
      .toSorted()
  ))

test("the settings are those of several processes behind a proxy, and secrets come by reference", () => {
  const known = settings.map(({ name }) => name)
  const named = [...plainSettings.map(([name]) => name), ...service.env.map(({ name }) => name)]
  expect(named.filter((name) => !known.includes(name))).toEqual([])
  expect(plainSettings.filter(([name]) => settings.some((setting) => setting.name === name && setting.secret))).toEqual(
    []
  )
  expect(deployment.replicas).toBeGreaterThan(1)
  expect(config.isClustered).toBe(true)
  expect([config.databaseUrl, config.masterKeys].every((secret) => Option.isSome<unknown>(secret))).toBe(true)
  expect(config.trustedProxies.length).toBe(1)
})

test("the command for the secret has each of its keys", () => {
  const guide = readFileSync(join(root, "ops/README.md"), "utf8")
  expect(service.env.map(({ valueFrom: { secretKeyRef } }) => secretKeyRef)).toEqual(
    service.env.map(({ name }) => ({ name: "domain-connection-service", key: name }))
  )
  expect(guide).toContain("kubectl create secret generic domain-connection-service")
  expect(service.env.filter(({ name }) => !guide.includes(`--from-literal=${name}=`))).toEqual([])
})

test("the ports are those of the image and of METRICS_PORT, and the Service has the first alone", () => {
  const [, port = ""] = /^ENV .*\bPORT=(\d+)/m.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? []
  expect(service.ports).toEqual([
    { name: "http", containerPort: Number(port) },
    { name: "metrics", containerPort: config.metricsPort }
  ])
  const { spec } = readManifest(
    "service.yaml",
    Schema.Struct({
      spec: Schema.Struct({ selector: Labels, ports: Schema.Array(Schema.Struct({ targetPort: Schema.String })) })
    })
  )
  expect(spec).toEqual({ selector: deployment.selector.matchLabels, ports: [{ targetPort: "http" }] })
})

test("the disruption budget is about the processes, and nothing of them selects the migration", () => {
  const budget = readManifest(
    "disruption-budget.yaml",
    Schema.Struct({
      spec: Schema.Struct({ maxUnavailable: Schema.Int, selector: Schema.Struct({ matchLabels: Labels }) })
    })
  )
  const { matchLabels } = deployment.selector
  expect(budget.spec.selector.matchLabels).toEqual(matchLabels)
  expect(budget.spec.maxUnavailable).toBeLessThan(deployment.replicas)
  expect(deployment.template.metadata.labels).toEqual(matchLabels)
  expect(job.template.metadata.labels).not.toEqual(matchLabels)
})

test("a process that starts or lives answers /healthz, and one that gets requests /readyz", () =>
  expect([service.startupProbe, service.livenessProbe, service.readinessProbe].map((probe) => probe?.httpGet)).toEqual([
    { path: "/healthz", port: "http" },
    { path: "/healthz", port: "http" },
    { path: "/readyz", port: "http" }
  ]))

test("a process that stops gets the time for its delay, its requests and its webhooks", () => {
  const { periodSeconds = Infinity, failureThreshold = 1 } = service.readinessProbe ?? {}
  expect(Duration.toSeconds(config.drainDelay)).toBeGreaterThan(periodSeconds * failureThreshold)
  const needed = [config.drainDelay, drainTimeout, stopTimeout].map(Duration.toSeconds)
  expect(deployment.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    needed.reduce((sum, seconds) => sum + seconds, 0)
  )
})

describe.each([
  ["a process", deployment.template.spec, service],
  ["the migration", job.template.spec, migration]
] as const)("%s", (_, pod, container) => {
  test("runs without privileges on a root that it cannot write", () => {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      // The user `bun` of the base image.
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" }
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] }
    })
  })

  test("has the image whose digest the kustomization names, and the same settings", () => {
    const [{ digest, name }] = kustomization.images
    expect(container.image).toBe(name)
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(container.envFrom).toEqual([{ configMapRef: { name: configMap } }])
    expect(container.env).toEqual(service.env)
  })
})

test("the migration is the command of the service, once", () => {
  expect(migration.args).toEqual(["bun", "run", "src/cli.ts", "migrate"])
  expect(job.template.spec.restartPolicy).toBe("Never")
})
