import { DateTime, Effect, Layer, Option } from "effect"
import { defaultApplicationSettings, applicationSettingNames } from "../../../src/domain/access/Application.ts"
import { type AuditAction, type AuditDetails, listChangedSettings } from "../../../src/domain/access/AuditEntry.ts"
import { WebhookRate } from "../../../src/domain/webhook/WebhookRate.ts"
import { ApplicationStore, type StoredApplication } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { pageOf } from "./pageOf.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { deleteWhere, Tables } from "./Tables.ts"

/** Applications in the tables, with the same guarantees as the table of PostgreSQL. */
export const applicationStoreInMemory = Layer.effect(
  ApplicationStore,
  Effect.map(Tables, (tables) => {
    const { applications } = tables
    const save = (id: StoredApplication["id"], settings: StoredApplication["settings"]) =>
      Effect.map(DateTime.now, (now) => {
        const before = applications.get(id)
        const saved = {
          id,
          settings,
          version: (before?.version ?? 0) + 1,
          createdAt: before?.createdAt ?? now,
          updatedAt: now
        }
        applications.set(id, saved)
        return saved
      })
    const auditOf = (applicationId: StoredApplication["id"], action: AuditAction, details?: AuditDetails) =>
      writeAuditAction(tables, { applicationId }, action, details)
    const isUnchanged = ({ id, version }: StoredApplication) => applications.get(id)?.version === version

    return {
      findSettings: (id) => Effect.sync(() => applications.get(id)?.settings ?? defaultApplicationSettings),
      create: (id, settings) =>
        Effect.suspend(() =>
          applications.has(id)
            ? Effect.succeedNone
            : Effect.asSome(Effect.zipLeft(save(id, settings), auditOf(id, "application.created")))
        ),
      find: (id) => Effect.sync(() => Option.fromNullable(applications.get(id))),
      list: (page) =>
        Effect.sync(() =>
          pageOf(applications.values(), page, {
            id: ({ id }) => id,
            createdAt: ({ createdAt }) => createdAt.epochMillis
          })
        ),
      update: (read, settings) =>
        Effect.suspend(() => {
          if (!isUnchanged(read)) return Effect.succeedNone
          const changed = { settings: listChangedSettings(applicationSettingNames, read.settings, settings) }
          return Effect.asSome(
            Effect.zipLeft(save(read.id, settings), auditOf(read.id, "application.changed", changed))
          )
        }),
      remove: (read) =>
        Effect.gen(function* () {
          const isOwn = ({ applicationId }: { readonly applicationId: string }) => applicationId === read.id
          if (!isUnchanged(read) || [...tables.connections.values()].some(({ tenancy }) => isOwn(tenancy))) return false
          applications.delete(read.id)
          WebhookRate.literals.forEach((rate) => tables.webhookRates.delete(`${read.id} ${rate}`))
          deleteWhere(tables.keys, isOwn)
          deleteWhere(tables.askSecrets, isOwn)
          deleteWhere(tables.webhookEndpoints, isOwn)
          deleteWhere(tables.webhookEvents, (event) => isOwn(event) && event.connectionId === undefined)
          deleteWhere(tables.hostHolders, ({ tenancy }) => isOwn(tenancy))
          deleteWhere(tables.requestedHosts, ({ tenancy }) => isOwn(tenancy))
          yield* auditOf(read.id, "application.deleted")
          return true
        }),
      listTenants: (id, page) =>
        Effect.sync(() => {
          const owned = [
            ...[...tables.keys.values()].map(({ createdAt, ...own }) => ({ ...own, createdAt: createdAt.getTime() })),
            ...[...tables.connections.values()].map(({ createdAt, tenancy }) => ({ ...tenancy, createdAt }))
          ].filter(({ applicationId }) => applicationId === id)
          const tenants = [...Map.groupBy(owned, ({ tenantId }) => tenantId)].map(([tenantId, rows]) => ({
            id: tenantId,
            createdAt: Math.min(...rows.map(({ createdAt }) => createdAt))
          }))
          return pageOf(tenants, page, { id: ({ id }) => id, createdAt: ({ createdAt }) => createdAt }).map(
            (tenant) => ({
              ...tenant,
              createdAt: DateTime.unsafeMake(tenant.createdAt)
            })
          )
        })
    }
  })
)
