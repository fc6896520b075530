import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/** The processes that work on the database, and which of them has taken the phase of a connection. */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table processes (
        id text primary key,
        seen_at timestamptz not null default now()
      );
      alter table connections add column taken_by text`
  }),
  MigrationStep.CreateIndex({
    name: "connections_taken_by",
    table: "connections",
    on: "(taken_by) where taken_by is not null"
  })
]

export default migration
