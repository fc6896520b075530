import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Erased connections whose journal another's restore may need. It counts for the tenant, unless that is erased. */
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
