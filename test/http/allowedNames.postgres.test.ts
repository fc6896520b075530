import { Effect, Layer } from "effect"
import { storesOfAdministration } from "../../src/persistence/layer.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { ApiKeyStore } from "../../src/persistence/stores/ApiKeyStore.ts"
import { AuditStore } from "../../src/persistence/stores/AuditStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/stores/ConnectionStore.ts"
import { ConnectionViews } from "../../src/persistence/stores/ConnectionViews.ts"
import { CredentialStore } from "../../src/persistence/stores/CredentialStore.ts"
import { HostHolderStore } from "../../src/persistence/stores/HostHolderStore.ts"
import { JournalStore } from "../../src/persistence/stores/JournalStore.ts"
import { LeaseStore } from "../../src/persistence/stores/LeaseStore.ts"
import { OAuthSessionStore } from "../../src/persistence/stores/OAuthSessionStore.ts"
import { PhaseStore } from "../../src/persistence/stores/PhaseStore.ts"
import { UsageStore } from "../../src/persistence/stores/UsageStore.ts"
import { WebhookDeliveryStore } from "../../src/persistence/stores/WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "../../src/persistence/stores/WebhookEndpointStore.ts"
import { initialRecords, scriptedProvider } from "../lifecycle/phases/scriptedProvider.ts"
import { freshPool } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { allowedNamesContract } from "./allowedNamesContract.ts"
import { apiWithLifecycle } from "./support/apiWithLifecycle.ts"

const stores = Layer.mergeAll(
  ApiKeyStore.layer,
  AuditStore.layer,
  BrowserTokenStore.layer,
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
