import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { apply, requestAt, withPlanApplierOnRealClock } from "../../lifecycle/apply/applyFixtures.ts"
import { live } from "../../support/effectTest.ts"
import { httpClientFor } from "../../support/vendors/httpClientFor.ts"
import type { RateLimit } from "../../support/vendors/rateLimit.ts"
import { makeVirtualTime } from "../../support/vendors/virtualTime.ts"
import { openZone, sendWrites } from "./AdapterUnderTest.ts"
import {
  createChange,
  type DescribedAdapter,
  hostLines,
  makeFakeOf,
  recordAt,
  recordsIn,
  underTest
} from "./DescribedAdapter.ts"

/** Declares that an adapter keeps to the rates at which its vendor takes calls, in a zone of 10,000 hosts. */
export const testRateLimit = <Data>(
  adapter: DescribedAdapter<Data>,
  {
    rateLimit,
    reads
  }: { readonly rateLimit: RateLimit; /** To open and read the zone twice. */ readonly reads: number }
): void =>
  describe(`the rate limit of ${adapter.name}`, () => {
    const shop = createChange(recordAt("shop", "CNAME", "shops.example.net"))
    const makeLargeZone = Effect.gen(function* () {
      const limited = { ...adapter, vendor: { ...adapter.vendor, rateLimit } }
      const time = makeVirtualTime()
      const fake = yield* makeFakeOf(limited, hostLines(10_000), { clock: time.now })
      return { time, fake, subject: underTest(limited, fake, { http: time.track(httpClientFor(fake), fake) }) }
    })

    live("is enough to open, read, change and read again a zone of 10,000 hosts", () =>
      Effect.gen(function* () {
        const { fake, subject, time } = yield* makeLargeZone
        const before = recordsIn(fake).length
        const { zone } = yield* time.run(
          Effect.gen(function* () {
            const opened = yield* openZone(subject, {})
            yield* sendWrites(yield* opened.read, [shop], opened)
            return yield* opened.read
          })
        )
        expect(zone.records).toHaveLength(before + 1)
        expect(fake.calls().map(({ outcome }) => outcome)).not.toContain(429)
        expect(fake.calls().filter(({ isWrite }) => !isWrite)).toHaveLength(reads)
      })
    )

    live("does not fail a plan for a zone of 10,000 hosts that is planned, written and checked within a minute", () =>
      Effect.gen(function* () {
        const { fake, subject, time } = yield* makeLargeZone
        yield* time.run(
          Effect.gen(function* () {
            yield* Effect.flatMap(openZone(subject, {}), ({ read }) => read)
            const client = yield* openZone(subject, {})
            const snapshot = yield* client.read
            const at = { client, snapshotNow: () => snapshot, now: () => snapshot.zone }
            yield* withPlanApplierOnRealClock(apply(requestAt(at, [shop])))
          })
        )
        expect(recordsIn(fake).at(-1)).toMatchObject({ type: "CNAME" })
        expect(fake.calls().map(({ outcome }) => outcome)).toContain(429)
      })
    )
  })
