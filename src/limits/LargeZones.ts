import { Data, Deferred, Duration, Effect, FiberId, FiberRef, Option } from "effect"
import { makeFairQueue, type Permit } from "./FairQueue.ts"
import { Requester } from "./RequestSource.ts"

/** How many bytes a zone takes at most as its provider sends it, and up to how many it counts as small. */
export interface ZoneSizeLimits {
  readonly maxBytes: number
  readonly smallBytes: number
}

/** The permit of one operation to hold large zones, for which it queues once it meets one. */
interface LargeZonePermit {
  isHeld: boolean
  readonly granted: Deferred.Deferred<void>
  /** Absent until the operation meets a large zone. */
  permit: Permit | undefined
}

/** No permit for a large zone became free in time: nothing was read, and the operation may run again. */
export class LargeZonesBusy extends Data.TaggedError("LargeZonesBusy") {}

/**
 * Runs an operation that may keep zones in memory. At most two operations of the process, of two tenants, hold large
 * zones, because one of 14 MB takes 170 MB; others wait in turns, 30 seconds at most. Small zones never wait.
 */
export const withLargeZones = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E | LargeZonesBusy, R> =>
  Effect.acquireUseRelease(
    Effect.sync((): LargeZonePermit => ({
      isHeld: false,
      granted: Deferred.unsafeMake(FiberId.none),
      permit: undefined
    })),
    (current) => Effect.locally(operation, currentPermit, current),
    (current) => Effect.sync(() => current.permit?.release())
  ).pipe(
    Effect.catchSomeDefect((defect) =>
      defect instanceof LargeZonesBusy ? Option.some(Effect.fail(defect)) : Option.none()
    )
  )

/** Reads a zone, again with a permit if it is large. `admits` limits the bytes received; more fail with `too_large`. */
export const readWithinSize = <A, E extends { readonly kind: string }>(
  read: (admits: (bytes: number) => boolean) => Effect.Effect<A, E>,
  limits: ZoneSizeLimits
): Effect.Effect<A, E | LargeZonesBusy> =>
  Effect.flatMap(Effect.zip(FiberRef.get(currentPermit), Requester), ([current, requester]) => {
    if (current === undefined) return withLargeZones(readWithinSize(read, limits))
    const { maxBytes, smallBytes } = limits
    return Effect.suspend(() => {
      let needsPermit = false
      const mayHoldLarge = () => {
        queueForPermit(current, requester)
        needsPermit = !current.isHeld
        return current.isHeld
      }
      return Effect.catchIf(
        read((bytes) => bytes <= smallBytes || (bytes <= maxBytes && mayHoldLarge())),
        ({ kind }) => kind === "too_large" && needsPermit,
        () =>
          Effect.zipRight(
            waitForPermit(current),
            read((bytes) => bytes <= maxBytes)
          )
      )
    })
  })

const currentPermit = FiberRef.unsafeMake<LargeZonePermit | undefined>(undefined)

export const largeZonesAtOnce = 2

/** The second permit is for another tenant, so that nobody's large zones wait for those of one tenant alone. */
const permits = makeFairQueue({ permits: largeZonesAtOnce, reserved: 1 })

/** All reads of an operation wait in one place of the queue, which the operation leaves when it ends. */
const queueForPermit = (current: LargeZonePermit, requester: string): void => {
  current.permit ??= permits.acquire(requester, () => {
    current.isHeld = true
    Deferred.unsafeDone(current.granted, Effect.void)
  })
}

/** Waits for a permit. Too long a wait is a defect: a failure of the provider would be retried. */
const waitForPermit = ({ granted }: LargeZonePermit): Effect.Effect<void> =>
  Deferred.await(granted).pipe(
    Effect.timeoutFail({ duration: longestWait, onTimeout: () => new LargeZonesBusy() }),
    Effect.orDie,
    Effect.interruptible
  )

/** Ends long before a phase counts as stalled. */
const longestWait = Duration.seconds(30)
