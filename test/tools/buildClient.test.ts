import { BunContext } from "@effect/platform-bun"
import { expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildClient } from "../../tools/buildClient.ts"
import { runCommand, tsc } from "../support/runCommand.ts"
import { withLayer } from "../support/effectTest.ts"
import { apiInMemory, issueKey, serviceUrl } from "../support/testApi.ts"

/** An empty project with only the packed client installed. */
interface PackedClient {
  readonly folder: string
  readonly installed: string
}

class ClientProject extends Context.Tag("test/ClientProject")<ClientProject, PackedClient>() {}

const project = Effect.acquireRelease(
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "client-package-"))
    const [built, installed] = [join(folder, "built"), join(folder, "node_modules", "@domain-connection", "client")]
    yield* buildClient(built)
    runCommand(built, process.execPath, "pm", "pack", "--destination", folder)
    const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
    mkdirSync(installed, { recursive: true })
    runCommand(folder, "tar", "-xzf", tarball, "-C", installed, "--strip-components=1")
    rmSync(built, { recursive: true })
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    return { folder, installed }
  }).pipe(Effect.provide(BunContext.layer), Effect.orDie),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** A platform's server: what must compile, and what must not. */
const consumer = `import {
  ApiError, answerOf, type Connection, ConnectionStopped, DomainConnectionClient, type ErrorCode, verifyWebhook
} from "@domain-connection/client"

const client = new DomainConnectionClient({ baseUrl: "https://connect.example", apiKey: "dck_live_1" })

export const connect = async (domain: string): Promise<Connection> => {
  const records = [{ host: "www", type: "CNAME", value: "shops.example.net" }] as const
  const created = await client.createConnection({ intent: { domain, records } }, { idempotencyKey: domain, waitSeconds: 20 })
  const { connection } = created
  await client.cancelConnection(connection.id, { ifMatch: answerOf(created)?.etag ?? "" })
  for await (const { id, state } of client.listConnections({ state: "active" })) console.log(id, state)
  try {
    return await client.waitUntil(connection.id, ["active"], { timeoutSeconds: 60, signal: AbortSignal.timeout(1) })
  } catch (error) {
    if (error instanceof ConnectionStopped) console.log(error.connection.failure?.code === "credential_invalid")
    if (error instanceof ApiError && error.code === "rate_limited") console.log(error.retryAfter, error.details[0]?.pointer)
    throw error
  }
}

export const receive = async (request: Request): Promise<string> => {
  const event = await verifyWebhook(await request.text(), request.headers, "whsec_")
  switch (event.type) {
    case "connection.active":
      return event.data.connection.intent.domain
    case "endpoint.paused":
      return event.data.endpoint.pauseReason
    default:
      return event.type
  }
}

// @ts-expect-error There is no such code.
export const code: ErrorCode = "the_intent_makes_no_sense"
// @ts-expect-error There is no such state.
void client.waitUntil("con_1", ["actice"])
// @ts-expect-error A domain is required.
void client.createConnection({ intent: { records: [] } })
// @ts-expect-error A read takes no idempotency key.
void client.getConnection("con_1", { idempotencyKey: "order-1" })
`

/** What the package does in a runtime, against the service. */
const program = `import { ApiError, DomainConnectionClient, verifyWebhook } from "@domain-connection/client"
const client = new DomainConnectionClient({ baseUrl: process.env.SERVICE_URL, apiKey: process.env.API_KEY })
const records = [{ host: "www", type: "CNAME", value: "shops.example.net" }]
const { connection } = await client.createConnection({ intent: { domain: "example.com", records } })
const waiting = client.waitUntil(connection.id, ["canceled"], { timeoutSeconds: 30 })
await client.cancelConnection(connection.id)
const { state } = await waiting
const listed = []
for await (const { id } of client.listConnections({ limit: 1 })) listed.push(id)
const error = await client.getConnection("con_missing").catch((error) => error)
const fault = await verifyWebhook("{}", { "webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1," }, "whsec_MTIz").catch(({ fault }) => fault)
console.log(JSON.stringify({ state, listed: listed.length, isApiError: error instanceof ApiError, code: error.code, fault }))
`

const runProgram = (command: string, folder: string, env: Record<string, string>) =>
  new Promise<string>((resolve) => {
    const child = spawn(command, ["program.mjs"], { cwd: folder, env: { ...process.env, ...env } })
    let output = ""
    child.stdout.on("data", (data) => (output += data))
    child.stderr.on("data", (data) => (output += data))
    child.on("close", () => resolve(output))
  })

withLayer("the packed client", Layer.merge(apiInMemory(), Layer.scoped(ClientProject, project)), (live) => {
  live("has types, and depends on nothing", () =>
    Effect.gen(function* () {
      const { installed } = yield* ClientProject
      const files = readdirSync(installed, { recursive: true }).map(String)
      expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "index.d.ts", "index.js", "package.json"]))
      expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([])
      expect(Object.keys(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")))).not.toContain(
        "dependencies"
      )
      expect(readFileSync(join(installed, "index.js"), "utf8")).not.toMatch(/^import /m)
    })
  )

  for (const resolution of [
    ["--module", "nodenext"],
    ["--module", "preserve", "--moduleResolution", "bundler"]
  ])
    live(`has types for servers with the strictest settings (${resolution.join(" ")})`, () =>
      Effect.gen(function* () {
        const { folder } = yield* ClientProject
        writeFileSync(join(folder, "server.ts"), consumer)
        const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
        runCommand(folder, tsc, "--noEmit", ...strict, "--lib", "esnext,dom", "--types", "", ...resolution, "server.ts")
      })
    )

  for (const [name, command] of [
    ["Node", "node"],
    ["Bun", process.execPath]
  ] as const)
    live(`calls the service from ${name}`, () =>
      Effect.gen(function* () {
        const { folder } = yield* ClientProject
        writeFileSync(join(folder, "program.mjs"), program)
        const { key } = yield* issueKey()
        const env = { SERVICE_URL: yield* serviceUrl, API_KEY: key }
        const output = yield* Effect.promise(() => runProgram(command, folder, env))
        expect(JSON.parse(output)).toEqual({
          state: "canceled",
          listed: expect.any(Number),
          isApiError: true,
          code: "not_found",
          fault: "timestamp_outside_tolerance"
        })
      })
    )
})
