import { BunFileSystem } from "@effect/platform-bun"
import { Effect, Layer, Redacted, Schedule, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Client } from "pg"
import { EmbeddedPostgres } from "../../src/persistence/postgres/EmbeddedPostgres.ts"
import { postgresUser, spawnPostgres } from "../../src/persistence/postgres/spawnPostgres.ts"
import { makeDataDirectory } from "./dataDirectory.ts"
import { freePort } from "./freePort.ts"
import { temporaryDirectory } from "./TestPostgres.ts"

/** A PostgreSQL on a TCP port. */
interface TlsPostgres {
  readonly port: number
  readonly password: string
  /** Starts the server, and stops it with the scope. */
  readonly start: Effect.Effect<void, never, Scope.Scope>
}

/** Makes a PostgreSQL that does not run yet; a trusting one asks for no password. */
export const makeTlsPostgres = (options: {
  readonly hasTls?: boolean
  readonly isStandby?: boolean
  readonly isTrusting?: boolean
}) =>
  Effect.gen(function* () {
    const dataDirectory = yield* makeDataDirectory
    yield* Effect.scoped(Layer.build(Layer.provide(EmbeddedPostgres.layer({ dataDirectory }), BunFileSystem.layer)))
    const home = `${dataDirectory}/postgres`
    const program = readdirSync(home).find((name) => name.startsWith("program-")) ?? ""
    const cluster = `${home}/cluster`
    const files = [`${cluster}/pg_hba.conf`]
    writeFileSync(
      `${cluster}/pg_hba.conf`,
      `host all all 127.0.0.1/32 ${options.isTrusting === true ? "trust" : "scram-sha-256"}\n`
    )
    if (options.hasTls === true) {
      cpSync(certificates().key, `${cluster}/server.key`)
      cpSync(certificates().certificate, `${cluster}/server.crt`)
      files.push(`${cluster}/server.key`, `${cluster}/server.crt`)
    }
    if (options.isStandby === true) {
      writeFileSync(`${cluster}/standby.signal`, "")
      files.push(`${cluster}/standby.signal`)
    }
    for (const file of files) {
      chmodSync(file, 0o600)
      if (postgresUser !== undefined) chownSync(file, postgresUser.uid, postgresUser.gid)
    }
    const port = freePort()
    const password = readFileSync(`${home}/password`, "utf8").trim()
    const start = Effect.gen(function* () {
      yield* Effect.orDie(
        spawnPostgres([
          `${home}/${program}/bin/postgres`,
          "-D",
          cluster,
          "-k",
          "",
          "-p",
          `${port}`,
          "-c",
          "listen_addresses=127.0.0.1",
          "-c",
          `ssl=${options.hasTls === true ? "on" : "off"}`
        ])
      )
      const ask = Effect.tryPromise(async () => {
        const client = new Client({ host: "127.0.0.1", port, user: "app", password, database: "postgres" })
        await client.connect()
        await client.end()
      })
      yield* Effect.orDie(Effect.retry(ask, Schedule.spaced("50 millis").pipe(Schedule.upTo("2 minutes"))))
    })
    return { port, password, start } satisfies TlsPostgres
  })

/** A certificate for `localhost`, and the authority that signed it; `stranger` signed nothing. */
export const certificates = (() => {
  let made: ReturnType<typeof makeCertificates> | undefined
  return () => (made ??= makeCertificates())
})()

const makeCertificates = () => {
  const directory = temporaryDirectory()
  const openssl = (args: string) => execFileSync("openssl", args.split(" "), { cwd: directory, stdio: "pipe" })
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
  for (const name of ["authority", "stranger"])
    openssl(`req -x509 ${newKey} -days 2 -keyout ${name}.key -out ${name}.crt -subj /CN=${name}`)
  openssl(`req ${newKey} -keyout server.key -out server.csr -subj /CN=localhost`)
  writeFileSync(`${directory}/names`, "subjectAltName=DNS:localhost")
  const authority = "-CA authority.crt -CAkey authority.key -CAcreateserial"
  openssl(`x509 -req -in server.csr ${authority} -days 2 -extfile names -out server.crt`)
  return {
    authority: `${directory}/authority.crt`,
    stranger: `${directory}/stranger.crt`,
    certificate: `${directory}/server.crt`,
    key: `${directory}/server.key`
  }
}

/** The URL of a server, by this name for the machine. */
export const urlOfTls = ({ password, port }: TlsPostgres, host: string, parameters = ""): Redacted.Redacted =>
  Redacted.make(`postgresql://app:${password}@${host}:${port}/postgres${parameters}`)
