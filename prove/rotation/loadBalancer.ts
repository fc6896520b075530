import { Effect } from "effect"

/** A load balancer as an operator has one: each request goes to the next process that answers. */
export const startLoadBalancer = (publicUrl: string, targets: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { hostname, host, port } = new URL(publicUrl)
      let turn = 0
      return Bun.serve({
        hostname,
        port: Number(port),
        idleTimeout: 60,
        fetch: async (request) => {
          const { pathname, search } = new URL(request.url)
          const headers = new Headers(request.headers)
          headers.set("host", host)
          headers.set("connection", "close")
          const body = request.method === "GET" ? undefined : await request.arrayBuffer()
          for (let attempt = 0; attempt < targets.length; attempt += 1) {
            const target = targets[(turn += 1) % targets.length]
            try {
              return await fetch(`${target}${pathname}${search}`, {
                method: request.method,
                headers,
                redirect: "manual",
                decompress: false,
                ...(body === undefined ? {} : { body })
              })
            } catch (error) {
              if (!hasStopped(error)) throw error
            }
          }
          return new Response(undefined, { status: 503 })
        },
        error: (error) =>
          Response.json({ error: { code: "code" in error ? error.code : error.message } }, { status: 502 })
      })
    }),
    (server) => Effect.promise(() => server.stop(true))
  )

/** A process does not listen, or has just stopped. Every request of the proof may be sent again. */
const hasStopped = (error: unknown): boolean =>
  error instanceof Error && "code" in error && stopCodes.has(String(error.code))

const stopCodes: ReadonlySet<string> = new Set(["ECONNREFUSED", "ConnectionRefused", "ECONNRESET"])
