import { Effect, Layer } from "effect"
import { storesOfAdministration } from "../../src/persistence/layer.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { AuditStore } from "../../src/persistence/stores/audit/AuditStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionInspections } from "../../src/persistence/stores/connections/ConnectionInspections.ts"
import { ConnectionStore } from "../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../src/persistence/stores/connections/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/stores/access/CredentialStore.ts"
import { HostHolderStore } from "../../src/persistence/stores/connections/HostHolderStore.ts"
import { JournalStore } from "../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../src/persistence/stores/phases/LeaseStore.ts"
import { OAuthSessionStore } from "../../src/persistence/stores/access/OAuthSessionStore.ts"
import { PhaseStore } from "../../src/persistence/stores/phases/PhaseStore.ts"
import { UsageStore } from "../../src/persistence/stores/usage/UsageStore.ts"
import { WebhookDeliveryStore } from "../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { initialRecords, scriptedProvider } from "../lifecycle/phases/scriptedProvider.ts"
import { freshPool } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { allowedNamesContract } from "./allowedNamesContract.ts"
import { apiWithLifecycle } from "./support/apiWithLifecycle.ts"

const stores = Layer.mergeAll(
  ApiKeyStore.layer,
  AuditStore.layer,
  BrowserTokenStore.layer,
  ConnectionInspections.layer,
  ConnectionStore.layer,
  ConnectionViews.layer,
  CredentialStore.layer,
  DatabaseReadiness.layer,
  HostHolderStore.layer,
  JournalStore.layer,
  LeaseStore.layer,
  OAuthSessionStore.layer,
  PhaseStore.layer,
  UsageStore.layer,
  WebhookDeliveryStore.layer,
  WebhookEndpointStore.layer,
  storesOfAdministration
)

allowedNamesContract((name, body) =>
  live(name, () => {
    const acme = scriptedProvider(...initialRecords)
    return Effect.provide(body(acme), Layer.provideMerge(apiWithLifecycle(acme), Layer.provide(stores, freshPool)))
  })
)
