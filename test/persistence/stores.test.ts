import { Layer, TestContext } from "effect"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { storesInMemory } from "../support/apiUnderTest.ts"
import { Backstage } from "./Backstage.ts"
import { freshPool } from "./freshDatabase.ts"
import { storeContract } from "./storeContract.ts"

storeContract(
  "the stores in memory",
  Layer.mergeAll(Identifiers.layerSequence, Backstage.layerMemory).pipe(
    Layer.provideMerge(storesInMemory),
    Layer.provideMerge(TestContext.TestContext)
  )
)

storeContract(
  "the stores in PostgreSQL",
  Layer.mergeAll(
    Identifiers.layerSequence,
    Backstage.layerPostgres,
    ConnectionStore.layer,
    ApiKeyStore.layer,
    BrowserTokenStore.layer
  ).pipe(Layer.provide(freshPool))
)
