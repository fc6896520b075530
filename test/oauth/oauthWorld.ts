import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { get, issueKey, jsonOf, post, send } from "../support/apiUnderTest.ts"
import { Browser } from "../support/Browser.ts"
import { freePort } from "../support/freePort.ts"
import { Lab } from "../support/lab/Lab.ts"
import { oauthProxy } from "../support/OAuthProxy.ts"
import { type OAuthServer, oauthServer } from "../support/OAuthServer.ts"
import { labPowerDns, serviceOnTheLab } from "../support/serviceOnTheLab.ts"

export const shop = "https://shop.example.com"

/** An authorization server, an API behind it, and where the service is. */
export class OAuthWorld extends Context.Tag("test/OAuthWorld")<
  OAuthWorld,
  { readonly server: OAuthServer; readonly publicUrl: string }
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
export const worldOnTheLab = (options: WorldOptions = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const port = freePort()
      const publicUrl = options.publicUrl ?? `http://${host}:${port}`
      const server = yield* oauthServer({ redirectUri: `${publicUrl}/v1/oauth/callback`, ...options })
      const { url } = yield* oauthProxy(server, pdns)
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
        serviceOnTheLab([provider], { environment }),
        Layer.succeed(OAuthWorld, { server, publicUrl }),
        poolOn(database)
      )
    })
  )

/** To cookies another site than the authorization server, as in real life. */
const host = "127.0.0.2"

/** A connection of a domain of the lab that waits to be let in. */
export const connected = (host: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const intent = { domain: "glued.com", records: [{ host, type: "CNAME", value: "web.hostprov.net" }] }
    const asked = yield* post("/v1/connections", key, { intent }, { prefer: "wait=20" })
    const { connection } = yield* jsonOf(asked)
    const path = `/v1/connections/${connection.id}`
    const { accessToken } = yield* Effect.flatMap(post(`${path}/access-token`, key, { origin: shop }), jsonOf)
    return { key, path, connection, bearer: `Bearer ${accessToken}` }
  })

export type Connected = Effect.Effect.Success<ReturnType<typeof connected>>

/** A request of the page that has the token. */
export const fromPage = ({ bearer, path }: Connected, command: string, body: object, origin = shop) =>
  send(`${path}/${command}`, {
    method: "POST",
    headers: { authorization: bearer, origin, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** Opens a visit to the provider, from the page, and gives its address. */
export const visit = (connected: Connected, body: object = {}) =>
  Effect.map(
    Effect.flatMap(fromPage(connected, "authorization", { method: "oauth2_pkce", ...body }), jsonOf),
    ({ authorizeUrl, error }): string => {
      if (authorizeUrl === undefined) throw new Error(JSON.stringify(error))
      return authorizeUrl
    }
  )

/** Goes to the provider in this browser, agrees there, and stops on the way back, before the service. */
export const agree = (browser: Browser, authorizeUrl: string) =>
  Effect.flatMap(OAuthWorld, ({ publicUrl }) =>
    Effect.promise(() =>
      browser.follow(authorizeUrl, (next) => next.startsWith(`${publicUrl}/v1/oauth/callback`), { referer: `${shop}/` })
    )
  )

export const load = (browser: Browser, url: string) =>
  Effect.promise(async () => {
    const response = await browser.load(url)
    const text = await response.text()
    return { status: response.status, location: response.headers.get("location"), headers: response.headers, text }
  })

export const stateOf = ({ key, path }: Connected) =>
  Effect.map(Effect.flatMap(get(path, key), jsonOf), ({ connection }) => connection)

/** Asks until the connection is in the state, for ten seconds. */
export const until = (connected: Connected, state: string) =>
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
export const whileListening = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
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
