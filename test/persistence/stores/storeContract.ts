import { Effect, type Layer, type Scope } from "effect"
import type { Identifiers } from "../../../src/domain/Identifiers.ts"
import type { ApiKeyStore } from "../../../src/persistence/stores/ApiKeyStore.ts"
import type { BrowserTokenStore } from "../../../src/persistence/stores/BrowserTokenStore.ts"
import type { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import type { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import type { CredentialStore } from "../../../src/persistence/stores/CredentialStore.ts"
import type { HostHolderStore } from "../../../src/persistence/stores/HostHolderStore.ts"
import type { JournalStore } from "../../../src/persistence/stores/JournalStore.ts"
import type { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import type { OAuthSessionStore } from "../../../src/persistence/stores/OAuthSessionStore.ts"
import type { PhaseStore } from "../../../src/persistence/stores/PhaseStore.ts"
import type { UsageStore } from "../../../src/persistence/stores/UsageStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { apiKeyContract } from "./apiKeyContract.ts"
import { browserTokenContract } from "./browserTokenContract.ts"
import { connectionContract } from "./connectionContract.ts"
import { connectionViewsContract } from "./connectionViewsContract.ts"
import { credentialContract } from "./credentialContract.ts"
import { hostHolderContract } from "./hostHolderContract.ts"
import { journalContract } from "./journalContract.ts"
import { leaseContract } from "./leaseContract.ts"
import { oauthSessionContract } from "./oauthSessionContract.ts"
import { phaseContract } from "./phaseContract.ts"
import { usageContract } from "./usageContract.ts"
import { fairShareContract } from "./fairShareContract.ts"

/** The stores under test, over shared tables. */
export type Stores =
  | ConnectionStore
  | ConnectionViews
  | PhaseStore
  | ApiKeyStore
  | BrowserTokenStore
  | CredentialStore
  | OAuthSessionStore
  | LeaseStore
  | JournalStore
  | HostHolderStore
  | UsageStore
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
    browserTokenContract(test)
    credentialContract(test)
    oauthSessionContract(test)
    leaseContract(test)
    journalContract(test)
    hostHolderContract(test)
    usageContract(test)
  })
