import { SqlClient, type Statement } from "@effect/sql"
import { Array, Context, type DateTime, Effect, Layer, Option, Schema } from "effect"
import {
  ApplicationSettings,
  defaultApplicationSettings,
  applicationSettingNames
} from "../../../domain/access/Application.ts"
import { listChangedSettings } from "../../../domain/access/AuditEntry.ts"
import type { ListOrder, PageRequest } from "../../../domain/values/PageRequest.ts"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { encodeArray } from "../../batchStatement.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows, isWritten } from "../decodeRows.ts"
import { selectPage } from "../selectPage.ts"
import { belongingsUsage, eraseBelongings } from "../erasure/erasureStatements.ts"

/** An application as its row holds it; `version` counts the changes of its settings. */
export interface StoredApplication {
  readonly id: ApplicationId
  readonly settings: ApplicationSettings
  readonly version: number
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** A tenant, and when the first of its API keys and connections was created. */
export interface StoredTenant {
  readonly id: TenantId
  readonly createdAt: DateTime.Utc
}

/** Stores the settings of applications. An application exists from its creation or first API key on. */
export class ApplicationStore extends Context.Tag("persistence/ApplicationStore")<
  ApplicationStore,
  {
    /** The settings of an application; the defaults where it has none. */
    readonly findSettings: (id: ApplicationId) => Effect.Effect<ApplicationSettings, StoreUnavailable>
    /** Creates an application; none if it is there already. */
    readonly create: (
      id: ApplicationId,
      settings: ApplicationSettings
    ) => Effect.Effect<Option.Option<StoredApplication>, StoreUnavailable>
    readonly find: (id: ApplicationId) => Effect.Effect<Option.Option<StoredApplication>, StoreUnavailable>
    /** The applications in the order of their ids, or the reverse. */
    readonly list: (page: PageRequest) => Effect.Effect<ReadonlyArray<StoredApplication>, StoreUnavailable>
    /** Replaces the settings; none if the application has changed or gone since it was read. */
    readonly update: (
      read: StoredApplication,
      settings: ApplicationSettings
    ) => Effect.Effect<Option.Option<StoredApplication>, StoreUnavailable>
    /** Deletes an application and its data but audit entries; false if it has a connection, or changed meanwhile. */
    readonly remove: (read: StoredApplication) => Effect.Effect<boolean, StoreUnavailable>
    /** The tenants that have API keys or connections, in the order of their ids, or the reverse. */
    readonly listTenants: (
      id: ApplicationId,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<StoredTenant>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ApplicationStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(`id, settings, version, created_at as "createdAt", updated_at as "updatedAt"`)
      const selectFrom = (table: string) =>
        sql`${sql.literal(writeAudit({ table }))} select ${columns} from ${sql(table)}`
      const isUnchanged = ({ id, version }: StoredApplication) => sql`id = ${id} and version = ${version}`

      /** The next tenant of an application after another one, by one entry of an index for each table. */
      const nextTenant = (id: ApplicationId, order: ListOrder, after?: Statement.Fragment) => {
        const isAsc = order === "asc"
        const follows = after === undefined ? sql`true` : sql`tenant_id ${sql.literal(isAsc ? ">" : "<")} ${after}`
        const nextOf = (table: string) => sql`
          (select ${sql.literal(isAsc ? "min" : "max")}(tenant_id) from ${sql(table)}
          where application_id = ${id} and ${follows})`
        return sql`${sql.literal(isAsc ? "least" : "greatest")}(${nextOf("api_keys")}, ${nextOf("connections")})`
      }

      /** When the first key or connection of a tenant was created; ids sort by time. */
      const firstCreatedAt = (id: ApplicationId, tenant: Statement.Fragment) => {
        const firstOf = (table: string) => sql`
          (select created_at from ${sql(table)} where application_id = ${id} and tenant_id = ${tenant}
          order by id limit 1)`
        return sql`least(${firstOf("api_keys")}, ${firstOf("connections")})`
      }

      return {
        findSettings: Effect.fnUntraced(function* (id) {
          const rows = yield* decodeSettings(yield* sql`select settings from applications where id = ${id}`)
          return Option.match(Array.head(rows), {
            onNone: () => defaultApplicationSettings,
            onSome: ({ settings }) => settings
          })
        }, mapSqlErrors),
        create: Effect.fnUntraced(function* (id, settings) {
          const audit = yield* encodeAuditAction("application.created")
          const rows = yield* sql`
            with created as (
              insert into applications (id, settings) values (${id}, ${encodeSettings(settings)})
              on conflict do nothing returning *, id as application_id, ${audit}::jsonb as audit
            ), ${selectFrom("created")}`
          return Array.head(yield* decodeApplications(rows))
        }, mapSqlErrors),
        find: Effect.fnUntraced(function* (id) {
          return Array.head(yield* decodeApplications(yield* sql`select ${columns} from applications where id = ${id}`))
        }, mapSqlErrors),
        list: Effect.fnUntraced(function* ({ limit, ...window }) {
          const { orderBy, where } = selectPage(sql, window)
          return yield* decodeApplications(
            yield* sql`select ${columns} from applications where ${where} order by ${orderBy} limit ${limit}`
          )
        }, mapSqlErrors),
        // During a rolling upgrade the row may have settings that this version does not know.
        update: Effect.fnUntraced(function* (read, settings) {
          const changed = { settings: listChangedSettings(applicationSettingNames, read.settings, settings) }
          const audit = yield* encodeAuditAction("application.changed", changed)
          const rows = yield* sql`
            with changed as (
              update applications set version = version + 1, updated_at = now(),
                settings = ((settings::jsonb - ${settingNames}::text[]) || ${encodeSettings(settings)}::jsonb)::text
              where ${isUnchanged(read)} returning *, id as application_id, ${audit}::jsonb as audit
            ), ${selectFrom("changed")}`
          return Array.head(yield* decodeApplications(rows))
        }, mapSqlErrors),
        remove: Effect.fnUntraced(function* (read) {
          const audit = yield* encodeAuditAction("application.deleted")
          const isOwn = sql`application_id in (select id from target)`
          const rows = yield* sql`
            with target as (
              delete from applications
              where ${isUnchanged(read)} and not exists (select from connections where application_id = ${read.id})
              returning id, id as application_id, ${audit}::jsonb as audit
            ), secrets as (
              delete from ask_secrets where ${isOwn}
            ), signing_keys as (
              delete from domain_connect_keys where ${isOwn}
            ), sendings as (
              delete from webhook_deliveries where endpoint_id in (select id from webhook_endpoints where ${isOwn})
            ), notices as (
              delete from webhook_events where application_id = ${read.id} and connection_id is null
                and exists (select from target)
            ), endpoints as (
              delete from webhook_endpoints where ${isOwn}
            ), rates as (
              delete from webhook_rates where ${isOwn}
            ), ${eraseBelongings(sql, sql`application_id = ${read.id}`)},
            ${sql.literal(writeAudit({ table: "target", alsoStored: belongingsUsage }))}
            select true as written from target`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        listTenants: Effect.fnUntraced(function* (id, { after, limit, order = "asc", ...window }) {
          const { orderBy, where } = selectPage(sql, { ...window, order }, { id: "name", createdAt: "made_at" })
          const first = nextTenant(id, order, after === undefined ? undefined : sql`${after}`)
          const next = nextTenant(id, order, sql.literal("tenants.name"))
          const found = (name: Statement.Fragment, nth: Statement.Fragment) => sql`
            select name, made_at, ${nth} + (made_at is not null and ${where})::integer as nth
            from (select name, ${firstCreatedAt(id, sql.literal("named.name"))} as made_at
              from (select ${name} as name) as named) as dated`
          const rows = yield* sql`
            with recursive tenants as (
              ${found(first, sql`0`)}
              union all
              select following.* from tenants, lateral (${found(next, sql.literal("tenants.nth"))}) as following
              where tenants.name is not null and tenants.nth < ${limit}
            )
            select name as "id", made_at as "createdAt" from tenants
            where name is not null and ${where} order by ${orderBy}`
          return yield* decodeTenants(rows)
        }, mapSqlErrors)
      }
    })
  )
}

const SettingsJson = Schema.parseJson(ApplicationSettings)

const settingNames = encodeArray(applicationSettingNames)

const encodeSettings = Schema.encodeSync(SettingsJson)

const decodeSettings = decodeRows(Schema.Struct({ settings: SettingsJson }))

const decodeApplications = decodeRows(
  Schema.Struct({
    id: ApplicationId,
    settings: SettingsJson,
    version: Schema.Int,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const decodeTenants = decodeRows(Schema.Struct({ id: TenantId, createdAt: Schema.DateTimeUtcFromDate }))
