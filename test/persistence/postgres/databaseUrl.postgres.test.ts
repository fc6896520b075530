import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Exit, Redacted, Scope } from "effect"
import { databasePoolAt } from "../../../src/persistence/postgres/databasePool.ts"
import { runCli } from "../../cli/commandLine.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { certificates, makeTlsPostgres, urlOfTls } from "../../support/TlsPostgres.ts"
import { freePort } from "../../support/freePort.ts"

/** Whether the sessions of a URL are encrypted, or why none is opened. */
const protectionOf = (url: Redacted.Redacted) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  ).pipe(
    Effect.map(([row]) => (row?.ssl === true ? "encrypted" : "plain")),
    Effect.provide(databasePoolAt(url, 2)),
    Effect.exit,
    // One that cannot be reached is tried again for ten seconds.
    Effect.map(Exit.match({ onSuccess: (found) => found, onFailure: () => "refused" }))
  )

/** The exit code of a command on a URL, and what it says on standard error. */
const outcome = (text: string) =>
  Effect.map(runCli({ DATABASE_URL: text }, "keys", "list"), ({ code, err }) => {
    const lines = err
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("Database: "))
    return [code, ...lines]
  })

concurrentTest("each sslmode protects the sessions as PostgreSQL says", () =>
  Effect.gen(function* () {
    const server = yield* makeTlsPostgres({ hasTls: true })
    yield* server.start
    const { authority, stranger } = certificates()
    const cases = [
      ["127.0.0.1", "", "plain"],
      ["127.0.0.1", "?sslmode=disable", "plain"],
      ["127.0.0.1", "?sslmode=prefer", "encrypted"],
      ["127.0.0.1", "?sslmode=require", "encrypted"],
      ["127.0.0.1", `?sslmode=require&sslrootcert=${stranger}`, "refused"],
      ["127.0.0.1", `?sslmode=verify-ca&sslrootcert=${authority}`, "encrypted"],
      ["127.0.0.1", `?sslmode=verify-full&sslrootcert=${authority}`, "refused"],
      ["localhost", `?sslmode=verify-full&sslrootcert=${authority}`, "encrypted"],
      ["localhost", `?sslmode=verify-full&sslrootcert=${stranger}`, "refused"],
      ["localhost", "?sslmode=verify-full", "refused"]
    ] as const
    const found = yield* Effect.forEach(
      cases,
      ([host, parameters]) =>
        Effect.map(protectionOf(urlOfTls(server, host, parameters)), (found) => [host, parameters, found]),
      { concurrency: "unbounded" }
    )
    expect<unknown>(found).toEqual(cases)
  }).pipe(Effect.scoped)
)

concurrentTest("prefer goes without TLS where the server has none, and require does not", () =>
  Effect.gen(function* () {
    const server = yield* makeTlsPostgres({})
    yield* server.start
    expect(yield* protectionOf(urlOfTls(server, "127.0.0.1", "?sslmode=prefer"))).toBe("plain")
    expect(yield* protectionOf(urlOfTls(server, "127.0.0.1", "?sslmode=require"))).toBe("refused")
  }).pipe(Effect.scoped)
)

concurrentTest("of several servers the one that takes writes gets the sessions, also after a fail-over", () =>
  Effect.gen(function* () {
    const trusting = { isTrusting: true }
    const [first, standby, second] = yield* Effect.all([
      makeTlsPostgres(trusting),
      makeTlsPostgres({ ...trusting, isStandby: true }),
      makeTlsPostgres(trusting)
    ])
    const firstLife = yield* Scope.make()
    yield* Effect.all([standby.start, Scope.extend(first.start, firstLife)])
    const servers = [freePort(), standby.port, first.port, second.port].map((port) => `127.0.0.1:${port}`).join()
    const url = Redacted.make(`postgresql://app@${servers}/postgres`)
    const port = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly port: number }>`select inet_server_port()::int as port`
    )
    yield* Effect.gen(function* () {
      expect(yield* port).toEqual([{ port: first.port }])
      yield* Scope.close(firstLife, Exit.void)
      yield* second.start
      // The sessions of the server that has gone are found out one after the other.
      expect(yield* Effect.retry(port, { times: 5 })).toEqual([{ port: second.port }])
    }).pipe(Effect.provide(databasePoolAt(url, 2)))
  }).pipe(Effect.scoped)
)

concurrentTest(
  "a wrong password, a missing database, an unknown sslmode and a missing file end a command in one line",
  () =>
    Effect.gen(function* () {
      const server = yield* makeTlsPostgres({})
      yield* server.start
      const url = Redacted.value(urlOfTls(server, "127.0.0.1"))
      expect(yield* outcome(url.replace(server.password, "wrong"))).toEqual([
        1,
        expect.stringContaining('password authentication failed for user "app"')
      ])
      expect(yield* outcome(url.replace(/postgres$/, "missing"))).toEqual([
        1,
        expect.stringContaining('database "missing" does not exist')
      ])
      expect(yield* outcome(`${url}?sslmode=verify`)).toEqual([
        1,
        expect.stringContaining(
          'DATABASE_URL has the unknown sslmode "verify"; it takes disable, allow, prefer, require'
        )
      ])
      expect(yield* outcome(`${url}?sslmode=verify-ca`)).toEqual([1, expect.stringContaining("needs sslrootcert")])
      expect(yield* outcome(`${url}?sslmode=verify-full&sslrootcert=/missing.crt`)).toEqual([
        1,
        expect.stringContaining("/missing.crt")
      ])
    }).pipe(Effect.scoped)
)
