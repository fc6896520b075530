import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * The erased connections whose journal stays, because the restore of another connection of the zone may need it. Their
 * storage counts for their tenant, unless the tenant was erased too. The journal outlives its connection.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table kept_journals (
        connection_id text primary key,
        application_id text,
        tenant_id text,
        checked_at timestamptz not null default now()
      );
      create index kept_journals_checked_at on kept_journals (checked_at)`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`alter table journal drop constraint if exists journal_connection_id_fkey`
  })
]

export default migration
