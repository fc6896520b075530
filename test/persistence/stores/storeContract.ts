import { Effect, type Layer, type Scope } from "effect"
import type { Identifiers } from "../../../src/domain/Identifiers.ts"
import type { AdminKeyStore } from "../../../src/persistence/stores/AdminKeyStore.ts"
import type { ApiKeyStore } from "../../../src/persistence/stores/ApiKeyStore.ts"
import type { AdminRequestStore } from "../../../src/persistence/stores/AdminRequestStore.ts"
import type { AskSecretStore } from "../../../src/persistence/stores/AskSecretStore.ts"
import type { ApplicationStore } from "../../../src/persistence/stores/ApplicationStore.ts"
import type { AuditStore } from "../../../src/persistence/stores/AuditStore.ts"
import type { BrowserTokenStore } from "../../../src/persistence/stores/BrowserTokenStore.ts"
import type { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import type { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import type { CredentialStore } from "../../../src/persistence/stores/CredentialStore.ts"
import type { ErasureStore } from "../../../src/persistence/stores/ErasureStore.ts"
import type { HostHolderStore } from "../../../src/persistence/stores/HostHolderStore.ts"
import type { JournalStore } from "../../../src/persistence/stores/JournalStore.ts"
import type { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import type { OAuthSessionStore } from "../../../src/persistence/stores/OAuthSessionStore.ts"
import type { PhaseStore } from "../../../src/persistence/stores/PhaseStore.ts"
import type { UsageStore } from "../../../src/persistence/stores/UsageStore.ts"
import type { WebhookDeliveryStore } from "../../../src/persistence/stores/WebhookDeliveryStore.ts"
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
