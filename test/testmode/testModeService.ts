import { ConfigProvider, Data, Effect, Layer, Option, Redacted, Schedule } from "effect"
import { BunContext } from "@effect/platform-bun"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { allKeyScopes } from "../../src/domain/access/Tenancy.ts"
import { serviceLayer } from "../../src/main.ts"
import { testTables } from "../../src/persistence/commandDatabase.ts"
import { DatabaseUrl } from "../../src/persistence/postgres/databasePool.ts"
import { AdminKeyStore } from "../../src/persistence/stores/access/AdminKeyStore.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { AdminKeys } from "../../src/security/AdminKeys.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { makeFailedQuery } from "../../src/dns/transport/Query.ts"
import { masterKey } from "../support/masterKeys.ts"
import { serviceUrl, tenancyOf } from "../support/testApi.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"

/** A connection did not come to what the test waits for. */
class NotReached extends Data.TaggedError("NotReached")<{ readonly message: string }> {}

/** What the live DNS was asked; no test key may lead there. */
export interface LiveQuestions {
  count: number
}

/** The whole service in this process on a database, in which nothing but the database can be reached. */
export const testModeService = (
  databaseUrl: Redacted.Redacted,
  questions: LiveQuestions = { count: 0 },
  settings: Readonly<Record<string, string>> = {}
) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.withConfigProvider(
        ServiceConfig,
        ConfigProvider.fromMap(
          new Map<string, string>([
            ["PORT", "0"],
            ["DATABASE_URL", Redacted.value(databaseUrl)],
            ["DATA_DIR", temporaryDirectory()],
            ["MASTER_KEY", masterKey(1)],
            ["RATE_LIMIT_PER_MINUTE", "0"],
            ["OUTBOUND_ALLOW", "127.0.0.0/8"],
            ["LOG_LEVEL", "error"],
            ...Object.entries(settings)
          ])
        )
      ),
      (config) =>
        serviceLayer(
          config,
          Layer.succeed(DnsClient, {
            query: () => refuseQuery(questions),
            resolve: () => refuseQuery(questions)
          }),
          Providers.layer([])
        )
    )
  )

const refuseQuery = (questions: LiveQuestions) => {
  questions.count += 1
  return makeFailedQuery("no_route")
}

/** Issues a key of test mode, as the command line does. */
export const issueTestKey = (databaseUrl: Redacted.Redacted, tenant = "tenant") =>
  Effect.flatMap(ApiKeys, ({ issue }) =>
    issue({ tenancy: tenancyOf("app", tenant), scopes: allKeyScopes, environment: "test" })
  ).pipe(
    Effect.map(({ key }) => Redacted.value(key)),
    Effect.provide(
      ApiKeys.layer.pipe(
        Layer.provide(ApiKeyStore.layer),
        Layer.provide(Layer.provide(testTables, Layer.succeed(DatabaseUrl, databaseUrl))),
        Layer.provide(Layer.merge(Identifiers.layer, BunContext.layer))
      )
    )
  )

/** Issues an admin key of test mode, as the command line does. */
export const issueTestAdminKey = (databaseUrl: Redacted.Redacted) =>
  Effect.flatMap(AdminKeys, ({ issue }) => issue({ name: Option.none(), environment: "test" })).pipe(
    Effect.map(({ key }) => Redacted.value(key)),
    Effect.provide(
      AdminKeys.layer.pipe(
        Layer.provide(AdminKeyStore.layer),
        Layer.provide(Layer.provide(testTables, Layer.succeed(DatabaseUrl, databaseUrl))),
        Layer.provide(Layer.merge(Identifiers.layer, BunContext.layer))
      )
    )
  )

/** An answer of the service. */
export interface TestModeAnswer {
  readonly status: number
  readonly json: any
}

/** Whether the database of the test servers had no time for a survey, as a busy machine makes it: no test domain does so. */
const failedForTime = ({ failure }: any): boolean =>
  failure?.code === "discovery_timeout" && JSON.stringify(failure.details).includes("reported a failure")

/** Whether a discovery failed for that, or does not know an answer. */
const hadNoTime = (connection: any): boolean =>
  connection.plan?.warnings.includes("lookup_unknown") || failedForTime(connection)

/**
 * Sends requests to the service with one key, again while the database has no time for one, as a busy machine makes it; a
 * header that is empty is left out.
 */
