import { Effect } from "effect"
import { catalogAdapters } from "../src/providers/catalog/catalogAdapters.ts"
import { vendorsUnderTest } from "../test/providers/adapters/vendorsUnderTest.ts"
import { missingVendorData } from "../test/support/vendors/vendorData.ts"
import { formatTable, type Report, roundToThreeDigits } from "./Report.ts"
import { compareStarts } from "./compareStarts.ts"
import { type LargeZoneRead, readLargeZone } from "./readLargeZone.ts"

/**
 * Measures what the adapters of the catalogued providers cost: reading a zone of 10,000 records at each vendor within
 * its rate limit, planning in it, and the start of the service with and without them.
 */
export const providers: Effect.Effect<Report> = Effect.gen(function* () {
  const zones = missingVendorData === undefined ? yield* Effect.forEach(vendorsUnderTest, readLargeZone) : []
  const start = yield* compareStarts
  return {
    title: "Providers: the adapters of the catalog",
    lines: [
      ...(missingVendorData === undefined
        ? formatTable([["zone of 10,000 records", "", "paused s", "plan ms"], ...zones.map(rowOf)])
        : [`zones are not measured: ${missingVendorData}`]),
      `Until /readyz: with all ${adapterCount} adapters ${roundToThreeDigits(start.ready.withAdapters)} ms, with all switched off ${roundToThreeDigits(start.ready.without)} ms.`,
      `The adapters add ${roundToThreeDigits(start.addedMillis)} ms of processor time to building the providers; loading all, which happens one by one at their first use, takes ${roundToThreeDigits(start.loadMillis)} ms.`
    ],
    figures: { zones, start },
    targets: [
      ...zones.map(({ planMillis, vendor }) => ({
        kind: "gate" as const,
        what: `ms to plan in a zone of 10,000 records at ${vendor}`,
        value: planMillis,
        atMost: 250
      })),
      {
        kind: "gate",
        what: "ms of processor time that the adapters add to a start",
        value: start.addedMillis,
        atMost: 50
      }
    ]
  }
})

const rowOf = ({ pausedSeconds, planMillis, vendor }: LargeZoneRead) => [
  vendor,
  "",
  pausedSeconds.toFixed(1),
  planMillis.toFixed(1)
]

const adapterCount = Object.keys(catalogAdapters).length
