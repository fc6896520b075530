import { Layer, TestContext } from "effect"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { ConnectionViews } from "../../src/persistence/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/CredentialStore.ts"
import { Journal } from "../../src/persistence/Journal.ts"
import { LeaseStore } from "../../src/persistence/LeaseStore.ts"
import { OAuthSessionStore } from "../../src/persistence/OAuthSessionStore.ts"
import { PhaseStore } from "../../src/persistence/PhaseStore.ts"
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
    ConnectionViews.layer,
    PhaseStore.layer,
    ApiKeyStore.layer,
    BrowserTokenStore.layer,
    CredentialStore.layer,
    OAuthSessionStore.layer,
    LeaseStore.layer,
    Journal.layer
  ).pipe(Layer.provide(freshPool))
)
