import { Effect } from "effect"
import { readdirSync } from "node:fs"
import type { AttackContext } from "./Attack.ts"
import type { SocketOptions } from "./attackTrafficProcess.ts"

/** Formats the head of an HTTP request, with its body if it has one. */
export const formatRawRequest = (method: string, path: string, headers: ReadonlyArray<string>, body = "") =>
  [`${method} ${path} HTTP/1.1`, "host: 127.10.2.1", ...headers, "", body].join("\r\n")

/** Computes how many sockets fit: open files are limited for the service and for the attackers alike, and at most half of them are for these. */
export const computeSocketCount = (requested: number) => {
  const limit = Bun.spawnSync(["sh", "-c", "ulimit -n"]).stdout.toString().trim()
  const descriptorLimit = limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit)
  return { descriptorLimit, count: Math.min(requested, Math.floor(descriptorLimit / 2)) }
}

/** How many descriptors a process has open. */
export const countDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Opens sockets, keeps them until the attack ends, and closes them. */
export const holdSockets = (
  { millis, service, traffic }: AttackContext,
  options: Omit<SocketOptions, "hostname" | "port">,
  meanwhile: Effect.Effect<unknown> = Effect.void
) =>
  Effect.gen(function* () {
    const { hostname, port } = service.attackers
    const startedAt = performance.now()
    yield* traffic("openSockets", { hostname, port, ...options })
    yield* meanwhile
    yield* Effect.sleep(Math.max(0, millis - (performance.now() - startedAt)))
    return yield* traffic("closeSockets", undefined)
  })
