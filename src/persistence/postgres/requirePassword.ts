import { FileSystem } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { type PostgresInstallation, postgresRole } from "./PostgresInstallation.ts"
import { EmbeddedPostgresUnavailable, postgresUser, spawnPostgres } from "./spawnPostgres.ts"

/**
 * Makes a stopped server ask every session for the password. Clusters of older versions trusted whoever reached the
 * socket: they get a password before their server starts, and keep their data. `environment` is that of the server.
 */
export const requirePassword = Effect.fn("requirePassword")(
  function* ({ cluster, password, program }: PostgresInstallation, environment: Readonly<Record<string, string>>) {
    const fs = yield* FileSystem.FileSystem
    const rules = accessRules(password)
    const path = `${cluster}/pg_hba.conf`
    if ((yield* fs.readFileString(path)) === rules) return
    yield* setPassword(`${program}/bin/postgres`, cluster, {
      ...environment,
      STATEMENT: `alter role ${postgresRole} password '${Redacted.value(password)}'`
    })
    // The rules come last: until they are in place, the next start sets the password again.
    yield* fs.writeFileString(`${path}.new`, rules, { mode: 0o600 })
    if (postgresUser !== undefined) yield* fs.chown(`${path}.new`, postgresUser.uid, postgresUser.gid)
    yield* fs.rename(`${path}.new`, path)
  },
  Effect.catchTags({
    SystemError: ({ message }) => EmbeddedPostgresUnavailable.directoryUnusable(message),
    BadArgument: ({ message }) => EmbeddedPostgresUnavailable.directoryUnusable(message)
  })
)

/** The digest shows at the next start whether the role still has the password of the file. */
const accessRules = (password: Redacted.Redacted): string =>
  [
    "# Written by the service.",
    `# SHA-256 of the password: ${createHash("sha256").update(Redacted.value(password)).digest("hex")}`,
    "local all all scram-sha-256",
    ""
  ].join("\n")

/** Sets the password in single-user mode, in which nobody can connect. */
const setPassword = (postgres: string, cluster: string, environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const command = ["/bin/sh", "-c", singleUserMode, postgres, cluster]
    const { exitCode, lastLines } = yield* Effect.flatMap(spawnPostgres(command, environment), ({ ended }) => ended)
    if (exitCode === 0) return
    return yield* EmbeddedPostgresUnavailable.startFailed(
      `PostgreSQL cannot set its password and ended with code ${exitCode}: ${lastLines}`
    )
  }).pipe(Effect.scoped)

/** Nothing may log the statement. */
const singleUserMode = `printf '%s\n' "$STATEMENT" |
  "$0" --single -D "$1" -c exit_on_error=on -c log_min_error_statement=panic postgres`
