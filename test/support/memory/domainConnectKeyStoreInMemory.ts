import { Effect, Layer, Option } from "effect"
import type { DomainConnectKeyId } from "../../../src/domain/access/DomainConnectKey.ts"
import {
  DomainConnectKeyStore,
  type StoredDomainConnectKey
} from "../../../src/persistence/stores/access/DomainConnectKeyStore.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { Tables } from "./Tables.ts"

/** The keys of Domain Connect, with the same guarantees as the table of PostgreSQL. */
export const domainConnectKeyStoreInMemory = Layer.effect(
  DomainConnectKeyStore,
  Effect.map(Tables, (tables) => {
    const rows = new Map<string, StoredDomainConnectKey>()
    const audit = ({ applicationId, ...name }: DomainConnectKeyId, action: "created" | "deleted") =>
      writeAuditAction(tables, { applicationId }, `domain_connect_key.${action}`, { keyId: nameOf(name) })
    return {
      insert: (stored) =>
        Effect.suspend(() => {
          if (rows.has(rowOf(stored.key))) return Effect.succeed(false)
          rows.set(rowOf(stored.key), stored)
          return Effect.as(audit(stored.key, "created"), true)
        }),
      list: (applicationId) =>
        Effect.sync(() =>
          [...rows.values()]
            .map(({ key }) => key)
            .filter((key) => key.applicationId === applicationId)
            .toReversed()
        ),
      find: (id) => Effect.sync(() => Option.fromNullable(rows.get(rowOf(id)))),
      remove: (id) =>
        Effect.suspend(() => (rows.delete(rowOf(id)) ? Effect.as(audit(id, "deleted"), true) : Effect.succeed(false))),
      findUnderOtherKeys: (keyVersion) =>
        Effect.sync(() => [...rows.values()].filter(({ sealed }) => sealed.keyVersion !== keyVersion)),
      replace: (read, sealed) =>
        Effect.sync(() => {
          if (!rows.has(rowOf(read.key))) return false
          rows.set(rowOf(read.key), { ...read, sealed })
          return true
        })
    }
  })
)

/** The name at which the public key is published. */
const nameOf = ({ domain, label }: Pick<DomainConnectKeyId, "domain" | "label">) => `${label}.${domain}`

const rowOf = (id: DomainConnectKeyId) => `${id.applicationId} ${nameOf(id)}`
