import { Effect, Layer } from "effect"
import { initialRecords, scriptedProvider } from "../lifecycle/phases/scriptedProvider.ts"
import { live } from "../support/effectTest.ts"
import { storesInMemory } from "../support/testApi.ts"
import { allowedNamesContract } from "./allowedNamesContract.ts"
import { apiWithLifecycle } from "./support/apiWithLifecycle.ts"

allowedNamesContract((name, body) =>
  live(name, () => {
    const acme = scriptedProvider(...initialRecords)
    return Effect.provide(body(acme), Layer.provideMerge(apiWithLifecycle(acme), storesInMemory))
  })
)
