import { Effect, type Layer, type Scope } from "effect"
import type { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import type { AdminKeyStore } from "../../../src/persistence/stores/access/AdminKeyStore.ts"
import type { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import type { AdminRequestStore } from "../../../src/persistence/stores/access/AdminRequestStore.ts"
import type { AskSecretStore } from "../../../src/persistence/stores/access/AskSecretStore.ts"
import type { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import type { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import type { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import type { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import type { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import type { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import type { ErasureStore } from "../../../src/persistence/stores/erasure/ErasureStore.ts"
import type { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import type { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import type { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import type { OAuthSessionStore } from "../../../src/persistence/stores/access/OAuthSessionStore.ts"
import type { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import type { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import type { WebhookDeliveryStore } from "../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { adminKeyContract } from "./adminKeyContract.ts"
import { apiKeyContract } from "./apiKeyContract.ts"
import { adminRequestContract } from "./adminRequestContract.ts"
import { askSecretContract } from "./askSecretContract.ts"
import { applicationContract } from "./applicationContract.ts"
import { auditContract } from "./auditContract.ts"
import { browserTokenContract } from "./browserTokenContract.ts"
import { connectionContract } from "./connectionContract.ts"
import { connectionViewsContract } from "./connectionViewsContract.ts"
import { credentialContract } from "./credentialContract.ts"
import { erasureContract } from "./erasureContract.ts"
import { hostHolderContract } from "./hostHolderContract.ts"
import { journalContract } from "./journalContract.ts"
import { leaseContract } from "./leaseContract.ts"
import { oauthSessionContract } from "./oauthSessionContract.ts"
import { phaseContract } from "./phaseContract.ts"
import { uniquenessContract } from "./uniquenessContract.ts"
import { usageContract } from "./usageContract.ts"
import { fairShareContract } from "./fairShareContract.ts"

/** The stores under test, over shared tables. */
export type Stores =
  | ConnectionStore
  | ConnectionViews
  | PhaseStore
  | ApiKeyStore
  | AdminKeyStore
  | AdminRequestStore
  | AskSecretStore
  | ApplicationStore
  | BrowserTokenStore
  | CredentialStore
  | ErasureStore
  | OAuthSessionStore
  | LeaseStore
  | JournalStore
  | HostHolderStore
  | UsageStore
  | AuditStore
  | WebhookDeliveryStore
  | StoreFixture
  | Identifiers

/** Defines a test of the stores, which starts with empty tables. */
export type StoreTest = <E>(name: string, body: () => Effect.Effect<unknown, E, Stores | Scope.Scope>) => void

/** The contract of every implementation of the stores. */
export const storeContract = <E>(name: string, layer: Layer.Layer<Stores, E>): void =>
  withLayer(name, layer, (live) => {
    const test: StoreTest = (title, body) =>
      live(title, () =>
        Effect.zipRight(
          Effect.flatMap(StoreFixture, ({ clear }) => clear),
          body()
        )
      )
    connectionContract(test)
    phaseContract(test)
    fairShareContract(test)
    connectionViewsContract(test)
    apiKeyContract(test)
    adminKeyContract(test)
    adminRequestContract(test)
    askSecretContract(test)
    applicationContract(test)
    browserTokenContract(test)
    credentialContract(test)
    oauthSessionContract(test)
    leaseContract(test)
    journalContract(test)
    hostHolderContract(test)
    usageContract(test)
    uniquenessContract(test)
    auditContract(test)
    erasureContract(test)
  })
