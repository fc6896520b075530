import { Effect, type Scope } from "effect"
import type { TestOAuthServer } from "./TestOAuthServer.ts"

/** An OAuth proxy before an API with a key: who brings a good bearer token is let through under the key. */
export const bearerTokenProxy = (
  { isTokenValid: takes }: TestOAuthServer,
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
            if (token === undefined || !(await takes(token))) return new Response("no", { status: 401 })
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
