import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { catalogAdapters } from "../src/providers/catalog/catalogAdapters.ts"
import { vendorsUnderTest } from "../test/providers/adapters/vendorsUnderTest.ts"
import { missingVendorData } from "../test/support/vendors/vendorData.ts"
import { emptyDataDirectory, startMainProcess } from "./MainProcess.ts"
import { formatTable, median, type Report, roundToThreeDigits } from "./Report.ts"
import { type LargeZoneRead, readLargeZone } from "./readLargeZone.ts"

/**
 * Measures what the adapters of the catalogued providers cost: reading a zone of 10,000 records at each vendor within
 * its rate limit, planning in it, and the start of the service with and without them.
 */
export const providers: Effect.Effect<Report> = Effect.gen(function* () {
  const zones = missingVendorData === undefined ? yield* Effect.forEach(vendorsUnderTest, readLargeZone) : []
  const start = yield* compareStarts
  const loadMillis = yield* loadingMillis
  return {
    title: "Providers: the adapters of the catalog",
    lines: [
      ...(missingVendorData === undefined
        ? formatTable([["zone of 10,000 records", "", "paused s", "plan ms"], ...zones.map(rowOf)])
        : [`zones are not measured: ${missingVendorData}`]),
      `Until /readyz: with all ${adapterCount} adapters ${describeStart(start.withAdapters)}, with all switched off ${describeStart(start.without)} (medians of ${startPairs}).`,
      `At the first use, loading all ${adapterCount} one after the other takes ${roundToThreeDigits(loadMillis)} ms.`
    ],
    figures: { zones, start, loadMillis },
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

const startPairs = 7

/** A start of the service, until it is ready. */
interface StartTimes {
  readonly millis: number
  readonly cpuMillis: number
}

const describeStart = ({ cpuMillis, millis }: StartTimes): string =>
  `${roundToThreeDigits(millis)} ms, ${roundToThreeDigits(cpuMillis)} of them processor time`

/**
 * Starts with and without the adapters take turns. What they add is the median of the differences of neighbours in
 * processor time: the adapters wait for nothing.
 */
const compareStarts = Effect.gen(function* () {
  const directory = yield* emptyDataDirectory
  const switchedOff = `${directory}/providers.json`
  const settings = Object.keys(catalogAdapters).map((id) => ({ id, implementation: "manual" }))
  yield* Effect.sync(() => writeFileSync(switchedOff, JSON.stringify(settings)))
  const measureStart = (environment: Readonly<Record<string, string>>) =>
    Effect.scoped(
      Effect.map(startMainProcess(directory, environment), ({ readyMillis, startCpuMillis }): StartTimes => ({
        millis: readyMillis,
        cpuMillis: startCpuMillis
      }))
    )
  // The first start creates the database.
  yield* measureStart({})
  const pairs = yield* Effect.replicateEffect(
    Effect.all({ withAdapters: measureStart({}), without: measureStart({ PROVIDERS_FILE: switchedOff }) }),
    startPairs
  )
  return {
    withAdapters: medianStart(pairs.map(({ withAdapters }) => withAdapters)),
    without: medianStart(pairs.map(({ without }) => without)),
    addedMillis: median(pairs.map(({ without, withAdapters }) => withAdapters.cpuMillis - without.cpuMillis))
  }
})

const medianStart = (starts: ReadonlyArray<StartTimes>): StartTimes => ({
  millis: median(starts.map(({ millis }) => millis)),
  cpuMillis: median(starts.map(({ cpuMillis }) => cpuMillis))
})

/** The median time in which a process that has the service's modules loads all adapters. */
const loadingMillis = Effect.map(
  Effect.replicateEffect(
    Effect.promise(async () => {
      const child = Bun.spawn([process.execPath, `${import.meta.dir}/subjects/loadAdapters.ts`], {
        stdio: ["ignore", "pipe", 2]
      })
      return Number(await child.stdout.text())
    }),
    3
  ),
  median
)
