import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, readFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { freePort } from "../support/freePort.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The instructions of the Dockerfile, continued lines joined. */
const instructions = readFileSync(join(root, "Dockerfile"), "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .flatMap((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return name === "" ? [] : [{ name, rest }]
  })

const all = (name: string) => instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest)

/** The paths that the build copies from the checkout, in order. */
const copied = all("COPY")
  .filter((rest) => !rest.startsWith("--from"))
  .flatMap((rest) => rest.split(" ").slice(0, -1))

const environment = {
  ...Object.fromEntries(all("ENV").flatMap((rest) => rest.split(" ").map((pair) => pair.split("=")))),
  HOME: process.env["HOME"],
  PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter)
}

const jsonOf = (text: string): Array<string> => JSON.parse(text.slice(text.indexOf("[")))

/** Reads the output of the service until its startup banner is complete. */
const readBanner = async (output: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes("curl -s")) break
  }
  return text
}

live(
  "the instructions of the Dockerfile build a service that needs a DATABASE_URL, starts, and passes its health check",
  () =>
    Effect.gen(function* () {
      const image = temporaryDirectory()
      copied.forEach((path) => cpSync(join(root, path), join(image, path), { recursive: true }))
      for (const command of all("RUN")) {
        const built = spawnSync("sh", ["-c", command], { cwd: image, env: environment, encoding: "utf8" })
        if (/DNSResolveFailed|ConnectionRefused/.test(built.stderr) && process.env["CI"] !== "true") {
          return console.warn("skipped: the packages are not in the cache of bun, and there is no network here")
        }
        expect([built.status, built.stderr]).toEqual([0, expect.any(String)])
      }
      const [program = "", ...words] = jsonOf(all("CMD")[0] ?? "")

      const withoutDatabase = spawnSync(program, words, {
        cwd: image,
        env: { ...environment, PUBLIC_URL: "https://connect.example", DATA_DIR: image },
        encoding: "utf8"
      })
      expect([withoutDatabase.status, withoutDatabase.stderr]).toEqual([1, expect.stringContaining("set DATABASE_URL")])

      const port = freePort()
      const settings = {
        ...environment,
        PUBLIC_URL: "https://connect.example",
        PORT: String(port),
        DATA_DIR: temporaryDirectory(),
        DATABASE_URL: Redacted.value(urlOf(yield* freshDatabase))
      }
      const service = Bun.spawn([program, ...words], { cwd: image, env: settings, stdout: "ignore", stderr: "pipe" })
      yield* Effect.addFinalizer(() => Effect.sync(() => service.kill("SIGKILL")))
      const banner = yield* Effect.promise(() => readBanner(service.stderr))
      expect(banner).toContain(`listens on http://0.0.0.0:${port}`)
      expect(banner).toContain("\nbun run src/cli.ts keys create ")
      expect(existsSync(join(settings.DATA_DIR, "master.key"))).toBe(true)

      const [probe = "", ...probeWords] = jsonOf(all("HEALTHCHECK")[0] ?? "")
      const healthy = () => spawnSync(probe, probeWords, { cwd: image, env: settings }).status
      expect(healthy()).toBe(0)
      for (const path of ["/docs/api/connections", "/docs/guides/webhooks", "/docs/documentation.js", "/openapi.json"])
        expect([
          path,
          (yield* Effect.promise(() =>
            fetch(`http://127.0.0.1:${port}${path}`, { headers: { host: "connect.example" } })
          )).status
        ]).toEqual([path, 200])
      service.kill("SIGTERM")
      expect(yield* Effect.promise(() => service.exited)).toBe(0)
      expect(healthy()).toBe(1)
    })
)
