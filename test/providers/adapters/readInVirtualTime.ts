import { Effect } from "effect"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import { makeVirtualTime } from "../../support/vendors/virtualTime.ts"
import { openZone } from "./AdapterUnderTest.ts"
import { type DescribedAdapter, makeFakeOf, underTest } from "./DescribedAdapter.ts"

/** Reads a zone with these lines at a fake, whose clock is that of the adapter: how it was asked, and how long that took. */
export const readInVirtualTime = <Data>(adapter: DescribedAdapter<Data>, lines: string) =>
  Effect.gen(function* () {
    const time = makeVirtualTime()
    const fake = yield* makeFakeOf(adapter, lines, { clock: time.now })
    const tested = underTest(adapter, fake, { http: time.track(httpClientFor(fake), fake) })
    const opened = yield* time.run(openZone(tested, {}))
    const [callsBefore, began] = [fake.calls().length, time.now()]
    const { zone } = yield* time.run(opened.read)
    const times = fake.calls().flatMap(({ now }, index) => (index < callsBefore ? [] : now))
    return {
      records: zone.records,
      calls: times.length,
      shortestPause: Math.min(...times.slice(1).map((now, index) => now - (times[index] ?? 0))),
      elapsed: time.now() - began
    }
  })
