import { Layer, TestContext } from "effect"
import { storesOfAdministration } from "../../../src/persistence/layer.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { OAuthSessionStore } from "../../../src/persistence/stores/access/OAuthSessionStore.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { WebhookDeliveryStore } from "../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { storesInMemory } from "../../support/testApi.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { freshPool } from "../freshDatabase.ts"
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
  Layer.mergeAll(
    sequentialIdentifiers,
    StoreFixture.layerPostgres,
    ConnectionStore.layer,
    ConnectionViews.layer,
    PhaseStore.layer,
    ApiKeyStore.layer,
    storesOfAdministration,
    BrowserTokenStore.layer,
    CredentialStore.layer,
    OAuthSessionStore.layer,
    LeaseStore.layer,
    JournalStore.layer,
    AuditStore.layer,
    HostHolderStore.layer,
    UsageStore.layer,
    WebhookDeliveryStore.layer
  ).pipe(Layer.provide(freshPool))
)
