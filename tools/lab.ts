import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { freePort } from "../test/support/freePort.ts"
import { temporaryRoot } from "../test/support/temporaryRoot.ts"
import { forwardConnections } from "./forwardConnections.ts"

// The name servers need a network namespace, the browser is outside: its connections come in by sockets of this directory.
const directory = mkdtempSync(`${temporaryRoot()}/lab-`)
process.on("exit", () => rmSync(directory, { recursive: true, force: true }))

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const ports = { service: freePort(), editor: freePort() }
const lab = Bun.spawn(
  [
    "sh",
    pathOf("../test/support/lab/network-namespace.sh"),
    process.execPath,
    "run",
    pathOf("startLab.ts"),
    ...process.argv.slice(2)
  ],
  {
    env: {
      ...process.env,
      LAB_DIRECTORY: directory,
      LAB_SERVICE_PORT: `${ports.service}`,
      LAB_EDITOR_PORT: `${ports.editor}`
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit"
  }
)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => lab.kill("SIGTERM"))

const decoder = new TextDecoder()
let isForwarding = false
for await (const chunk of lab.stdout) {
  const sockets = Object.values(ports).map((port) => ({ port, path: `${directory}/${port}` }))
  // Without a network namespace the ports are open already.
  if (!isForwarding && sockets.every(({ path }) => existsSync(path))) {
    isForwarding = true
    for (const { path, port } of sockets)
      await forwardConnections({ host: "127.0.0.1", port }, { path }).catch(() => undefined)
  }
  process.stdout.write(decoder.decode(chunk, { stream: true }))
}
process.exit(await lab.exited)
