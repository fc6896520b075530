import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Exit, Fiber, Schedule } from "effect"
import { readFileSync, renameSync } from "node:fs"
import { type ApiClient, makeApiClient, retryUntilAnswered } from "../../prove/ApiClient.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  timelineOf,
  waitForState,
  oneClickStates
} from "../../prove/connectionSteps.ts"
import { type OwnPostgres, startOwnPostgres } from "../persistence/ownPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueKey, serviceUrl } from "../support/testApi.ts"

const domains = Array.makeBy(6, (nth) => `customer-${nth}.com`)

/** Connects a domain with one click and returns its states. */
const connect = (api: ApiClient, domain: string) =>
  Effect.gen(function* () {
    const connection = yield* createPlannedConnection(api, desiredShopOf(domain))
    yield* authorizeAndApprove(api, connection, desiredShopOf(domain))
    yield* waitForState(api, connection.id, ["active"])
    return (yield* timelineOf(api, connection.id)).map(({ to }) => to)
  })

/** Runs a test against the API of a service on a PostgreSQL of its own. */
const withService = <A, E>(test: (api: ApiClient, postgres: OwnPostgres) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const postgres = yield* startOwnPostgres()
    const { layer } = yield* scriptedService(postgres.url, domains)
    const api = Effect.flatMap(issueKey(), ({ key }) => Effect.map(serviceUrl, (url) => makeApiClient(url, key)))
    return yield* Effect.provide(
      Effect.flatMap(api, (client) => test(client, postgres)),
      layer
    )
  })

const terminateAll = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
)

const selectOne = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`)

/** Stops PostgreSQL at once and keeps it down, since its files are moved away, until the returned effect brings it back. */
const takeDown = ({ run }: OwnPostgres) =>
  Effect.gen(function* () {
    const [row] = yield* run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select current_setting('data_directory') as directory`)
    )
    const directory = String(row?.["directory"])
    const postmaster = Number.parseInt(readFileSync(`${directory}/postmaster.pid`, "utf8"), 10)
    yield* Effect.sync(() => {
      process.kill(postmaster, "SIGQUIT")
      renameSync(directory, `${directory}.away`)
    })
    return Effect.sync(() => renameSync(`${directory}.away`, directory))
  })

concurrentTest(
  "while all database connections are killed again and again, connections become active without a failure",
  () =>
    Effect.gen(function* () {
      const states = yield* withService((api, { run }) =>
        Effect.gen(function* () {
          const killing = yield* Effect.fork(Effect.repeat(run(terminateAll), Schedule.spaced("700 millis")))
          const connecting = yield* Effect.fork(
            Effect.forEach(domains, (domain) => connect(api, domain), { concurrency: 2 })
          )
          yield* Effect.race(Fiber.await(connecting), Effect.sleep("10 seconds"))
          yield* Fiber.interrupt(killing)
          return yield* Fiber.join(connecting)
        })
      )
      expect<unknown>(states).toEqual(domains.map(() => oneClickStates))
    })
)

concurrentTest("while PostgreSQL is down for half a minute every request is answered 503, and nothing is lost", () =>
  Effect.gen(function* () {
    const outcome = yield* withService((api, postgres) =>
      Effect.gen(function* () {
        const connections = yield* Effect.forEach(domains, (domain) =>
          createPlannedConnection(api, desiredShopOf(domain))
        )
        yield* Effect.forEach(connections, (connection, nth) =>
          authorizeAndApprove(api, connection, desiredShopOf(domains[nth] ?? ""))
        )
        const bringBack = yield* takeDown(postgres)
        yield* Effect.repeat(api.get("/readyz"), { until: ({ status }) => status === 503 })
        const requests = [
          api.get("/v1/connections"),
          api.get(`/v1/connections/${connections[0].id}`),
          api.post("/v1/connections", { intent: { domain: "late.com", records: desiredShopOf("late.com").records } }),
          api.post(`/v1/connections/${connections[0].id}/recheck`, {})
        ]
        const refusals = yield* Effect.forEach(requests, (request) =>
          Effect.map(request, ({ body, headers, status }) => [status, body.error.code, headers.get("retry-after")])
        )
        const { status } = yield* api.get("/healthz")
        yield* Effect.sleep("30 seconds")
        yield* bringBack
        yield* Effect.repeat(Effect.exit(postgres.run(selectOne)), { until: Exit.isSuccess })
        yield* Effect.repeat(api.get("/readyz"), {
          until: ({ status }) => status === 200,
          schedule: Schedule.spaced("50 millis")
        })
        const found = yield* Effect.forEach(connections, ({ id }) =>
          Effect.zipRight(
            waitForState(api, id, ["active"]),
            Effect.map(timelineOf(api, id), (entries) => entries.map(({ to }) => to))
          )
        )
        const listed = yield* retryUntilAnswered(api.get("/v1/connections"))
        return { refusals, healthz: status, found, listed: listed.body.connections.length }
      })
    )
    expect<unknown>(outcome).toEqual({
      refusals: Array.replicate([503, "unavailable", "1"], 4),
      healthz: 200,
      found: domains.map(() => oneClickStates),
      listed: domains.length
    })
  })
)
