import { Effect } from "effect"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import type { Timeouts } from "../../../src/providers/ProviderClient.ts"
import type { DescribedZones } from "../../support/vendors/DescribedVendor.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { makeVirtualTime } from "../../support/vendors/virtualTime.ts"
import { openZone, sendWrites } from "./AdapterUnderTest.ts"
import { type DescribedAdapter, startFake, underTest } from "./DescribedAdapter.ts"

/** The adapter and a fake whose clock is that of the adapter, which `run` lets pass. */
export const startInVirtualTime = <Data>(
  adapter: DescribedAdapter<Data>,
  records: DescribedZones<Data>[string],
  timeouts?: Timeouts
) =>
  Effect.gen(function* () {
    const { now, run, track, trackCrypto } = makeVirtualTime()
    yield* trackCrypto
    const { fake, lines: shown, open, read, writes } = yield* startFake(adapter, records, { clock: now })
    const http = track(httpClientFor(fake), fake)
    const tested = underTest(adapter, fake, { http, ...(timeouts && { timeouts }) })
    return {
      fake,
      now,
      open,
      read,
      run,
      /** The records below the apex now, as lines of a zone file. */
      shown,
      tested,
      writes,
      /** Writes a change as a run does; the result has a failure's code, or what it is. */
      write: (change: Change) =>
        openZone(tested, {}).pipe(
          Effect.flatMap((opened) => Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, [change], opened))),
          Effect.match({
            onFailure: (failure) =>
              failure._tag === "ProviderFailure" ? failure.code : `${failure._tag}: ${failure.detail}`,
            onSuccess: () => "made"
          }),
          run
        )
    }
  })

/** Reads a zone with these lines at a fake, whose clock is that of the adapter: how it was asked, and how long that took. */
export const readInVirtualTime = <Data>(adapter: DescribedAdapter<Data>, lines: string) =>
  Effect.gen(function* () {
    const { fake, now, run, tested } = yield* startInVirtualTime(adapter, lines)
    const opened = yield* run(openZone(tested, {}))
    const [callsBefore, began] = [fake.calls().length, now()]
    const { zone } = yield* run(opened.read)
    const times = fake.calls().flatMap(({ now }, index) => (index < callsBefore ? [] : now))
    return {
      records: zone.records,
      calls: times.length,
      shortestPause: Math.min(...times.slice(1).map((now, index) => now - (times[index] ?? 0))),
      elapsed: now() - began
    }
  })
