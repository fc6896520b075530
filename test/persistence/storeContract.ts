import { Effect, type Layer, type Scope } from "effect"
import type { Identifiers } from "../../src/domain/Identifiers.ts"
import type { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import type { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import type { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { withLayer } from "../support/effect.ts"
import { apiKeyContract } from "./apiKeyContract.ts"
import { Backstage } from "./Backstage.ts"
import { browserTokenContract } from "./browserTokenContract.ts"
import { connectionContract } from "./connectionContract.ts"

/** The stores under test, on tables that they share. */
export type Stores = ConnectionStore | ApiKeyStore | BrowserTokenStore | Backstage | Identifiers

/** Declares one test of the stores, which begins with nothing kept. */
export type StoreTest = <E>(name: string, body: () => Effect.Effect<unknown, E, Stores | Scope.Scope>) => void

/** What every implementation of the three stores promises. */
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
    apiKeyContract(test)
    browserTokenContract(test)
  })
