import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { HttpBrowser } from "./HttpBrowser.ts"
import { startOAuthServer, type TestOAuthServer } from "./TestOAuthServer.ts"
import { bearerTokenProxy } from "./bearerTokenProxy.ts"
import { freePort } from "./freePort.ts"
import { Lab } from "./lab/Lab.ts"
import { labPowerDns, labService } from "./labService.ts"
import { get, issueKey, jsonOf, post, send } from "./testApi.ts"

export const shop = "https://shop.example.com"

/** An authorization server, an API behind it, and where the service is. */
export class OAuthLab extends Context.Tag("test/OAuthWorld")<
  OAuthLab,
  { readonly server: TestOAuthServer; readonly publicUrl: string }
>() {}

interface WorldOptions {
  readonly accessTokenSeconds?: number
  readonly logLevel?: string
  /** Whether the authorization server asks customers on pages of its own. */
  readonly hasPages?: boolean
  /** Where browsers would reach the service, if not on loopback. */
  readonly publicUrl?: string
}

/** The service on the lab, whose PowerDNS takes OAuth tokens by a proxy before it. */
export const oauthLab = (options: WorldOptions = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const port = freePort()
      const publicUrl = options.publicUrl ?? `http://${host}:${port}`
      const server = yield* startOAuthServer({ redirectUri: `${publicUrl}/v1/oauth/callback`, ...options })
      const { url } = yield* bearerTokenProxy(server, pdns)
      const provider = {
        ...labPowerDns,
        nameServers: ["glued.com", ...labPowerDns.nameServers],
        settings: { baseUrl: url },
        oauth: server.settings
      }
      const database = yield* freshDatabase
      const environment = {
        HOST: host,
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        DATABASE_URL: Redacted.value(urlOf(database)),
        LOG_LEVEL: options.logLevel ?? "none"
      }
      return Layer.mergeAll(
        labService([provider], { environment }),
        Layer.succeed(OAuthLab, { server, publicUrl }),
        poolOn(database)
      )
    })
  )

/** To cookies another site than the authorization server, as in real life. */
const host = "127.0.0.2"

/** A connection of a domain of the lab that waits to be let in. */
export const createOAuthConnection = (host: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const intent = { domain: "glued.com", records: [{ host, type: "CNAME", value: "web.hostprov.net" }] }
    const asked = yield* post("/v1/connections", key, { intent }, { prefer: "wait=20" })
    const { connection } = yield* jsonOf(asked)
    const path = `/v1/connections/${connection.id}`
    const { accessToken } = yield* Effect.flatMap(post(`${path}/access-token`, key, { origin: shop }), jsonOf)
    return { key, path, connection, bearer: `Bearer ${accessToken}` }
  })

export type OAuthConnection = Effect.Effect.Success<ReturnType<typeof createOAuthConnection>>

/** A request of the page that has the token. */
export const sendFromPage = ({ bearer, path }: OAuthConnection, command: string, body: object, origin = shop) =>
  send(`${path}/${command}`, {
    method: "POST",
    headers: { authorization: bearer, origin, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** Opens a visit to the provider, from the page, and gives its address. */
export const startOAuth = (connected: OAuthConnection, body: object = {}) =>
  Effect.map(
    Effect.flatMap(sendFromPage(connected, "authorization", { method: "oauth2_pkce", ...body }), jsonOf),
    ({ authorizeUrl, error }): string => {
      if (authorizeUrl === undefined) throw new Error(JSON.stringify(error))
      return authorizeUrl
    }
  )

/** Goes to the provider in this browser, agrees there, and stops on the way back, before the service. */
export const consentInBrowser = (browser: HttpBrowser, authorizeUrl: string) =>
  Effect.flatMap(OAuthLab, ({ publicUrl }) =>
    Effect.promise(() =>
      browser.follow(authorizeUrl, (next) => next.startsWith(`${publicUrl}/v1/oauth/callback`), { referer: `${shop}/` })
    )
  )

export const loadPage = (browser: HttpBrowser, url: string) =>
  Effect.promise(async () => {
    const response = await browser.load(url)
    const text = await response.text()
    return { status: response.status, location: response.headers.get("location"), headers: response.headers, text }
  })

export const stateOf = ({ key, path }: OAuthConnection) =>
  Effect.map(Effect.flatMap(get(path, key), jsonOf), ({ connection }) => connection)

/** Asks until the connection is in the state, for ten seconds. */
export const waitForState = (connected: OAuthConnection, state: string) =>
  stateOf(connected).pipe(
    Effect.filterOrFail(
      (connection) => connection.state === state,
      ({ failure, state: now }) => `${now}, not ${state}: ${JSON.stringify(failure)}`
    ),
    Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(200)))
  )

/** Every row of every table that holds text for people or programs. */
export const allRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = ["connections", "connection_events", "journal", "observations", "idempotency_keys", "credentials"]
  const rows = yield* Effect.forEach([...tables, "oauth_sessions"], (table) => sql`select * from ${sql(table)}`)
  return rows.flat().map((row) => JSON.stringify(row))
})

/** What is written to standard output while the effect runs. */
export const captureLogs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const lines: Array<string> = []
      const { log } = console
      console.log = (...words: ReadonlyArray<unknown>) => void lines.push(words.map(String).join(" "))
      return { lines, restore: () => void (console.log = log) }
    }),
    ({ lines }) => Effect.map(effect, (result) => ({ result, lines })),
    ({ restore }) => Effect.sync(restore)
  )
