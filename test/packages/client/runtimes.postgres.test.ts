import { BunContext } from "@effect/platform-bun"
import { expect } from "bun:test"
import { Effect } from "effect"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { allKeyScopes } from "../../../src/domain/access/Tenancy.ts"
import { buildClient } from "../../../tools/buildClient.ts"
import { environmentOf, runCli } from "../../cli/commandLine.ts"
import { freshDatabase } from "../../persistence/freshDatabase.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { startCompiledService } from "../../support/serviceProcess.ts"

const packages = fileURLToPath(new URL("../../runtimes/node_modules", import.meta.url))

const deno = join(packages, "@deno", `${process.platform}-${process.arch}-glibc`, "deno")

const refusal =
  existsSync(deno) && existsSync(join(packages, "miniflare"))
    ? undefined
    : "Deno or miniflare is not installed; cd test/runtimes && bun install --frozen-lockfile"

/**
 * A first day with the client: a domain becomes active in test mode, a webhook of that is verified, and a read whose answer
 * breaks off is repeated.
 */
const story = `import { DomainConnectionClient, verifyWebhook } from "./client.js"

export const run = async ({ serviceUrl, apiKey, receiverUrl, cuttingUrl, domain }) => {
  const client = new DomainConnectionClient({ baseUrl: serviceUrl, apiKey })
  const { secret } = await client.createWebhookEndpoint({ url: receiverUrl, eventTypes: ["connection.active"] })
  const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
  const intent = { domain, records }
  const { connection: { id } } = await client.createConnection({ intent }, { waitSeconds: 20 })
  await client.waitUntil(id, ["awaiting_authorization"])
  await client.authorizeConnection(id, { method: "direct_credential", credential: { kind: "api_token", apiToken: "token" } })
  const { plan } = await client.waitUntil(id, ["planned"])
  const acknowledge = plan.warningDetails.flatMap((each) => (each.requiresAcknowledgement ? [each.code] : []))
  await client.approvePlan(id, { digest: plan.digest, acknowledge })
  const { state } = await client.waitUntil(id, ["active"])
  const { body, headers } = await (await fetch(receiverUrl)).json()
  const event = await verifyWebhook(body, headers, secret)
  const isForged = await verifyWebhook(body + " ", headers, secret).then(() => false, () => true)
  const { isRepeated } = await new DomainConnectionClient({ baseUrl: cuttingUrl, apiKey }).getUsage()
  return { state, event: event.type, isOfConnection: event.data.connection.id === id, isForged, isRepeated }
}
`

const script = `import { run } from "./story.js"
console.log(JSON.stringify(await run(JSON.parse(process.env.SETTINGS))))
`

const worker = `import { run } from "./story.js"
export default { fetch: async (request) => Response.json(await run(await request.json())) }
`

/** Runs the worker in workerd, by a process of Node, since miniflare is made for that. */
const workerScript = `import { Miniflare } from ${JSON.stringify(join(packages, "miniflare", "dist", "src", "index.js"))}
const worker = new Miniflare({
  compatibilityDate: "2026-01-01",
  modulesRoot: process.cwd(),
  modules: ["worker.js", "story.js", "client.js"].map((path) => ({ type: "ESModule", path }))
})
const response = await worker.dispatchFetch("http://worker/", { method: "POST", body: process.env.SETTINGS })
console.log(await response.text())
await worker.dispose()
`

/** A folder with the built client and the story. */
const project = Effect.acquireRelease(
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "client-runtimes-"))
    yield* buildClient(join(folder, "package"))
    yield* Effect.promise(() => Bun.write(join(folder, "client.js"), Bun.file(join(folder, "package", "index.js"))))
    const files = { "story.js": story, "script.js": script, "worker.js": worker, "inWorker.js": workerScript }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    return folder
  }).pipe(Effect.provide(BunContext.layer), Effect.orDie),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Keeps the webhook that it gets, for whoever asks for it. */
const receiver = Effect.acquireRelease(
  Effect.sync(() => {
    const received = Promise.withResolvers<object>()
    return Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        if (request.method === "GET") return Response.json(await received.promise)
        received.resolve({ body: await request.text(), headers: Object.fromEntries(request.headers) })
        return new Response()
      }
    })
  }),
  (server) => Effect.promise(() => server.stop(true))
)

/** Cuts its first answer off in the body. */
const cuttingServer = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      let isRepeated = false
      const server = createServer((_, response) => {
        const body = JSON.stringify({ isRepeated })
        response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
        if (isRepeated) return response.end(body)
        isRepeated = true
        return response.write(body.slice(0, 8), () => response.socket?.destroy())
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
)

const runtimes: ReadonlyArray<readonly [name: string, command: ReadonlyArray<string>]> = [
  ["Node", ["node", "script.js"]],
  ["Bun", [process.execPath, "script.js"]],
  ["Deno", [deno, "run", "--allow-net", "--allow-env=SETTINGS", "script.js"]],
  ["a worker (workerd)", ["node", "inWorker.js"]]
]

describeIfPossible("the client", refusal, () =>
  concurrentTest(
    "connects a domain of test mode, verifies its webhook and repeats a cut answer in Node, Bun, Deno and a worker",
    () =>
      Effect.gen(function* () {
        const cwd = yield* project
        const environment = environmentOf(yield* freshDatabase)
        const service = yield* startCompiledService({ ...environment, DATA_DIR: cwd, OUTBOUND_ALLOW: "127.0.0.0/8" })
        const scopes = `--scopes=${allKeyScopes.join()}`
        const { out } = yield* runCli(
          environment,
          "keys",
          "create",
          "--application=shop",
          "--tenant=bakery",
          "--environment=test",
          scopes
        )
        const apiKey = /dck_test_\w+/.exec(out)?.[0]
        for (const [index, [name, command]] of runtimes.entries()) {
          const { url: receiverUrl } = yield* receiver
          const cuttingUrl = yield* cuttingServer
          const settings = JSON.stringify({
            serviceUrl: service.url,
            apiKey,
            receiverUrl,
            cuttingUrl,
            domain: `shop-${index}-one-click.test`
          })
          const env = { PATH: process.env["PATH"] ?? "", SETTINGS: settings, DENO_DIR: cwd, HOME: cwd }
          const child = Bun.spawn([...command], { cwd, env, stderr: "pipe" })
          const [output, errors] = yield* Effect.promise(() =>
            Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
          )
          expect([name, output.trim(), errors]).toEqual([
            name,
            '{"state":"active","event":"connection.active","isOfConnection":true,"isForged":true,"isRepeated":true}',
            ""
          ])
        }
      })
  )
)
