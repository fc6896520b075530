import { Context, Effect, Layer } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import { listOpenFiles, OpenFileLimit, readOpenFileLimit } from "../../runtime/openFiles.ts"
import { Overloaded, TooManyStreams } from "../contract/errorResponses.ts"

/** How many event streams and waiting requests may be open at once in this process. */
export interface StreamLimits {
  readonly perConnection: number
  readonly perTenant: number
}

/** Whose stream or waiting request it is. */
export interface StreamedConnection {
  readonly id: ConnectionId
  readonly tenancy: Tenancy
  /** How long the document of the connection is, where a stream keeps it for a client that does not read. */
  readonly bytes?: number
}

/** Of the document of a connection, for which its stream counts as one of its tenant: most documents are smaller. */
const bytesPerStream = 4_096

/**
 * Counts what stays open in this process: event streams, and requests that wait for a plan or for test mode. Own code: the
 * count is by connection, tenant and descriptors together, and a slow reader counts by the size of its document.
 */
export class OpenStreams extends Context.Tag("http/OpenStreams")<
  OpenStreams,
  {
    /** Counts a stream of a connection and its tenant as open; call the function that it returns once, when it has ended. */
    readonly open: (connection: StreamedConnection) => Effect.Effect<() => void, TooManyStreams | Overloaded>
    /** How many streams and waiting requests a tenant has open, where a stream counts for each 4 KiB of its document. */
    readonly countOpen: (tenancy: Tenancy) => number
    /** The limits; infinite if there is none. */
    readonly limits: StreamLimits
  }
>() {
  static readonly layer = (limits: StreamLimits) =>
    Layer.effect(
      OpenStreams,
      Effect.map(OpenFileLimit, (openFileLimit) => {
        const byConnection = new OpenCount()
        const byTenant = new OpenCount()
        const isShortOfDescriptors = makeDescriptorCheck(openFileLimit)
        return {
          limits,
          countOpen: (tenancy) => byTenant.count(toTenantKey(tenancy)),
          open: ({ bytes = 0, id, tenancy }) =>
            Effect.gen(function* () {
              const tenant = toTenantKey(tenancy)
              if (byConnection.count(id) >= limits.perConnection)
                return yield* makeTooManyStreams("this connection", limits.perConnection)
              const streams = Math.max(1, Math.ceil(bytes / bytesPerStream))
              if (byTenant.count(tenant) + streams > limits.perTenant)
                return yield* makeTooManyStreams("the tenant", limits.perTenant)
              if (isShortOfDescriptors()) return yield* Overloaded.error
              byConnection.add(id, 1)
              byTenant.add(tenant, streams)
              return () => {
                byConnection.add(id, -1)
                byTenant.add(tenant, -streams)
              }
            })
        }
      })
    )
}

/** Counts what is open, by key. */
class OpenCount {
  readonly #open = new Map<string, number>()

  count(key: string): number {
    return this.#open.get(key) ?? 0
  }

  add(key: string, count: number): void {
    const open = this.count(key) + count
    if (open > 0) this.#open.set(key, open)
    else this.#open.delete(key)
  }
}

const makeTooManyStreams = (whose: string, limit: number) =>
  new TooManyStreams({
    code: "too_many_streams",
    message: `${whose} has ${limit} event streams and waiting requests open in this process, which is the limit; close some`
  })

const countOpen = (): number => listOpenFiles().length

/**
 * Returns a function that tells whether this process has so many descriptors open that it must not accept what keeps another one:
 * a fifth stays free for requests, the database and DNS. It counts them at most once a second.
 */
export const makeDescriptorCheck = (limit = readOpenFileLimit(), count = countOpen): (() => boolean) => {
  let open = 0
  let countedAt = -Infinity
  return () => {
    const now = performance.now()
    if (now - countedAt > 1_000) {
      open = count()
      countedAt = now
    }
    open += 1
    return open > limit * 0.8
  }
}
