import { Duration, Effect } from "effect"
import type { ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"

/** Reads a zone, and again as long as it is not as expected and may not show every write that was made before. */
export const readUntil = <E>(
  { visibleWithin = Duration.zero }: Pick<ZoneClient, "visibleWithin">,
  read: Effect.Effect<ZoneSnapshot, E>,
  isExpected: (snapshot: ZoneSnapshot) => boolean
): Effect.Effect<ZoneSnapshot, E> => {
  const readAfter = (waited: Duration.Duration): Effect.Effect<ZoneSnapshot, E> =>
    Effect.flatMap(read, (snapshot) => {
      if (Duration.greaterThanOrEqualTo(waited, visibleWithin) || isExpected(snapshot)) return Effect.succeed(snapshot)
      const total = Duration.min(visibleWithin, Duration.sum(waited, Duration.max(waited, firstPause)))
      return Effect.delay(readAfter(total), Duration.subtract(total, waited))
    })
  return readAfter(Duration.zero)
}

const firstPause = Duration.seconds(1)
