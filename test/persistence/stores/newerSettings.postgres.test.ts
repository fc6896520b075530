import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { ApplicationSettings } from "../../../src/domain/access/Application.ts"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshPool } from "../freshDatabase.ts"

concurrentTest("a change by an older process keeps the settings that only a newer version knows", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { create, find, update } = yield* ApplicationStore
    const id = ApplicationId.make("app")
    yield* create(id, ApplicationSettings.make({ name: "Acme", supportEmail: "help@example.com" }))
    yield* sql`update applications set settings = jsonb_set(settings::jsonb, '{ofTomorrow}', '["a"]')::text`
    const read = yield* Effect.flatten(find(id))
    expect(yield* Effect.flatten(update(read, ApplicationSettings.make({ name: "Acme 2" })))).toMatchObject({
      settings: { name: "Acme 2" }
    })
    expect(yield* sql`select settings::jsonb as settings from applications`).toEqual([
      { settings: { name: "Acme 2", controlProof: "required", ofTomorrow: ["a"] } }
    ])
  }).pipe(Effect.provide(Layer.provideMerge(ApplicationStore.layer, freshPool)))
)
