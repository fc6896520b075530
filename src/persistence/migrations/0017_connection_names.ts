import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * The keys that make a connection unique for its tenant, as SHA-256: its external id until it ends, its intent until it
 * leaves. The second column of each index is the same for all that exclude each other.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table connections add column external_key bytea;
      alter table connections add column intent_key bytea;
      alter table connections add column allows_duplicate boolean not null default false`
  }),
  MigrationStep.CreateIndex({
    name: "connections_external_key",
    table: "connections",
    on: "(external_key, (case when state in ('expired', 'canceled', 'disconnected') then id else '' end)) where external_key is not null",
    unique: true
  }),
  MigrationStep.CreateIndex({
    name: "connections_intent_key",
    table: "connections",
    on: "(intent_key, (case when allows_duplicate then id else '' end)) where intent_key is not null and state not in ('expired', 'canceled', 'disconnected')",
    unique: true
  })
]

export default migration
