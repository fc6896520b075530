import { Clock, Duration, Effect, Either } from "effect"
import { splitUpdates } from "../src/domain/plan/RunChange.ts"
import { loadRecords, openZone, planFrom, resolvedIntentOf } from "../test/providers/adapters/AdapterUnderTest.ts"
import type { VendorUnderTest } from "../test/providers/adapters/vendorsUnderTest.ts"
import { median } from "./Report.ts"

/** How a zone of 10,000 records at one vendor was read and planned in. */
export interface LargeZoneRead {
  readonly vendor: string
  readonly records: number
  /** What the adapter waited between its calls to stay within the vendor's rate limit. */
  readonly pausedSeconds: number
  /** Processor time of a plan in the zone and of preparing its writes, for a typical request. */
  readonly planMillis: number
}

/** Reads a zone of 10,000 records through the adapter of a vendor from its fake, and plans in it. */
export const readLargeZone = ({ id, make }: VendorUnderTest): Effect.Effect<LargeZoneRead> =>
  Effect.scoped(
    Effect.gen(function* () {
      const time = makePauseClock()
      const vendor = yield* make({ clock: time.now })
      yield* loadRecords(vendor, vendor.zone, lines)
      const beganAt = time.now()
      const [opened, snapshot] = yield* openZone(vendor, {}).pipe(
        Effect.flatMap((opened) => Effect.map(opened.read, (snapshot) => [opened, snapshot] as const)),
        Effect.withClock(time.clock)
      )
      const pausedSeconds = (time.now() - beganAt) / 1_000
      const intent = resolvedIntentOf(vendor.zone, { desired })
      const plan = () => {
        const { changes } = planFrom(snapshot, intent, opened)
        return Either.getOrThrow(snapshot.planWrites(splitUpdates(changes, opened.canUpdate ?? (() => true))))
      }
      for (let warmUp = 0; warmUp < runs; warmUp += 1) plan()
      const planMillis = median(Array.from({ length: runs }, () => processorMillisOf(plan)))
      return { vendor: id, records: snapshot.zone.records.length, pausedSeconds, planMillis }
    }).pipe(Effect.orDie)
  )

const runs = 15

/** Every host has an A and a TXT. */
const lines = Array.from({ length: 5_000 }, (_, nth) =>
  [`h${nth} 3600 A 10.0.${nth >> 8}.${nth & 255}`, `h${nth} 3600 TXT "number ${nth}"`].join("\n")
).join("\n")

/** One record that the plan replaces, and five new ones. */
const desired = [
  "h7 3600 A 203.0.113.1",
  "www 3600 CNAME web.hostprov.net",
  "@ 3600 TXT v=spf1 include:_spf.mailprov.net -all",
  "_verify 3600 TXT platform-verification=example",
  "shop 3600 CNAME web.hostprov.net",
  "@ 3600 MX 10 mx1.mailprov.net"
]

const processorMillisOf = (run: () => unknown): number => {
  const before = process.cpuUsage()
  run()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000
}

/**
 * A clock on which only pauses take time, and at once. Longer sleeps are time-outs, which never come: a call to a fake
 * takes no time on it.
 */
const makePauseClock = () => {
  let now = Date.UTC(2026, 0, 1)
  const clock: Clock.Clock = Object.assign(Object.create(Clock.make()), {
    sleep: (duration: Duration.Duration) =>
      Duration.lessThan(duration, "1 second")
        ? Effect.sync(() => void (now += Duration.toMillis(duration)))
        : Effect.never,
    unsafeCurrentTimeMillis: () => now,
    currentTimeMillis: Effect.sync(() => now)
  })
  return { clock, now: () => now }
}
