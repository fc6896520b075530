import { Effect, Schedule, type Scope } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { fencedBlocks, root } from "../docs/pages.ts"
import { freePort } from "./freePort.ts"
import { temporaryDirectory } from "./TestPostgres.ts"

/** Where a proxy listens, on all addresses of the machine, and the address of the service behind it. */
interface ProxyOptions {
  readonly service: string
  /** Whether clients speak TLS with it; its certificate is for `connect.example`, of nobody. */
  readonly hasTls: boolean
}

/** Starts Caddy by the settings of `docs/behind-a-proxy.md`, and returns its port. It ends with the scope. */
export const startDocumentedCaddy = ({ hasTls, service }: ProxyOptions): Effect.Effect<number, never, Scope.Scope> => {
  const port = freePort()
  const directory = temporaryDirectory()
  const options = [
    "admin off",
    "skip_install_trust",
    "local_certs",
    `http_port ${hasTls ? freePort() : port}`,
    `https_port ${hasTls ? port : freePort()}`
  ]
  const settings = replaceEach(documentedSettings("caddyfile"), [
    ["{", `{\n${options.join("\n")}`],
    ["connect.example", `${hasTls ? "https" : "http"}://${hasTls ? "connect.example" : ""}:${port}`],
    [documentedService, service]
  ])
  return startProxy(port, directory, settings, (path) => ["caddy", "run", "--adapter", "caddyfile", "--config", path])
}

/** Starts HAProxy by the settings of `docs/behind-a-proxy.md`, and returns its port. It ends with the scope. */
export const startDocumentedHaproxy = ({
  hasTls,
  service
}: ProxyOptions): Effect.Effect<number, never, Scope.Scope> => {
  const port = freePort()
  const directory = temporaryDirectory()
  const certificate = `${directory}/connect.pem`
  const tls = "ssl crt /etc/haproxy/connect.pem alpn h2,http/1.1"
  if (hasTls) makeCertificate(certificate)
  const settings = replaceEach(documentedSettings("haproxy"), [
    [":443", `:${port}`],
    [tls, hasTls ? tls.replace("/etc/haproxy/connect.pem", certificate) : ""],
    [documentedService, service]
  ])
  return startProxy(port, directory, settings, (path) => ["haproxy", "-db", "-f", path])
}

const documentedService = "127.0.0.1:8080"

/** The settings in this language on the page about proxies. */
const documentedSettings = (language: string): string => {
  const blocks = fencedBlocks(readFileSync(`${root}/docs/behind-a-proxy.md`, "utf8")).filter(
    (block) => block.language === language
  )
  if (blocks[0] === undefined || blocks.length > 1)
    throw new Error(`docs/behind-a-proxy.md has ${blocks.length} blocks of ${language}`)
  return blocks[0].code
}

/** Replaces the first occurrence of each text, which has to be there. */
const replaceEach = (text: string, replacements: ReadonlyArray<readonly [from: string, to: string]>): string =>
  replacements.reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`the documented settings have no ${from}`)
    return replaced.replace(from, () => to)
  }, text)

const makeCertificate = (path: string): void => {
  const subject = ["-subj", "/CN=connect.example", "-days", "2", "-nodes"]
  const files = ["-keyout", `${path}.key`, "-out", path]
  const { exitCode, stderr } = Bun.spawnSync(["openssl", "req", "-x509", "-newkey", "rsa:2048", ...subject, ...files])
  if (exitCode !== 0) throw new Error(stderr.toString())
  writeFileSync(path, readFileSync(path, "utf8") + readFileSync(`${path}.key`, "utf8"))
}

const startProxy = (
  port: number,
  directory: string,
  settings: string,
  commandFor: (path: string) => ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const path = `${directory}/settings`
    writeFileSync(path, `${settings}\n`)
    const log = Bun.file(`${directory}/log`)
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn([...commandFor(path)], {
          env: {
            PATH: process.env["PATH"] ?? "",
            HOME: directory,
            XDG_DATA_HOME: directory,
            XDG_CONFIG_HOME: directory
          },
          stdio: ["ignore", log, log]
        })
      ),
      (running) =>
        Effect.promise(() => {
          running.kill("SIGKILL")
          return running.exited
        })
    )
    yield* Effect.repeat(canConnect(port), {
      until: (isListening) => isListening || child.exitCode !== null,
      schedule: Schedule.spaced("20 millis")
    })
    if (child.exitCode !== null) return yield* Effect.promise(async () => Promise.reject(new Error(await log.text())))
    return port
  })

const canConnect = (port: number) =>
  Effect.async<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => resume(Effect.succeed(true))).on("error", () => resume(Effect.succeed(false)))
    socket.on("connect", () => socket.destroy())
  })
