import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Counts test zones as storage, and notes when each was last in use and when that was checked last. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table test_zones
        add column used_at timestamptz not null default now(),
        add column checked_at timestamptz not null default now()`
  }),
  MigrationStep.CreateIndex({ name: "test_zones_checked_at", table: "test_zones", on: "(checked_at)" }),
  MigrationStep.Change({
    statements: (sql) => sql`
      insert into usage_changes (application_id, tenant_id, bytes)
      select application_id, tenant_id, sum(200 + octet_length(sets) + octet_length(former)) from test_zones group by 1, 2`
  })
]

export default migration
