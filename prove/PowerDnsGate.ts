import { Effect } from "effect"

/** A write as it came to the gate; `done` once PowerDNS has carried it out. */
export interface RecordedPatch {
  readonly zone: string
  /** `name type` of the record sets that it writes. */
  readonly sets: ReadonlyArray<string>
  isDone: boolean
}

/** Stands before the API of PowerDNS, knows every write that came, and may meddle with it. */
export interface PowerDnsGate {
  readonly url: string
  readonly patches: ReadonlyArray<RecordedPatch>
  /** What happens to the next write before it is let through, and after it was carried out, before its answer. */
  readonly interceptNext: (once: {
    readonly before?: Effect.Effect<unknown>
    readonly after?: Effect.Effect<unknown>
  }) => void
}

/** A write that is met by `before` is let through when that has ended. */
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
      const answer = await forward()
      patch.isDone = answer.ok
      await Effect.runPromise(after)
      return answer
    }
  })
  const gate: PowerDnsGate = {
    url: `http://127.0.0.1:${listener.port}`,
    patches,
    interceptNext: (once) => {
      next = once
    }
  }
  return { gate, listener }
}

const patchOf = (path: string, body: string): RecordedPatch => ({
  zone: path.split("/").at(-1) ?? "",
  sets: JSON.parse(body).rrsets.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`),
  isDone: false
})
