import { Effect, type Scope } from "effect"
import type { TestOAuthServer } from "./TestOAuthServer.ts"

/** A proxy in front of an API with a key: it forwards requests with a valid bearer token, using the key. */
export const bearerTokenProxy = (
  { isTokenValid }: TestOAuthServer,
  target: { readonly url: string; readonly key: string }
): Effect.Effect<{ readonly url: string }, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          port: 0,
          hostname: "127.0.0.1",
          fetch: async (request) => {
            const [, token] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? []
            if (token === undefined || !(await isTokenValid(token))) return new Response("no", { status: 401 })
            const { pathname, search } = new URL(request.url)
            return fetch(`${target.url}${pathname}${search}`, {
              method: request.method,
              headers: { "x-api-key": target.key, "content-type": "application/json", connection: "close" },
              ...(request.method === "GET" ? {} : { body: await request.arrayBuffer() })
            })
          }
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => ({ url: `http://127.0.0.1:${port}` })
  )
