import { type Context, Hono } from "hono"
import { createMiddleware } from "hono/factory"
import postgres from "postgres"
import {
  commonHeaders,
  errorBody,
  isCurrent,
  type KeyRow,
  keyHash,
  newConnection,
  newId,
  newToken,
  originOf,
  rateLimit,
  sha256
} from "./byHand.ts"

/** What a user would write instead: Hono on Bun with postgres.js, its middleware and its answers in the usual way. */

interface Env {
  readonly Variables: { readonly key: KeyRow }
}

const sql = postgres()

const app = new Hono<Env>()

app.use(async (c, next) => {
  for (const [name, value] of Object.entries(commonHeaders(c.req.header("x-request-id")))) c.header(name, value)
  await next()
})

const refused = (c: Context, code: string, status: 400 | 401 | 403 | 404 | 429) => {
  const requestId = c.res.headers.get("x-request-id") ?? ""
  return c.body(errorBody(code, status, requestId), status)
}

const admitted = (scope: string) =>
  createMiddleware<Env>(async (c, next) => {
    const hash = keyHash(c.req.header("x-api-key"))
    const [key] =
      hash === undefined
        ? []
        : await sql<Array<KeyRow>>`
      select id, application_id, tenant_id, scopes from api_keys
      where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`
    if (key === undefined) return refused(c, "unauthenticated", 401)
    const limits = rateLimit(key)
    if (c.req.header("origin") !== undefined) return refused(c, "api_key_in_browser", 403)
    if (limits === undefined) return refused(c, "rate_limited", 429)
    if (!key.scopes.includes(scope)) return refused(c, "insufficient_scope", 403)
    for (const [name, value] of Object.entries(limits)) c.header(name, value)
    c.set("key", key)
    return next()
  })

app.post("/v1/connections", admitted("connections:write"), async (c) => {
  const key = c.get("key")
  const made = newConnection(await c.req.json(), key)
  if (made === undefined) return refused(c, "invalid_request", 400)
  await sql`
    with created as (
      insert into connections (id, application_id, tenant_id, state, phase, due_at, doc)
      values (${made.id}, ${key.application_id}, ${key.tenant_id}, 'requested', 'discover', now(), ${made.doc})
      returning id
    )
    insert into connection_events (id, connection_id, to_state) select ${newId("evt")}, id, 'requested' from created`
  c.header("etag", '"1"')
  c.header("location", `/v1/connections/${made.id}`)
  return c.body(`{"connection":${made.doc}}`, 201)
})

app.get("/v1/connections/:id", admitted("connections:read"), async (c) => {
  const key = c.get("key")
  c.header("vary", "Origin")
  const [found] = await sql`
    select doc, version from connections
    where id = ${c.req.param("id")} and application_id = ${key.application_id} and tenant_id = ${key.tenant_id}`
  if (found === undefined) return refused(c, "not_found", 404)
  const etag = `"${found["version"]}"`
  c.header("etag", etag)
  if (!isCurrent(c.req.header("if-none-match"), etag)) return c.body(`{"connection":${found["doc"]}}`)
  c.header("content-type", undefined)
  return c.body(null, 304)
})

app.post("/v1/connections/:id/access-token", admitted("tokens:issue"), async (c) => {
  const key = c.get("key")
  const origin = originOf(await c.req.json())
  if (origin === undefined) return refused(c, "origin_not_canonical", 400)
  const token = newToken()
  const [issued] = await sql`
    insert into browser_tokens (hash, connection_id, api_key_id, origin, expires_at)
    select ${sha256(token)}::bytea, id, ${key.id}, ${origin}, now() + interval '15 minutes' from connections
    where id = ${c.req.param("id")} and application_id = ${key.application_id} and tenant_id = ${key.tenant_id}
      and state <> all('{expired,canceled,disconnected}')
    returning expires_at`
  if (issued === undefined) return refused(c, "not_found", 404)
  return c.json({ accessToken: token, tokenType: "Bearer", expiresAt: issued["expires_at"] }, 201)
})

app.notFound((c) => refused(c, "route_not_found", 404))

process.send?.(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch }).port)
