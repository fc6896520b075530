import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { defaultApplicationSettings, applicationSettingNames } from "../../../src/domain/Application.ts"
import { type AuditAction, type AuditDetails, listChangedSettings } from "../../../src/domain/AuditEntry.ts"
import { WebhookRate } from "../../../src/domain/WebhookRate.ts"
import {
  ApplicationRemoval,
  ApplicationStore,
  type StoredApplication
} from "../../../src/persistence/stores/ApplicationStore.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { isUsableKey, Tables } from "./Tables.ts"

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
      list: ({ after = "", limit }) =>
        Effect.sync(() => sortById([...applications.values()].filter(({ id }) => id > after)).slice(0, limit)),
      update: (read, settings) =>
        Effect.suspend(() => {
          if (!isUnchanged(read)) return Effect.succeedNone
          const changed = { settings: listChangedSettings(applicationSettingNames, read.settings, settings) }
          return Effect.asSome(
            Effect.zipLeft(save(read.id, settings), auditOf(read.id, "application.changed", changed))
          )
        }),
      remove: (read) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const isOwn = ({ applicationId }: { readonly applicationId: string }) => applicationId === read.id
          const contents = [
            ...([...tables.keys.values()].some((key) => isOwn(key) && isUsableKey(key, now))
              ? ["api_keys" as const]
              : []),
            ...([...tables.connections.values()].some(({ tenancy }) => isOwn(tenancy)) ? ["connections" as const] : []),
            ...([...tables.webhookEndpoints.values()].some(isOwn) ? ["webhook_endpoints" as const] : [])
          ]
          if (contents.length > 0) return ApplicationRemoval.NotEmpty({ contents })
          if (!isUnchanged(read)) return ApplicationRemoval.Changed()
          applications.delete(read.id)
          WebhookRate.literals.forEach((rate) => tables.webhookRates.delete(`${read.id} ${rate}`))
          return ApplicationRemoval.Removed()
        }).pipe(Effect.tap(({ _tag }) => (_tag === "Removed" ? auditOf(read.id, "application.deleted") : Effect.void))),
      listTenants: (id, { after = "", limit }) =>
        Effect.sync(() => {
          const owners = [...tables.keys.values(), ...[...tables.connections.values()].map(({ tenancy }) => tenancy)]
          const tenants = new Set(owners.filter(({ applicationId }) => applicationId === id).map((own) => own.tenantId))
          return [...tenants]
            .filter((tenantId) => tenantId > after)
            .toSorted()
            .slice(0, limit)
        })
    }
  })
)

const sortById = (applications: ReadonlyArray<StoredApplication>) =>
  applications.toSorted((one, other) => (one.id < other.id ? -1 : 1))
