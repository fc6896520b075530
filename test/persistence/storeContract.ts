import { Effect, type Layer, type Scope } from "effect"
import type { Identifiers } from "../../src/domain/Identifiers.ts"
import type { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import type { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import type { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import type { ConnectionViews } from "../../src/persistence/ConnectionViews.ts"
import type { CredentialStore } from "../../src/persistence/CredentialStore.ts"
import type { Journal } from "../../src/persistence/Journal.ts"
import type { LeaseStore } from "../../src/persistence/LeaseStore.ts"
import type { PhaseStore } from "../../src/persistence/PhaseStore.ts"
import type { OAuthSessionStore } from "../../src/persistence/OAuthSessionStore.ts"
import { withLayer } from "../support/effect.ts"
import { apiKeyContract } from "./apiKeyContract.ts"
import { Backstage } from "./Backstage.ts"
import { browserTokenContract } from "./browserTokenContract.ts"
import { connectionContract } from "./connectionContract.ts"
import { credentialContract } from "./credentialContract.ts"
import { journalContract } from "./journalContract.ts"
import { leaseContract } from "./leaseContract.ts"
import { oauthSessionContract } from "./oauthSessionContract.ts"
import { phaseContract } from "./phaseContract.ts"
import { viewsContract } from "./viewsContract.ts"

/** The stores under test, on tables that they share. */
export type Stores =
  | ConnectionStore
  | ConnectionViews
  | PhaseStore
  | ApiKeyStore
  | BrowserTokenStore
  | CredentialStore
  | OAuthSessionStore
  | LeaseStore
  | Journal
  | Backstage
  | Identifiers

/** Declares one test of the stores, which begins with nothing kept. */
export type StoreTest = <E>(name: string, body: () => Effect.Effect<unknown, E, Stores | Scope.Scope>) => void

/** What every implementation of the stores promises. */
export const storeContract = <E>(name: string, layer: Layer.Layer<Stores, E>): void =>
  withLayer(name, layer, (live) => {
    const test: StoreTest = (title, body) =>
      live(title, () =>
        Effect.zipRight(
          Effect.flatMap(Backstage, ({ clear }) => clear),
          body()
        )
      )
    connectionContract(test)
    phaseContract(test)
    viewsContract(test)
    apiKeyContract(test)
    browserTokenContract(test)
    credentialContract(test)
    oauthSessionContract(test)
    leaseContract(test)
    journalContract(test)
  })
