import { Context, Deferred, Effect, FiberId, FiberRef, Layer } from "effect"
import { LruMap } from "./BoundedMap.ts"
import { type FairQueue, makeFairQueue, type Permit } from "./FairQueue.ts"
import { RateLimited } from "./limitErrors.ts"
import type { RequestSource } from "./RequestSource.ts"

/** Limits how many requests run at once: tenants take turns, then their servers and browsers, then connections. */
export class ConcurrencyLimiter extends Context.Tag("http/ConcurrencyLimiter")<
  ConcurrencyLimiter,
  {
    /** Waits for a permit, held until the response or `releasePermit`; many permits of a tenant lower its priority. */
    readonly acquire: (holder: PermitHolder, source: RequestSource) => Effect.Effect<void, RateLimited>
  }
>() {
  static readonly layer = Layer.sync(ConcurrencyLimiter, () => {
    const ownStatements = makePermits(permitsForOwnStatements)
    const sharedStatements = makePermits(permitsForSharedStatements)

    const acquire = (holder: PermitHolder, source: RequestSource): Effect.Effect<void, RateLimited> =>
      Effect.suspend(() => {
        releasePermit(holder)
        const { acquirePermits, countOf, findFullQueue } = holder.sharesStatements ? sharedStatements : ownStatements
        let isGranted = false
        const decided = Deferred.unsafeMake<void, RateLimited>(FiberId.none)
        const release = acquirePermits(
          source,
          () => {
            isGranted = true
            Deferred.unsafeDone(decided, Effect.void)
          },
          () => Deferred.unsafeDone(decided, tooManyWaiting(waitingOf.allUnknown))
        )
        if (release === undefined) return tooManyWaiting(findFullQueue(source))
        holder.permit = { release, acquireAgain: acquire(holder, source) }
        const setPriority = () => FiberRef.set(FiberRef.currentSchedulingPriority, countOf(source.tenant).held)
        return isGranted ? setPriority() : Effect.flatMap(Deferred.await(decided), setPriority)
      })
    return { acquire }
  })
}

/** A request, which holds its permit until its response. */
export interface PermitHolder {
  /** Whether all statements of the request are shared with others, as `StatementSharing` declares. */
  readonly sharesStatements: boolean
  permit?: HeldPermit | undefined
}

interface HeldPermit {
  readonly release: () => void
  readonly acquireAgain: Effect.Effect<void, RateLimited>
}

/** Gives back a request's permit. Call it before waiting for anything but the database, so that others can work. */
export const releasePermit = (holder: PermitHolder): void => {
  const { permit } = holder
  holder.permit = undefined
  permit?.release()
}

/** Waits for the client without the permit that its request holds; a slow client would keep others from their work. */
export const withoutPermit = <A>(holder: PermitHolder, awaitClient: Effect.Effect<A>): Effect.Effect<A, RateLimited> =>
  Effect.suspend(() => {
    const { permit } = holder
    if (permit === undefined) return awaitClient
    releasePermit(holder)
    return Effect.zipLeft(awaitClient, permit.acquireAgain)
  })

interface PermitCounts {
  readonly all: number
  readonly tenant: number
  /** The permits of a tenant's browsers, and of one connection's browsers. */
  readonly browsers: number
  readonly connection: number
  /** The permits of one address with unknown credentials. */
  readonly address: number
}

const makePermits = (counts: PermitCounts) => {
  const everybody = makeFairQueue({ permits: counts.all, leavesHalfFree: true })
  const serversAndBrowsers = new LruMap<string, FairQueue>(maxTenants)
  const connections = new LruMap<string, FairQueue>(maxTenants)
  const serversAndBrowsersOf = (tenant: string) =>
    serversAndBrowsers.getOrMake(tenant, () =>
      makeFairQueue({ permits: counts.tenant, maxQueuedPerKey: queueOf.server })
    )
  const connectionsOf = (tenant: string) =>
    connections.getOrMake(tenant, () =>
      makeFairQueue({
        permits: counts.browsers,
        reserved: counts.browsers - counts.connection,
        maxQueuedPerKey: queueOf.browser
      })
    )
  const addresses = makeFairQueue({
    permits: counts.tenant,
    reserved: counts.tenant - counts.address,
    maxQueuedPerKey: queueOf.unknown,
    maxQueued: queueOfAddresses
  })
  return {
    countOf: everybody.countOf,
    findFullQueue: ({ client, kind }: RequestSource): string =>
      kind === "unknown" && addresses.countOf(client).queued < queueOf.unknown ? waitingOf.allUnknown : waitingOf[kind],
    acquirePermits: ({ client, kind, tenant }: RequestSource, start: () => void, onRemoved: () => void) =>
      acquireEach(
        [
          ...(kind === "browser" ? [[connectionsOf(tenant), client] as const] : []),
          kind === "unknown" ? [addresses, client, onRemoved] : [serversAndBrowsersOf(tenant), kind],
          [everybody, tenant]
        ],
        start
      )
  }
}

/** The queue of a permit, the key in it, and what happens if the request must leave it. */
type PlaceInQueue = readonly [queue: FairQueue, key: string, onRemoved?: () => void]

/** Acquires permits one by one. Only the first queue can be full: the next get no more than it has permits. */
const acquireEach = (requests: ReadonlyArray<PlaceInQueue>, start: () => void): (() => void) | undefined => {
  const permits: Array<Permit | undefined> = []
  const acquireNext = (nth: number): void => {
    const request = requests[nth]
    if (request === undefined) return start()
    const [queue, key, onRemoved] = request
    permits[nth] = queue.acquire(key, () => acquireNext(nth + 1), onRemoved)
  }
  acquireNext(0)
  return permits[0] === undefined ? undefined : () => permits.toReversed().forEach((permit) => permit?.release())
}

/**
 * A request with statements of its own uses one of the ten connections to the database at a time, so that more permits
 * would make nothing faster. One tenant gets six, a second one three and so on: with the three reads for waiting
 * requests (see `ConnectionReads`), one connection is always left for others. Two are left to the servers of the
 * tenant, and two to the browsers of its other connections. A new credential from another address is checked meanwhile.
 */
export const permitsForOwnStatements: PermitCounts = { all: 12, tenant: 6, browsers: 4, connection: 2, address: 4 }

/** Requests that share a statement share its connection. One tenant has fewer permits than `streamPriority`. */
export const permitsForSharedStatements: PermitCounts = {
  all: 64,
  tenant: 32,
  browsers: 16,
  connection: 8,
  address: 16
}

/** How many requests may wait for their turn: of the servers of a tenant, the browsers of a connection, an address. */
export const queueOf = { server: 1_000, browser: 100, unknown: 1_000 }

/** The queue of all addresses together: about a second's work, which bounds how long a new one waits. */
const queueOfAddresses = 2_000

/** The tenants whose queues are kept; a queue is forgotten once so many others were used after it. */
const maxTenants = 4_000

const formatCount = (count: number) => count.toLocaleString("en")

/** Which requests wait in a full queue. */
const waitingOf = {
  server: `${formatCount(queueOf.server)} requests of this tenant's servers`,
  browser: `${formatCount(queueOf.browser)} requests from browsers for this connection`,
  unknown: `${formatCount(queueOf.unknown)} requests with unknown credentials of this address`,
  allUnknown: `${formatCount(queueOfAddresses)} requests with unknown credentials of all addresses`
}

const tooManyWaiting = (waiting: string) =>
  RateLimited.of(`${waiting} wait for their turn already; try again, with fewer requests at once`, 1)
