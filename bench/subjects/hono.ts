import { type Context, Hono } from "hono"
import { createMiddleware } from "hono/factory"
import postgres from "postgres"
import {
  commonHeaders,
  errorBody,
  isCurrent,
  keyHash,
  type ApiKeyColumns,
  newConnection,
  newId,
  newToken,
  originOf,
  rateLimit,
  sha256
} from "./handwritten.ts"
import { queriesOn } from "./queries.ts"

/** The alternative a user would write: Hono on Bun with postgres.js and idiomatic middleware. */

interface Env {
  readonly Variables: { readonly key: ApiKeyColumns }
}

const { findConnection, findKey, insertConnection, insertToken } = queriesOn(postgres())

const app = new Hono<Env>()

app.use(async (c, next) => {
  for (const [name, value] of Object.entries(commonHeaders(c.req.header("x-request-id")))) c.header(name, value)
  await next()
})

const refuse = (c: Context, code: string, status: 400 | 401 | 403 | 404 | 429) => {
  const requestId = c.res.headers.get("x-request-id") ?? ""
  return c.body(errorBody(code, status, requestId), status)
}

const requireKey = (scope: string) =>
  createMiddleware<Env>(async (c, next) => {
    const hash = keyHash(c.req.header("x-api-key"))
    const key = hash === undefined ? undefined : await findKey(hash)
    if (key === undefined) return refuse(c, "unauthenticated", 401)
    const limits = rateLimit(key)
    if (c.req.header("origin") !== undefined) return refuse(c, "api_key_in_browser", 403)
    if (limits === undefined) return refuse(c, "rate_limited", 429)
    if (!key.scopes.includes(scope)) return refuse(c, "insufficient_scope", 403)
    for (const [name, value] of Object.entries(limits)) c.header(name, value)
    c.set("key", key)
    return next()
  })

app.post("/v1/connections", requireKey("connections:write"), async (c) => {
  const key = c.get("key")
  const connection = newConnection(await c.req.json(), key)
  if (connection === undefined) return refuse(c, "invalid_request", 400)
  await insertConnection(key, connection.id, connection.doc, newId("evt"))
  c.header("etag", '"1"')
  c.header("location", `/v1/connections/${connection.id}`)
  return c.body(`{"connection":${connection.doc}}`, 201)
})

app.get("/v1/connections/:id", requireKey("connections:read"), async (c) => {
  const key = c.get("key")
  c.header("vary", "Origin")
  const found = await findConnection(key, c.req.param("id"))
  if (found === undefined) return refuse(c, "not_found", 404)
  const etag = `"${found.version}"`
  c.header("etag", etag)
  if (!isCurrent(c.req.header("if-none-match"), etag)) return c.body(`{"connection":${found.doc}}`)
  c.header("content-type", undefined)
  return c.body(null, 304)
})

app.post("/v1/connections/:id/access-token", requireKey("tokens:issue"), async (c) => {
  const key = c.get("key")
  const origin = originOf(await c.req.json())
  if (origin === undefined) return refuse(c, "origin_not_canonical", 400)
  const token = newToken()
  const issued = await insertToken(key, c.req.param("id"), sha256(token), origin)
  if (issued === undefined) return refuse(c, "not_found", 404)
  return c.json({ accessToken: token, tokenType: "Bearer", expiresAt: issued.expires_at }, 201)
})

app.notFound((c) => refuse(c, "route_not_found", 404))

process.send?.(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch }).port)
