import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { catalogAdapters } from "../src/providers/catalog/catalogAdapters.ts"
import { emptyDataDirectory, startMainProcess } from "./MainProcess.ts"
import { median } from "./Report.ts"

/** What the adapters of the catalog cost at the start, in milliseconds. */
export interface StartComparison {
  /** From the start of the service to the first 200 of `/readyz`, with all adapters and with all switched off. */
  readonly ready: { readonly withAdapters: number; readonly without: number }
  /** The processor time that the adapters add to building the providers. */
  readonly addedMillis: number
  /** The processor time of loading all adapters, each of which the service loads at its first use. */
  readonly loadMillis: number
}

/**
 * Starts the service with and without the adapters, in turns. Whole starts differ by more than the adapters cost, so
 * that their processor time is measured separately, in processes that have loaded the modules of the service.
 */
export const compareStarts: Effect.Effect<StartComparison> = Effect.gen(function* () {
  const directory = yield* emptyDataDirectory
  const file = `${directory}/providers.json`
  const settings = Object.keys(catalogAdapters).map((id) => ({ id, implementation: "manual" }))
  yield* Effect.sync(() => writeFileSync(file, JSON.stringify(settings)))
  const switchedOff = { PROVIDERS_FILE: file }
  const measureReady = (environment: Readonly<Record<string, string>>) =>
    Effect.scoped(Effect.map(startMainProcess(directory, environment), ({ readyMillis }) => readyMillis))
  // The first start creates the database.
  yield* measureReady({})
  const pairs = yield* Effect.replicateEffect(
    Effect.all({
      ready: Effect.all({ withAdapters: measureReady({}), without: measureReady(switchedOff) }),
      withAdapters: startProviders("with"),
      without: startProviders("without")
    }),
    pairCount
  )
  return {
    ready: {
      withAdapters: median(pairs.map(({ ready }) => ready.withAdapters)),
      without: median(pairs.map(({ ready }) => ready.without))
    },
    addedMillis: median(pairs.map(({ without, withAdapters }) => withAdapters.buildMillis - without.buildMillis)),
    loadMillis: median(pairs.map(({ withAdapters }) => withAdapters.loadMillis))
  }
})

const pairCount = 3

/** What `subjects/startProviders.ts` prints. */
interface ProviderTimes {
  readonly buildMillis: number
  readonly loadMillis: number
}

const startProviders = (adapters: "with" | "without") =>
  Effect.promise(async (): Promise<ProviderTimes> => {
    const child = Bun.spawn([process.execPath, `${import.meta.dir}/subjects/startProviders.ts`, adapters], {
      stdio: ["ignore", "pipe", 2]
    })
    return JSON.parse(await child.stdout.text())
  })
