import { Layer, TestContext } from "effect"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { storesInMemory } from "../../support/testApi.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { allStores, freshPool } from "../freshDatabase.ts"
import { storeContract } from "./storeContract.ts"

storeContract(
  "the stores in memory",
  Layer.mergeAll(sequentialIdentifiers, StoreFixture.layerMemory).pipe(
    Layer.provideMerge(storesInMemory),
    Layer.provideMerge(TestContext.TestContext)
  )
)

storeContract(
  "the stores in PostgreSQL",
  Layer.mergeAll(allStores, sequentialIdentifiers, StoreFixture.layerPostgres).pipe(Layer.provide(freshPool))
)
