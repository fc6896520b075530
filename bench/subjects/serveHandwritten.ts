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
import { queriesOn, type Sql } from "./queries.ts"

/** Serves only the three endpoints, hand-written on Bun's own server, with the given PostgreSQL client. */
export const serveHandwritten = (sql: Sql): void => {
  const { findConnection, findKey, insertConnection, insertToken } = queriesOn(sql)

  /** Calls `handle` if the request has a valid key with this scope; otherwise refuses it. */
  const withKey = async (
    request: Request,
    headers: Record<string, string>,
    scope: string,
    handle: (key: ApiKeyColumns) => Promise<Response>
  ): Promise<Response> => {
    const hash = keyHash(request.headers.get("x-api-key"))
    const key = hash === undefined ? undefined : await findKey(hash)
    if (key === undefined) return refuse("unauthenticated", 401, headers)
    const limits = rateLimit(key)
    if (request.headers.has("origin")) return refuse("api_key_in_browser", 403, headers)
    if (limits === undefined) return refuse("rate_limited", 429, headers)
    if (!key.scopes.includes(scope)) return refuse("insufficient_scope", 403, headers)
    Object.assign(headers, limits)
    return handle(key)
  }

  const create = (request: Request) => {
    const headers = commonHeaders(request.headers.get("x-request-id"))
    return withKey(request, headers, "connections:write", async (key) => {
      const connection = newConnection(await request.json(), key)
      if (connection === undefined) return refuse("invalid_request", 400, headers)
      await insertConnection(key, connection.id, connection.doc, newId("evt"))
      headers["etag"] = '"1"'
      headers["location"] = `/v1/connections/${connection.id}`
      return new Response(`{"connection":${connection.doc}}`, { status: 201, headers })
    })
  }

  const get = (request: Request, id: string) => {
    const headers = commonHeaders(request.headers.get("x-request-id"))
    headers["vary"] = "Origin"
    return withKey(request, headers, "connections:read", async (key) => {
      const found = await findConnection(key, id)
      if (found === undefined) return refuse("not_found", 404, headers)
      const etag = `"${found.version}"`
      headers["etag"] = etag
      if (!isCurrent(request.headers.get("if-none-match"), etag))
        return new Response(`{"connection":${found.doc}}`, { headers })
      delete headers["content-type"]
      return new Response(null, { status: 304, headers })
    })
  }

  const issueToken = (request: Request, id: string) => {
    const headers = commonHeaders(request.headers.get("x-request-id"))
    return withKey(request, headers, "tokens:issue", async (key) => {
      const origin = originOf(await request.json())
      if (origin === undefined) return refuse("origin_not_canonical", 400, headers)
      const token = newToken()
      const issued = await insertToken(key, id, sha256(token), origin)
      if (issued === undefined) return refuse("not_found", 404, headers)
      const body = { accessToken: token, tokenType: "Bearer", expiresAt: issued.expires_at }
      return new Response(JSON.stringify(body), { status: 201, headers })
    })
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      "/v1/connections": { POST: create },
      "/v1/connections/:id": { GET: (request) => get(request, request.params.id) },
      "/v1/connections/:id/access-token": { POST: (request) => issueToken(request, request.params.id) }
    },
    fetch: (request) => refuse("route_not_found", 404, commonHeaders(request.headers.get("x-request-id")))
  })

  process.send?.(server.port)
}

const refuse = (code: string, status: number, headers: Record<string, string>) =>
  new Response(errorBody(code, status, headers["x-request-id"] ?? ""), { status, headers })
