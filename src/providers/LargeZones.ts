import { Effect, FiberRef } from "effect"
import { QueryRequester } from "../dns/transport/Query.ts"
import { makeFairSemaphore } from "../runtime/FairSemaphore.ts"
import type { ProviderError } from "./ProviderError.ts"

/** How many bytes a zone takes at most as its provider sends it, and up to how many it counts as small. */
export interface ZoneSizeLimits {
  readonly maxBytes: number
  readonly smallBytes: number
}

/** The permit of one operation to hold large zones; it is undefined until the operation meets one. */
interface LargeZonePermit {
  release: (() => void) | undefined
}

/**
 * Runs an operation that may read a zone several times and keeps what it read. At most two operations of the process
 * hold large zones at once, one of each tenant, because a zone of 14 MB takes 170 MB of memory; others wait, and those of
 * all tenants take turns. Small zones never wait.
 */
export const withLargeZones = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync((): LargeZonePermit => ({ release: undefined })),
    (permit) => Effect.locally(operation, currentPermit, permit),
    (permit) => Effect.sync(() => permit.release?.())
  )

/**
 * Reads a zone whose size is not known before. `admits` says whether that many bytes may be received; a read that
 * receives more fails with `too_large`. If no permit is free for a large zone, it is read again once there is one.
 */
export const readAdmitted = <A>(
  read: (admits: (bytes: number) => boolean) => Effect.Effect<A, ProviderError>,
  limits: ZoneSizeLimits
): Effect.Effect<A, ProviderError> =>
  Effect.flatMap(Effect.all([FiberRef.get(currentPermit), QueryRequester]), ([permit, requester]) => {
    if (permit === undefined) return withLargeZones(readAdmitted(read, limits))
    const { maxBytes, smallBytes } = limits
    const mayHoldLarge = () => permit.release !== undefined || takeFreePermit(permit, requester)
    return Effect.catchIf(
      read((bytes) => bytes <= smallBytes || (bytes <= maxBytes && mayHoldLarge())),
      ({ kind }) => kind === "too_large" && permit.release === undefined,
      () =>
        Effect.zipRight(
          waitForPermit(permit, requester),
          read((bytes) => bytes <= maxBytes)
        )
    )
  })

const currentPermit = FiberRef.unsafeMake<LargeZonePermit | undefined>(undefined)

/** The second permit is for another tenant, so that nobody's large zones wait for those of one tenant alone. */
const permits = makeFairSemaphore({ permits: 2, reserved: 1 })

const takeFreePermit = (permit: LargeZonePermit, requester: string): boolean => {
  let isHeld = false
  acquirePermit(permit, requester, () => (isHeld = true))
  if (!isHeld) {
    permit.release?.()
    permit.release = undefined
  }
  return isHeld
}

/** The operation leaves the queue when it ends, as it releases its permit. */
const waitForPermit = (permit: LargeZonePermit, requester: string): Effect.Effect<void> =>
  Effect.async((resume) => acquirePermit(permit, requester, () => resume(Effect.void)))

const acquirePermit = (permit: LargeZonePermit, requester: string, onHeld: () => void): void => {
  permit.release = permits.acquire(requester, onHeld)
}