export const requesterWith = (key: string) =>
  Effect.map(serviceUrl, (address) => {
    const send = (...request: Parameters<typeof sendOnce>): Effect.Effect<TestModeAnswer> =>
      Effect.flatMap(sendOnce(...request), (answer) =>
        answer.status === 503 && answer.json.error?.code === "unavailable"
          ? Effect.delay(send(...request), "50 millis")
          : Effect.succeed(answer)
      )
    const sendOnce = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      Effect.promise(async (): Promise<TestModeAnswer> => {
        const response = await fetch(`${address}${path}`, {
          method,
          redirect: "manual",
          headers: Object.entries({ "x-api-key": key, "content-type": "application/json", ...headers }).filter(
            ([, value]) => value !== ""
          ),
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const text = await response.text()
        return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : text }
      })
    /** Creates a connection, and waits for its discovery. */
    const connect = (domain: string, records: ReadonlyArray<object> = shopRecords): Effect.Effect<any> =>
      Effect.gen(function* () {
        const headers = { prefer: "wait=10", "idempotency-key": crypto.randomUUID() }
        const { json, status } = yield* send("POST", "/v1/connections", { intent: { domain, records } }, headers)
        if (status !== 201) throw new Error(`${domain}: ${status} ${JSON.stringify(json)}`)
        const { connection } = json
        return connection.state === "requested" ? yield* discovered(connection.id) : connection
      }).pipe(
        Effect.flatMap((connection) =>
          hadNoTime(connection)
            ? Effect.zipRight(command(connection.id, "cancel"), connect(domain, records))
            : Effect.succeed(connection)
        )
      )
    const discovered = (id: string): Effect.Effect<any> =>
      Effect.repeat(Effect.delay(read(id), "50 millis"), { until: ({ state }): boolean => state !== "requested" })
    const command = (id: string, name: string, body: object = {}) => send("POST", `/v1/connections/${id}/${name}`, body)
    const read = (id: string) => Effect.map(send("GET", `/v1/connections/${id}`), ({ json }) => json.connection)
    const waitFor = (id: string, ...states: ReadonlyArray<string>) =>
      read(id).pipe(
        Effect.filterOrFail(
          (connection) => states.includes(connection.state),
          (connection) =>
            new NotReached({
              message: `${connection.effectiveIntent.domain} is ${connection.state}, not ${states.join()}: ${JSON.stringify(connection.failure)}`
            })
        ),
        Effect.retry({ schedule: poll, times: 2_400 })
      )
    /**
     * Hands in an API token, approves what is planned with all that must be acknowledged, and waits for the outcome; once
     * more if the database had no time for a survey on the way.
     */
    const authorizeAndApprove = (id: string, ...states: ReadonlyArray<string>): Effect.Effect<any, NotReached> =>
      Effect.gen(function* () {
        yield* command(id, "authorization", { method: "direct_credential", credential: { apiToken: "any-token" } })
        const planned = yield* waitFor(id, "planned", "failed")
        if (planned.state === "planned") yield* approve(id, planned)
        const outcome = yield* waitFor(id, "failed", ...states)
        // Where a connection can be authorized, the test servers answer, if they have the time.
        if (outcome.failure?.code !== "discovery_timeout")
          return planned.state === "failed" ? planned : yield* waitFor(id, ...states)
        yield* command(id, "retry")
        yield* discovered(id)
        return yield* authorizeAndApprove(id, ...states)
      })
    const approve = (id: string, { plan }: any) =>
      command(id, "approval", { digest: plan.digest, acknowledge: plan.warnings })
    /** Follows the links of a customer's browser from the start of a sign-in, by the text of one on the test page. */
    const walk = (authorizeUrl: string, text: string) =>
      Effect.promise(async () => {
        const start = await fetch(at(address, authorizeUrl), { redirect: "manual" })
        const cookie = (start.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const page = await fetch(at(address, linkIn(await start.text(), "")), { headers: { cookie } })
        const end = await fetch(at(address, linkIn(await page.text(), text)), {
          headers: { cookie },
          redirect: "manual"
        })
        if (!end.url.includes("/v1/oauth/callback")) throw new Error(`the test page has no link ${text}`)
        await end.text()
      })
    const test = (id: string, call: string, body: object) => send("POST", `/v1/test/connections/${id}/${call}`, body)
    return { send, sendOnce, connect, command, read, waitFor, authorizeAndApprove, approve, test, walk }
  })

const poll = Schedule.spaced("50 millis")

/** The URL of a path, or of the path of a URL, at the address of the service. */
const at = (address: string, path: string): URL => new URL(path.replace(/^https?:\/\/[^/]*/, ""), address)

/** The target of the first link in a page whose text begins like this. */
const linkIn = (html: string, text: string): string =>
  (new RegExp(`href="([^"]*)">${text}`).exec(html)?.[1] ?? "").replaceAll("&#38;", "&")

/** What a platform for shops desires of a domain. */
export const shopRecords = [{ host: "shop", type: "CNAME", value: "shops.platform.example" }]
