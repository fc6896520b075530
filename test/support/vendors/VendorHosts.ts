import { Effect, type Scope } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { patience } from "../patience.ts"
import type { VendorListener } from "./VendorServer.ts"

/**
 * An environment in which the names of vendors' hosts lead to loopback, with certificates that a CA of this test signed:
 * what runs in it needs no setting for another address, and cannot reach the vendors.
 */
export interface VendorHosts {
  /** Where the fake of one of the hosts has to listen. */
  readonly listener: (host: string) => VendorListener
  /** A command as it has to be spawned so that it runs in this environment. */
  readonly wrap: (command: ReadonlyArray<string>) => ReadonlyArray<string>
  /** The variables that make programs trust the CA; nothing else is to be taken over from this process but `PATH`. */
  readonly environment: Readonly<Record<string, string>>
  /** Runs a command to its end, with more variables; after a minute it is killed. */
  readonly run: (
    command: ReadonlyArray<string>,
    environment?: Readonly<Record<string, string>>
  ) => Effect.Effect<CommandOutcome>
}

interface CommandOutcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Why no such environment can be made here, in a sentence; `undefined` if it can. For `describeIfPossible`. The programs
 * are names of commands, or full paths of files in the package of judges.
 */
export const vendorHostsUnavailableReason = (...programs: ReadonlyArray<string>): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it needs Linux and root, for a mount namespace"
  const missing = ["openssl", "unshare", "mount", ...programs].filter((program) => !isInstalled(program))
  if (missing.length > 0) return `not installed: ${missing.join(", ")}; ${remedy}`
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  if (addresses.some(({ internal }) => !internal))
    return "the network is not private; run the tests by `sh test/support/lab/network-namespace.sh bun test`"
  const { exitCode, stderr } = Bun.spawnSync(["unshare", "--mount", "mount", "--bind", "/etc/hosts", "/etc/hosts"])
  return exitCode === 0 ? undefined : `no mount namespace: ${stderr.toString().trim()}`
}

const remedy =
  "apt-get install -y --no-install-recommends lexicon lego pebble openssl curl; cd test/judges && bun install --frozen-lockfile"

/** The package of programs from npm that judge the fakes. */
export const judges = new URL("../../judges/", import.meta.url).pathname

const isInstalled = (program: string): boolean =>
  program.startsWith("/") ? existsSync(program) : Bun.which(program) !== null

/** Makes the CA and the certificate, and gives each host a loopback address of its own, until the scope closes. */
export const makeVendorHosts = (hosts: ReadonlyArray<string>): Effect.Effect<VendorHosts, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "vendor-hosts-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    ),
    (directory) => {
      const tls = makeCertificate(directory, hosts)
      const addresses = new Map(hosts.map((host) => [host, nextAddress()]))
      const hostsFile = join(directory, "hosts")
      const lines = ["127.0.0.1 localhost", ...[...addresses].map(([host, address]) => `${address} ${host}`)]
      writeFileSync(hostsFile, `${lines.join("\n")}\n`)
      const ca = join(directory, "ca.pem")
      const environment = {
        PATH: process.env["PATH"] ?? "",
        HOME: directory,
        NODE_EXTRA_CA_CERTS: ca,
        SSL_CERT_FILE: ca,
        REQUESTS_CA_BUNDLE: ca,
        AWS_CA_BUNDLE: ca
      }
      const inNamespace = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', hostsFile]
      const wrap = (command: ReadonlyArray<string>) => [...inNamespace, ...command]
      return {
        listener: (host) => ({ address: addresses.get(host) ?? unknownHost(host), port: 443, tls }),
        wrap,
        environment,
        run: (command, more = {}) => runToEnd(wrap(command), { ...environment, ...more })
      }
    }
  )

const unknownHost = (host: string): never => {
  throw new Error(`${host} is not among the hosts of this environment`)
}

let lastAddress = 0

/** All of 127.0.0.0/8 is loopback. Fakes of one process, and of two that share a network, keep apart. */
const nextAddress = (): string => `127.77.${process.pid % 256}.${(lastAddress++ % 254) + 1}`

/** Makes a CA for one test, and a certificate for all the hosts. */
const makeCertificate = (directory: string, hosts: ReadonlyArray<string>): NonNullable<VendorListener["tls"]> => {
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  const asCa = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]
  const at = (name: string) => join(directory, name)
  writeFileSync(at("names"), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join()}\n`)
  openssl(directory, "req", "-x509", "-days", "2", ...newKey, ...asCa, "-subj", "/CN=CA of a test", ...outputs("ca"))
  openssl(directory, "req", ...newKey, "-subj", `/CN=${hosts[0]}`, ...outputs("host"))
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
  openssl(directory, "x509", "-req", "-in", "host.pem", ...signing, "-out", "signed.pem")
  return { key: readFileSync(at("host.key"), "utf8"), cert: readFileSync(at("signed.pem"), "utf8") }
}

const outputs = (name: string) => ["-keyout", `${name}.key`, "-out", `${name}.pem`]

const openssl = (directory: string, ...parameters: ReadonlyArray<string>): void => {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...parameters], { cwd: directory, stderr: "pipe" })
  if (exitCode !== 0) throw new Error(`openssl ${parameters[0]} failed: ${stderr.toString()}`)
}

const runToEnd = (
  command: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Effect.Effect<CommandOutcome> =>
  Effect.promise(async () => {
    const child = Bun.spawn([...command], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: patience })
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited
    ])
    return { exitCode, stdout, stderr }
  })
