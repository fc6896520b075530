import { Effect, Layer } from "effect"
import { initialRecords, scriptedProvider } from "../lifecycle/phases/scriptedProvider.ts"
import { allStores, freshPool } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { allowedNamesContract } from "./allowedNamesContract.ts"
import { apiWithLifecycle } from "./support/apiWithLifecycle.ts"

const stores = allStores

allowedNamesContract((name, body) =>
  live(name, () => {
    const acme = scriptedProvider(...initialRecords)
    return Effect.provide(body(acme), Layer.provideMerge(apiWithLifecycle(acme), Layer.provide(stores, freshPool)))
  })
)
