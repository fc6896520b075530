import { Effect, Layer } from "effect"
import { defaultApplicationSettings } from "../../../src/domain/Application.ts"
import { ApplicationStore } from "../../../src/persistence/stores/ApplicationStore.ts"
import { Tables } from "./Tables.ts"

/** Stores the settings of applications in the tables. */
export const applicationStoreInMemory = Layer.effect(
  ApplicationStore,
  Effect.map(Tables, ({ applications }) => ({
    findSettings: (id) => Effect.sync(() => applications.get(id) ?? defaultApplicationSettings),
    saveSettings: (id, settings) => Effect.sync(() => void applications.set(id, settings))
  }))
)
