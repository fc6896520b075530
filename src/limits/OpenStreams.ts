import { Context, Effect, Layer } from "effect"
import type { ConnectionId } from "../domain/connection/Connection.ts"
import { type Tenancy, toTenantKey } from "../domain/access/Tenancy.ts"
import { makeDescriptorCheck, OpenFileLimit } from "../runtime/openFiles.ts"
import { makeBudget } from "./Budget.ts"
import { Overloaded, TooManyStreams } from "./limitErrors.ts"

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

/** The bytes of a connection's document that count as one stream of its tenant: most documents are smaller. */
const bytesPerStream = 4_096

/** Counts open event streams and waiting requests by connection, tenant and descriptors, slow readers by size. */
export class OpenStreams extends Context.Tag("limits/OpenStreams")<
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
        const ofConnections = makeBudget({ perKey: limits.perConnection })
        const ofTenants = makeBudget({ perKey: limits.perTenant })
        const isShortOfDescriptors = makeDescriptorCheck(openFileLimit)
        return {
          limits,
          countOpen: (tenancy) => ofTenants.spentBy(toTenantKey(tenancy)),
          open: ({ bytes = 0, id, tenancy }) =>
            Effect.gen(function* () {
              const tenant = toTenantKey(tenancy)
              const streams = Math.max(1, Math.ceil(bytes / bytesPerStream))
              if (!ofConnections.hasRoom(id)) return yield* makeTooManyStreams("this connection", limits.perConnection)
              if (!ofTenants.hasRoom(tenant, streams)) return yield* makeTooManyStreams("the tenant", limits.perTenant)
              if (isShortOfDescriptors()) return yield* Overloaded.error
              const count = (change: 1 | -1) => {
                ofConnections.spend(id, change)
                ofTenants.spend(tenant, change * streams)
              }
              count(1)
              return () => count(-1)
            })
        }
      })
    )
}

const makeTooManyStreams = (whose: string, limit: number) =>
  new TooManyStreams({
    code: "too_many_streams",
    message: `${whose} has ${limit} event streams and waiting requests open in this process, which is the limit; close some`
  })
