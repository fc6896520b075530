import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { HttpBrowser } from "./HttpBrowser.ts"
import { startOAuthServer, type TestOAuthServer } from "./TestOAuthServer.ts"
import { bearerTokenProxy } from "./bearerTokenProxy.ts"
import { freePort } from "./freePort.ts"
import { Lab } from "./lab/Lab.ts"
import { labPowerDns, labService } from "./labService.ts"
import { createTestConnection } from "./TestConnection.ts"
import { get, issueKey, jsonOf, post, send } from "./testApi.ts"

export const shop = "https://shop.example.com"

/** The authorization server, and the public URL of the service. */
export class OAuthLab extends Context.Tag("test/OAuthLab")<
  OAuthLab,
  { readonly server: TestOAuthServer; readonly publicUrl: string }
>() {}

interface OAuthLabOptions {
  readonly accessTokenSeconds?: number
  readonly logLevel?: string
  /** Whether the authorization server asks customers on pages of its own. */
  readonly hasPages?: boolean
  /** The public URL of the service, if not on loopback. */
  readonly publicUrl?: string
}

/** The service on the lab, whose PowerDNS accepts OAuth tokens through a proxy. */
export const oauthLab = (options: OAuthLabOptions = {}) =>
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

/** For cookies, a different site than the authorization server, as in production. */
const host = "127.0.0.2"

/** Requests a connection for a domain of the lab; it then awaits authorization. */
export const createOAuthConnection = (host: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const intent = { domain: "glued.com", records: [{ host, type: "CNAME", value: "web.hostprov.net" }] }
    const { created: connection } = yield* createTestConnection(key, intent)
    const path = `/v1/connections/${connection.id}`
    const { accessToken } = yield* Effect.flatMap(post(`${path}/access-token`, key, { origin: shop }), jsonOf)
    return { key, path, connection, bearer: `Bearer ${accessToken}` }
  })

export type OAuthConnection = Effect.Effect.Success<ReturnType<typeof createOAuthConnection>>

/** Sends a command as the page with the browser token does. */
export const sendFromPage = (
  { bearer, path }: OAuthConnection,
  command: string,
  body: object,
  origin = shop,
  headers: Readonly<Record<string, string>> = {}
) =>
  send(`${path}/${command}`, {
    method: "POST",
    headers: { authorization: bearer, origin, "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

/** Starts an OAuth session from the page and returns the authorization URL. */
export const startOAuth = (
  connection: OAuthConnection,
  body: object = {},
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.map(
    Effect.flatMap(
      sendFromPage(connection, "authorization", { method: "oauth2_pkce", ...body }, shop, headers),
      jsonOf
    ),
    ({ authorizeUrl, error }): string => {
      if (authorizeUrl === undefined) throw new Error(JSON.stringify(error))
      return authorizeUrl
    }
  )

/** Consents at the provider in this browser and returns the callback URL without loading it. */
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

/** Polls for two minutes or more until the connection is in the state. */
export const waitForState = (connection: OAuthConnection, state: string) =>
  stateOf(connection).pipe(
    Effect.filterOrFail(
      (current) => current.state === state,
      (current) => `${current.state}, not ${state}: ${JSON.stringify(current.failure)}`
    ),
    Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(2_400)))
  )

/** Every row of the tables that could contain a secret. */
export const allRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = ["connections", "connection_events", "journal", "observations", "idempotency_keys", "credentials"]
  const rows = yield* Effect.forEach([...tables, "oauth_sessions"], (table) => sql`select * from ${sql(table)}`)
  return rows.flat().map((row) => JSON.stringify(row))
})

/** Runs an effect and returns its result with the lines it writes to standard output. */
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
