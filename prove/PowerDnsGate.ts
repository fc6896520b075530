import { Effect } from "effect"

/** A write that reached the gate; `isDone` once PowerDNS has executed it. */
export interface RecordedPatch {
  readonly zone: string
  /** `name type` of the written record sets. */
  readonly sets: ReadonlyArray<string>
  isDone: boolean
}

/** A proxy in front of the API of PowerDNS that records every write and can intercept the next one. */
export interface PowerDnsGate {
  readonly url: string
  readonly patches: ReadonlyArray<RecordedPatch>
  /** Runs `before` before the next write is forwarded, and `after` between its execution and its response. */
  readonly interceptNext: (interception: {
    readonly before?: Effect.Effect<unknown>
    readonly after?: Effect.Effect<unknown>
  }) => void
}

/** Starts the gate on a free port of 127.0.0.1. */
export const startPowerDnsGate = (server: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => open(server)),
      ({ listener }) => Effect.promise(() => listener.stop(true))
    ),
    ({ gate }) => gate
  )

const open = (server: string) => {
  const patches: Array<RecordedPatch> = []
  let next: Parameters<PowerDnsGate["interceptNext"]>[0] = {}
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const body = request.method === "PATCH" ? await request.text() : undefined
      const headers = { "x-api-key": request.headers.get("x-api-key") ?? "", connection: "close" }
      const forward = () =>
        fetch(`${server}${pathname}${search}`, {
          method: request.method,
          headers,
          ...(body === undefined ? {} : { body })
        })
      if (body === undefined) return forward()
      const { after = Effect.void, before = Effect.void } = next
      next = {}
      const patch = patchOf(pathname, body)
      patches.push(patch)
      await Effect.runPromise(before)
      const response = await forward()
      patch.isDone = response.ok
      await Effect.runPromise(after)
      return response
    }
  })
  const gate: PowerDnsGate = {
    url: `http://127.0.0.1:${listener.port}`,
    patches,
    interceptNext: (interception) => {
      next = interception
    }
  }
  return { gate, listener }
}

const patchOf = (path: string, body: string): RecordedPatch => ({
  zone: path.split("/").at(-1) ?? "",
  sets: JSON.parse(body).rrsets.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`),
  isDone: false
})
