import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { ApplicationSettings, defaultApplicationSettings } from "../../domain/Application.ts"
import type { ApplicationId } from "../../domain/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../StoreUnavailable.ts"
import { decodeRows } from "./decodeRows.ts"

/** Stores what platforms chose for their applications. */
export class ApplicationStore extends Context.Tag("persistence/ApplicationStore")<
  ApplicationStore,
  {
    /** The settings of an application; the defaults where it has none. */
    readonly findSettings: (id: ApplicationId) => Effect.Effect<ApplicationSettings, StoreUnavailable>
    /** Creates the application with these settings, or replaces all of its settings. */
    readonly saveSettings: (id: ApplicationId, settings: ApplicationSettings) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ApplicationStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      findSettings: Effect.fn("ApplicationStore.findSettings")(function* (id) {
        const rows = yield* decodeSettings(yield* sql`select settings from applications where id = ${id}`)
        return Option.match(Array.head(rows), {
          onNone: () => defaultApplicationSettings,
          onSome: ({ settings }) => settings
        })
      }, mapSqlErrors),
      saveSettings: (id, settings) =>
        mapSqlErrors(
          Effect.asVoid(sql`
            insert into applications (id, settings) values (${id}, ${encodeSettings(settings)})
            on conflict (id) do update
              set settings = excluded.settings, version = applications.version + 1, updated_at = now()`)
        )
    }))
  )
}

const SettingsJson = Schema.parseJson(ApplicationSettings)

const encodeSettings = Schema.encodeSync(SettingsJson)

const decodeSettings = decodeRows(Schema.Struct({ settings: SettingsJson }))
