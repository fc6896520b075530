import { Context, Effect, Layer } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import { Overloaded, RateLimited } from "../contract/errorResponses.ts"
import { makeDescriptorCheck } from "./openFiles.ts"

/** How many event streams and waiting requests may be open at once in this process. */
export interface StreamLimits {
  readonly perConnection: number
  readonly perTenant: number
}

/** Whose stream or waiting request it is. */
export interface StreamedConnection {
  readonly id: ConnectionId
  readonly tenancy: Tenancy
}

/** Counts what stays open in this process: event streams, and requests that wait for a plan. */
export class StreamSlots extends Context.Tag("http/StreamSlots")<
  StreamSlots,
  {
    /** Takes a slot of a connection and its tenant; call the function that it returns once, to give the slot back. */
    readonly take: (connection: StreamedConnection) => Effect.Effect<() => void, RateLimited | Overloaded>
    /** How many slots a tenant has taken. */
    readonly countOf: (tenancy: Tenancy) => number
    /** Infinite where nothing limits them. */
    readonly limits: StreamLimits
  }
>() {
  static readonly layer = (limits: StreamLimits) =>
    Layer.sync(StreamSlots, () => {
      const ofConnections = new OpenCount()
      const ofTenants = new OpenCount()
      const isShortOfDescriptors = makeDescriptorCheck()
      return {
        limits,
        countOf: (tenancy) => ofTenants.of(toTenantKey(tenancy)),
        take: ({ id, tenancy }) =>
          Effect.gen(function* () {
            const tenant = toTenantKey(tenancy)
            if (ofConnections.of(id) >= limits.perConnection)
              return yield* tooManyStreams("this connection", limits.perConnection)
            if (ofTenants.of(tenant) >= limits.perTenant) return yield* tooManyStreams("the tenant", limits.perTenant)
            if (isShortOfDescriptors()) return yield* Overloaded.error
            ofConnections.add(id)
            ofTenants.add(tenant)
            return () => {
              ofConnections.remove(id)
              ofTenants.remove(tenant)
            }
          })
      }
    })
}

/** Counts what is open, by key. */
class OpenCount {
  readonly #open = new Map<string, number>()

  of(key: string): number {
    return this.#open.get(key) ?? 0
  }

  add(key: string): void {
    this.#open.set(key, this.of(key) + 1)
  }

  remove(key: string): void {
    const left = this.of(key) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}

const tooManyStreams = (whose: string, limit: number) =>
  new RateLimited({
    code: "too_many_streams",
    message: `${whose} has ${limit} event streams and waiting requests open in this process, which is the limit; close some`
  })
