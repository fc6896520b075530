import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** Counts test events and replays of an application alike, in hours that begin with the first. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table webhook_rates (
        application_id text not null,
        rate text not null,
        used integer not null,
        ends_at timestamptz not null,
        primary key (application_id, rate)
      )`
  }),
  MigrationStep.DropIndex({ name: "webhook_events_tests" })
]

export default migration
